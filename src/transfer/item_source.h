#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file_writer.h"
#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/value.h"
#include "transfer/csv.h"
#include "transfer/format.h"

namespace dolmen::transfer {

/// A record of a file, which is an item unless something is wrong with it.
struct Incoming {
  Item item;
  std::string text;
  /// Where the record begins, counted from 1.
  std::uint64_t line = 0;
  std::optional<Error> problem;
};

/// A place between two records of a file.
struct SourcePosition {
  std::uint64_t offset = 0;
  std::uint64_t lines = 0;
};

/// The items of a file, one after the other, in memory that does not depend on its length.
class ItemSource {
 public:
  /// Begins at a position that an earlier source has returned. "-" is the standard input, which has no positions. Fails
  /// with kIo, and with kValidation for a CSV file whose first line cannot be read.
  static Result<std::unique_ptr<ItemSource>> open(const std::string& path, Format format, const TableDefinition& table,
                                                  SourcePosition from = {});

  /// False at the end. Empty lines are passed over. Every item has been checked (transfer/item_check.h). Fails with
  /// kIo.
  Result<bool> next(Incoming& incoming);

  /// After the last record.
  [[nodiscard]] SourcePosition position() const { return position_; }
  /// In bytes; 0 when it is not known.
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  ItemSource(std::string path, Format format, const TableDefinition& table)
      : path_(std::move(path)), format_(format), table_(table) {}

  Result<void> start(SourcePosition from);
  Result<bool> next_line(std::string& line);
  Result<bool> next_record(std::string& record);
  [[nodiscard]] Result<Item> parse(const std::string& record) const;

  std::string path_;
  Format format_;
  TableDefinition table_;
  FileDescriptor owned_;
  int file_ = -1;
  std::string buffer_;
  std::size_t at_ = 0;
  SourcePosition position_;
  std::uint64_t size_ = 0;
  std::vector<CsvColumn> columns_;
};

}  // namespace dolmen::transfer
