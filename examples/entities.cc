// Users and e-mails in one table that grows from 1 shard to 16 and then to 256, while somebody pages through it. Run it
// with the address of a store, such as ./data; without one it keeps everything in memory.
#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/entity/client.h>
#include <set>
#include <string>

namespace db = dolmen;

namespace {

constexpr std::int64_t kDay = 24LL * 60 * 60 * 1000;
constexpr std::int64_t kIn2023 = 1'700'000'000'000;
constexpr std::int64_t kIn2024 = 1'710'000'000'000;
constexpr std::int64_t kIn2025 = 1'740'000'000'000;

int report(const db::Error& error) {
  std::fprintf(stderr, "%s: %s\n", std::string(db::code_name(error.code())).c_str(), error.message().c_str());
  for (const db::ErrorDetail& detail : error.details())
    std::fprintf(stderr, "  %s: %s\n", detail.path.c_str(), detail.message.c_str());
  return 1;
}

/// The same config a year later: with the bumps that somebody has added since.
db::EntityClient client_in(db::Store& store, const db::EntityConfig& config, std::size_t bumps, std::int64_t now) {
  db::EntityConfig then = config;
  then.entities[0].shard_bumps.resize(bumps);
  return {
      db::EntityManager::make(then, {.now = [now] { return db::TimePoint(std::chrono::milliseconds(now)); }}).value(),
      store, "people"};
}

/// Users of a year, each with an e-mail, written together or not at all.
db::Result<void> write_people(const db::EntityClient& client, const std::string& year, std::int64_t first, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string id = year + "-" + std::to_string(i);
    const db::Item user{{"userId", id},
                        {"created", first + i * kDay / 4},
                        {"lastNameCanonical", i % 3 == 0 ? "lovelace" : "hopper"},
                        {"firstNameCanonical", i % 2 == 0 ? "ada" : "grace"}};
    const db::Item email{{"email", id + "@example.org"}, {"created", first + i * kDay / 4}, {"userId", id}};
    DOLMEN_TRY_VOID(client.transaction().put("user", user).put("email", email, db::attr("email").not_exists()).run());
  }
  return {};
}

db::Result<void> run(db::Store& store) {
  DOLMEN_TRY(const db::EntityConfig config, db::load_entity_config("examples/entities.yml"));
  const db::EntityClient in_2023 = client_in(store, config, 1, kIn2023 + 100 * kDay);
  DOLMEN_TRY_VOID(in_2023.ensure_table());
  DOLMEN_TRY_VOID(write_people(in_2023, "2023", kIn2023, 30));

  // A reader takes the first page while there is one shard.
  DOLMEN_TRY(db::EntityQueryResult page, in_2023.query("user").index("created").limit(10).run());
  std::printf("2023: %zu of 30 users on the first page, from %zu shard\n", page.items.size(),
              in_2023.entities().hash_key_space("user", "pk")->size());
  std::set<std::string> seen;
  for (const db::Item& item : page.items) seen.insert(item.at("userId").string());

  // Then users are spread over 16 shards, and over 256. What was written before stays where it is.
  const db::EntityClient in_2024 = client_in(store, config, 2, kIn2024 + 100 * kDay);
  DOLMEN_TRY_VOID(write_people(in_2024, "2024", kIn2024, 30));
  const db::EntityClient in_2025 = client_in(store, config, 3, kIn2025 + 100 * kDay);
  DOLMEN_TRY_VOID(write_people(in_2025, "2025", kIn2025, 30));

  // The reader goes on with the token of 2023, and gets what was there then: each user once.
  while (page.has_more) {
    DOLMEN_TRY(page, in_2025.query("user").index("created").limit(10).run(page.page_token));
    for (const db::Item& item : page.items) seen.insert(item.at("userId").string());
  }
  std::printf("2025: the token of 2023 led to %zu of the 30 users of 2023\n", seen.size());

  // A new query asks the shards of all bumps, in two indexes at a time, as if it were one list.
  DOLMEN_TRY(const db::EntityQueryResult all,
             in_2025.query("user")
                 .index("created", db::range("created").between(kIn2024, kIn2025 + 5 * kDay))
                 .index("lastName", db::range("lastNameCanonical").begins_with("lo"))
                 .sort({{"lastNameCanonical"}, {"created", db::descending}})
                 .limit(db::kNoLimit)
                 .run());
  std::printf("2025: %zu users of 2024 and early 2025, or called Lovelace; the first is %s\n", all.items.size(),
              all.items.front().at("userId").string().c_str());

  // Merged in the order of the index, a page is exactly as long as it should be.
  DOLMEN_TRY(const db::EntityQueryResult newest,
             in_2025.query("user").index("created").backward().fan_out(db::FanOut::kMerge).limit(3).run());
  for (const db::Item& item : newest.items) std::printf("newest: %s\n", item.at("userId").string().c_str());
  if (seen.size() != 30 || newest.items.size() != 3 || newest.items[0].at("userId").string() != "2025-29")
    return std::unexpected(db::Error(db::Code::kCorruption, "the example did not find what it wrote"));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  auto store = db::open(argc > 1 ? argv[1] : "memory:");
  if (!store) return report(store.error());
  const db::Result<void> done = run(**store);
  return done ? 0 : report(done.error());
}
