#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dolmen/error.h"
#include "dolmen/store.h"
#include "transfer/format.h"

namespace dolmen::transfer {

struct ExportOptions {
  /// A file, which must not exist, or "-" for the standard output.
  std::string to;
  Format format = Format::kPlain;
  /// With kPlain: write sets as lists and bytes as texts, instead of refusing them.
  bool lossy = false;
  /// A file that says how far the export is. When it exists, the export goes on there; at the end it is removed.
  std::string resume = {};
  /// Parts of the table that are read at a time; 1 keeps the order of the table. A resumed export keeps its own.
  unsigned segments = 4;
  /// Called now and then, by one thread at a time.
  std::function<void(const Progress&)> progress = {};
};

struct ExportResult {
  std::uint64_t items = 0;
};

/// Writes all items of a table to a file. Until everything is written the file has the name with ".part" appended.
/// Fails with kIo for files, with kValidation for an item that the format cannot hold, and with what the store says.
/// A name that ends in .gz makes a compressed file. Without `resume` a failed export leaves nothing behind.
Result<ExportResult> export_items(Store& store, const TableDescription& table, const ExportOptions& options);

}  // namespace dolmen::transfer
