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

/// The flags, or, when none of them was given, what the environment says: DOLMEN_ENDPOINT, DOLMEN_DATA,
/// AWS_ENDPOINT_URL_DYNAMODB or AWS_ENDPOINT_URL, the first that is set and not empty.
StoreFlags with_environment(const StoreFlags& flags);

/// How a message names the store: "./data", "http://…" or "memory".
std::string store_name(const StoreFlags& flags);

/// Opens the store that the flags or the environment name, for a verb that reads, or that changes what exists. Creates
/// nothing: a directory that is missing or empty is kDirectoryUnusable, and stays as it is.
Result<std::unique_ptr<Store>> open_store(const StoreFlags& flags);

/// The same for a verb that makes what it needs: a missing directory is created.
Result<std::unique_ptr<Store>> open_or_create_store(const StoreFlags& flags);

}  // namespace dolmen::cli
