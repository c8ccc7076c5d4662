#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/command_line.h"
#include "dolmen/store.h"

namespace dolmen::cli {

/// Which store a verb works on.
struct StoreFlags {
  std::string data = "./data";
  std::string endpoint;
  bool memory = false;
  /// Somebody has chosen it, and the environment has no say.
  bool named = false;
  /// The options themselves, to know whether they were given.
  std::optional<Option> data_option = std::nullopt;
  std::optional<Option> endpoint_option = std::nullopt;
};

/// Adds --data, --endpoint and --memory, of which at most one can be given. Returns --endpoint.
Option add_store_flags(const Verb& verb, StoreFlags& flags);

/// The flags, or, when none of them was given, those of the session, or what the environment says: DOLMEN_ENDPOINT,
/// DOLMEN_DATA, AWS_ENDPOINT_URL_DYNAMODB or AWS_ENDPOINT_URL, the first that is set and not empty.
StoreFlags with_environment(const StoreFlags& flags);

/// Keeps a store open for the verbs that run while this lives, as in a shell: those that name no store, or this one,
/// use it. One at a time; verbs must have ended before it ends.
class StoreSession {
 public:
  /// Opens the store that the flags or the environment name. Creates a missing directory only with `create`.
  static Result<std::unique_ptr<StoreSession>> open(const StoreFlags& flags, bool create);
  ~StoreSession();
  StoreSession(const StoreSession&) = delete;
  StoreSession& operator=(const StoreSession&) = delete;

  [[nodiscard]] Store& store() const { return *store_; }
  [[nodiscard]] const StoreFlags& flags() const { return flags_; }

 private:
  StoreSession(StoreFlags flags, std::unique_ptr<Store> store);

  StoreFlags flags_;
  std::unique_ptr<Store> store_;
};

/// The file of keys that encrypt tables, for stores that a verb opens itself: DOLMEN_TABLE_KEYS. Empty when it is not
/// set.
std::string table_keys_file();

/// How a message names the store: "./data", "http://…" or "memory".
std::string store_name(const StoreFlags& flags);

/// How many batches a verb writes at a time, unless it was told (`connections` is not 0): in this process as many as
/// share a sync well, and over the network one for each connection.
unsigned batches_at_a_time(const StoreFlags& flags, unsigned connections);

/// Fails with kDirectoryUnusable, and says what to do, when there is no directory or an empty one.
Result<void> check_that_store_exists(const std::string& directory);

/// Opens the store that the flags or the environment name, for a verb that reads, or that changes what exists. Creates
/// nothing: a directory that is missing or empty is kDirectoryUnusable, and stays as it is.
Result<std::unique_ptr<Store>> open_store(const StoreFlags& flags);

/// The same for a verb that makes what it needs: a missing directory is created.
Result<std::unique_ptr<Store>> open_or_create_store(const StoreFlags& flags);

}  // namespace dolmen::cli
