#pragma once

#include <memory>
#include <string>

#include "dolmen/store.h"

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Which store a verb works on.
struct StoreFlags {
  std::string data;
  std::string endpoint;
  bool memory = false;
};

/// Adds --data, --endpoint and --memory, of which at most one can be given.
void add_store_flags(CLI::App& verb, StoreFlags& flags);

/// The store that the flags name; `fallback` when they name none.
Result<std::unique_ptr<Store>> open_store(const StoreFlags& flags, const std::string& fallback);

/// The same as open_store for a verb that only looks: a directory without a store is an error, and stays as it is.
Result<std::unique_ptr<Store>> open_existing_store(const StoreFlags& flags);

}  // namespace dolmen::cli
