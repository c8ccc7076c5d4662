#pragma once

#include <memory>
#include <string>

#include "cli/store_flags.h"
#include "dolmen/store.h"

namespace dolmen::cli {

/// A table and the store that it is in.
struct OpenedTable {
  std::unique_ptr<Store> store;
  TableDescription table;
};

/// Opens a store that exists and finds the table in it. When there is no such table, the error says which one was
/// probably meant, or how to create it.
Result<OpenedTable> open_table(const StoreFlags& flags, const std::string& name);

/// The description of a table in a store that is open; fails as `open_table` does.
Result<TableDescription> described_table(Store& store, const StoreFlags& flags, const std::string& name);

/// Asks the person at the terminal, unless `yes`. Fails with kCanceled when the answer is no, and with kInvalidArgument
/// when nobody can be asked.
Result<void> confirm(const std::string& question, bool yes);

}  // namespace dolmen::cli
