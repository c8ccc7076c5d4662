#include "cli/demo_steps.h"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/fail.h"
#include "dolmen/entity.h"
#include "dolmen/isr.h"
#include "dolmen/isr/isr.h"

namespace dolmen::cli {
namespace {

/// What a web server would do when somebody asks for these pages.
Result<void> publish_pages(Store& store) {
  DOLMEN_TRY(const std::unique_ptr<BodyStore> bodies, open_body_directory("bodies"));
  PageCache cache(store, "cache", *bodies, {.keep_names = true});
  const std::array<std::pair<std::string, std::chrono::seconds>, 3> pages{
      {{"/news", std::chrono::seconds(60)}, {"/prices", std::chrono::hours(1)}, {"/about", std::chrono::hours(24)}}};
  for (const auto& [name, revalidate] : pages)
    DOLMEN_TRY_VOID(cache.serve_or_regenerate({name}, [&](const std::stop_token&) -> Result<GeneratedPage> {
      return GeneratedPage{
          .body = "<h1>" + name + "</h1>", .revalidate = revalidate, .tags = {"shop"}, .version = "v1"};
    }));
  return {};
}

constexpr std::size_t kUsers = 180;
/// 2023-07-01, so that users are under every shard bump of entities.yml.
constexpr std::int64_t kFirstUserAt = 1688169600000;
constexpr std::int64_t kWeek = 7LL * 24 * 3600 * 1000;

Result<void> put_users(Store& store) {
  constexpr std::array<std::string_view, 5> names{"lovelace", "hopper", "turing", "liskov", "knuth"};
  DOLMEN_TRY(EntityManager entities, EntityManager::load("entities.yml"));
  const EntityClient client(std::move(entities), store, "app");
  std::vector<Item> users;
  for (std::size_t n = 0; n < kUsers; ++n)
    users.push_back(Item{{"userId", fmt::format("user-{:03}", n)},
                         {"created", kFirstUserAt + static_cast<std::int64_t>(n) * kWeek},
                         {"lastNameCanonical", std::string(names[n % names.size()])}});
  EntityWriteResult written = client.put_all("user", users);
  if (written.error) return std::unexpected(*std::move(written.error));
  if (!written.complete()) return fail(Code::kUnexpectedResponse, "{} of {} users were written", written.done, kUsers);
  return {};
}

/// What an operator does before something that may go wrong.
Result<void> keep_history(Store& store) {
  DOLMEN_TRY_VOID(store.update_continuous_backups("shop", {.enabled = true}));
  DOLMEN_TRY_VOID(store.create_backup("shop", "before-the-sale"));
  return {};
}

}  // namespace

std::string_view demo_step_text(DemoStep step) {
  switch (step) {
    case DemoStep::kPublishPages: return "(a web server publishes the pages /news, /prices and /about)";
    case DemoStep::kPutUsers: return "(a program puts 180 users, who are spread over the shards of three years)";
    case DemoStep::kKeepHistory: return "(an operator lets the shop keep its history, and backs it up)";
    case DemoStep::kCommand: break;
  }
  DOLMEN_UNREACHABLE("a command is no step of the demo");
}

Result<void> run_demo_step(DemoStep step, Store& store) {
  switch (step) {
    case DemoStep::kPublishPages: return publish_pages(store);
    case DemoStep::kPutUsers: return put_users(store);
    case DemoStep::kKeepHistory: return keep_history(store);
    case DemoStep::kCommand: break;
  }
  DOLMEN_UNREACHABLE("a command is no step of the demo");
}

}  // namespace dolmen::cli
