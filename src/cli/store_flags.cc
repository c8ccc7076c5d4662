#include "cli/store_flags.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/check.h"
#include "base/fail.h"
#include "dolmen/embedded.h"
#include "dolmen/open.h"
#include "service/cancelable.h"

namespace dolmen::cli {

namespace {

constexpr std::array<std::string_view, 3> kRemote{"http://", "https://", "aws:"};

/// What to do when there is no store where one was looked for.
constexpr std::string_view kAdvice = "name an existing store with --data DIR or --endpoint URL";

/// The session that lives, if there is one.
StoreSession* open_session = nullptr;

/// A verb that asks for a store in memory gets a new one, also in such a session.
bool name_session_store(const StoreFlags& one, const StoreFlags& other) {
  if (one.memory || other.memory) return one.memory == other.memory && one.named;
  if (!one.endpoint.empty() || !other.endpoint.empty()) return one.endpoint == other.endpoint;
  std::error_code failure;
  return one.data == other.data || std::filesystem::equivalent(one.data, other.data, failure);
}

/// Empty when it is not set.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Result<void> check_that_store_exists(const std::string& directory) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(directory, failure);
  if (status.type() == std::filesystem::file_type::not_found)
    return fail(Code::kDirectoryUnusable, "the directory \"{}\" does not exist; {}", directory, kAdvice);
  // Opening a store in an empty directory would create one.
  if (std::filesystem::is_directory(status) && std::filesystem::is_empty(directory, failure) && !failure)
    return fail(Code::kDirectoryUnusable, "the directory \"{}\" is empty and holds no store; {}", directory, kAdvice);
  return {};
}

Option add_store_flags(const Verb& verb, StoreFlags& flags) {
  const Option data = verb.text("--data", flags.data, "Directory of an embedded store").shown_as("DIR").not_empty();
  const Option endpoint =
      verb.text("--endpoint", flags.endpoint, "Server that speaks DynamoDB's protocol, or aws:REGION")
          .shown_as("URL")
          .not_empty();
  const Option memory = verb.flag("--memory", flags.memory, "Use a new store in memory, which is gone afterwards");
  data.not_with(endpoint).not_with(memory);
  endpoint.not_with(memory);
  flags.data_option = data;
  flags.endpoint_option = endpoint;
  return endpoint;
}

StoreFlags with_environment(const StoreFlags& flags) {
  const auto is_given = [](const std::optional<Option>& option) { return option && option->given(); };
  if (flags.named || flags.memory || is_given(flags.data_option) || is_given(flags.endpoint_option)) return flags;
  if (open_session != nullptr) return open_session->flags();
  StoreFlags named = flags;
  if (const std::string dolmen = variable("DOLMEN_ENDPOINT"); !dolmen.empty())
    named.endpoint = dolmen;
  else if (const std::string directory = variable("DOLMEN_DATA"); !directory.empty())
    named.data = directory;
  else if (const std::string dynamodb = variable("AWS_ENDPOINT_URL_DYNAMODB"); !dynamodb.empty())
    named.endpoint = dynamodb;
  else
    named.endpoint = variable("AWS_ENDPOINT_URL");
  return named;
}

std::string table_keys_file() { return variable("DOLMEN_TABLE_KEYS"); }

std::string store_name(const StoreFlags& flags) {
  const StoreFlags named = with_environment(flags);
  return named.memory ? "memory" : named.endpoint.empty() ? named.data : named.endpoint;
}

unsigned batches_at_a_time(const StoreFlags& flags, unsigned connections) {
  constexpr unsigned kOverNetwork = 16;
  constexpr unsigned kInProcess = 128;
  if (connections != 0) return connections;
  return with_environment(flags).endpoint.empty() ? kInProcess : kOverNetwork;
}

namespace {

Result<std::unique_ptr<Store>> open_named(const StoreFlags& flags) {
  if (open_session != nullptr && name_session_store(flags, open_session->flags())) {
    Store& store = open_session->store();
    return std::make_unique<Store>(until_stopped(store.service(), std::stop_token()), store.companions(),
                                   store.executor());
  }
  if (flags.memory) return open("memory:");
  if (flags.endpoint.empty() && !table_keys_file().empty())
    return open_embedded({.directory = flags.data, .table_keys = table_keys_file()});
  if (flags.endpoint.empty()) return open("file:" + flags.data);
  // Anything else would be a directory, and `open` would create it.
  if (std::ranges::none_of(kRemote, [&](std::string_view scheme) { return flags.endpoint.starts_with(scheme); }))
    return fail(Code::kInvalidArgument,
                "--endpoint: \"{}\" is not the address of a server; try \"http://127.0.0.1:8000\" or \"aws:eu-west-1\"",
                flags.endpoint);
  return open(flags.endpoint);
}

}  // namespace

Result<std::unique_ptr<Store>> open_or_create_store(const StoreFlags& flags) {
  return open_named(with_environment(flags));
}

Result<std::unique_ptr<Store>> open_store(const StoreFlags& flags) {
  const StoreFlags named = with_environment(flags);
  if (!named.memory && named.endpoint.empty()) DOLMEN_TRY_VOID(check_that_store_exists(named.data));
  return open_named(named);
}

// ---- Sessions ----

Result<std::unique_ptr<StoreSession>> StoreSession::open(const StoreFlags& flags, bool create) {
  StoreFlags named = with_environment(flags);
  named.named = true;
  named.data_option.reset();
  named.endpoint_option.reset();
  DOLMEN_TRY(std::unique_ptr<Store> store, create ? open_or_create_store(named) : open_store(named));
  return std::unique_ptr<StoreSession>(new StoreSession(std::move(named), std::move(store)));
}

StoreSession::StoreSession(StoreFlags flags, std::unique_ptr<Store> store)
    : flags_(std::move(flags)), store_(std::move(store)) {
  DOLMEN_CHECK(open_session == nullptr, "there is one session at a time");
  open_session = this;
}

StoreSession::~StoreSession() { open_session = nullptr; }

}  // namespace dolmen::cli
