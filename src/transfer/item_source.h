#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/value.h"
#include "transfer/csv.h"
#include "transfer/format.h"

struct gzFile_s;

namespace dolmen::transfer {

/// A record of a file, which is an item unless something is wrong with it.
struct Incoming {
  Item item;
  std::string text;
  /// Where the record begins: a file, and a line counted from 1.
  std::string file;
  std::uint64_t line = 0;
  std::optional<Error> problem;
};

/// A place between two records: the number of a file, and how much of what it holds comes before.
struct SourcePosition {
  std::uint64_t file = 0;
  std::uint64_t offset = 0;
  std::uint64_t lines = 0;
};

/// Closes a file of zlib.
struct CloseGzip {
  void operator()(gzFile_s* file) const;
};

/// The items of a file, or of all data files of an export by AWS, one after the other, in memory that does not depend
/// on their length. Files may be compressed by gzip.
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
  /// Of all files as they are on disk, in bytes; 0 when it is not known.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// How much of that has been read.
  [[nodiscard]] std::uint64_t consumed() const;

 private:
  ItemSource(std::string path, Format format, const TableDefinition& table)
      : path_(std::move(path)), format_(format), table_(table) {}

  Result<void> start(SourcePosition from);
  Result<void> open_file(std::size_t number);
  Result<void> read_header();
  Result<std::size_t> read_more(std::size_t kept);
  Result<bool> next_line(std::string& line);
  Result<bool> next_record(std::string& record);
  [[nodiscard]] Result<Item> parse(const std::string& record) const;
  [[nodiscard]] const std::string& current() const { return files_[position_.file]; }

  std::string path_;
  Format format_;
  TableDefinition table_;
  std::vector<std::string> files_;
  std::unique_ptr<gzFile_s, CloseGzip> file_;
  std::string buffer_;
  std::size_t at_ = 0;
  SourcePosition position_;
  std::uint64_t size_ = 0;
  /// Sizes of the files before the current one.
  std::uint64_t size_before_ = 0;
  std::vector<CsvColumn> columns_;
};

}  // namespace dolmen::transfer
