#pragma once

#include <memory>
#include <string>

#include "cli/command_line.h"
#include "dolmen/store.h"

namespace dolmen::cli {

/// Which store a verb works on.
struct StoreFlags {
  std::string data = "./data";
  std::string endpoint;
  bool memory = false;
};

/// Adds --data, --endpoint and --memory, of which at most one can be given. Returns --endpoint.
Option add_store_flags(const Verb& verb, StoreFlags& flags);

/// Opens the store that the flags name, for a verb that reads, or that changes what exists. Creates nothing: a
/// directory that is missing or empty is kDirectoryUnusable, and stays as it is.
Result<std::unique_ptr<Store>> open_store(const StoreFlags& flags);

/// The same for a verb that makes what it needs: a missing directory is created.
Result<std::unique_ptr<Store>> open_or_create_store(const StoreFlags& flags);

}  // namespace dolmen::cli
