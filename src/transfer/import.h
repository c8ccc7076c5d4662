#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/store.h"
#include "transfer/format.h"

namespace dolmen::transfer {

struct ImportOptions {
  /// A file, or "-" for the standard input.
  std::string from;
  Format format = Format::kPlain;
  /// Only reads the file and says what is wrong with it.
  bool dry_run = false;
  /// A file for records that are not items of the table, each as a line of JSON with its line, text and problem.
  /// Without it the first such record ends the import.
  std::string rejected = {};
  /// A file that says how far the import is. When it exists, the import goes on there; at the end it is removed.
  std::string resume = {};
  /// Batches that are written at a time.
  unsigned connections = 16;
  /// Called now and then by the thread that imports.
  std::function<void(const Progress&)> progress = {};
};

struct ImportResult {
  /// Written, or with `dry_run` found to be items.
  std::uint64_t items = 0;
  std::uint64_t rejected = 0;
  /// Items that an earlier, interrupted import had written.
  std::uint64_t before = 0;
  /// What is wrong, for the first of the rejected records.
  std::vector<std::string> problems = {};
};

/// Puts the items of a file into a table. Of items with the same key the last one stays. Memory does not depend on the
/// length of the file. Fails with kIo for files, with kValidation for a record that is not an item of the table, and
/// with what the store says. Items that were read before a failure may have been written; importing again writes the
/// same.
Result<ImportResult> import_items(Store& store, const TableDefinition& table, const ImportOptions& options);

}  // namespace dolmen::transfer
