#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "formats/item_line.h"
#include "service/transfer_requests.h"

namespace dolmen::engine {

/// Makes items of the records of imports and bulk operations.
class RecordParser {
 public:
  /// `csv` is only for CSV.
  RecordParser(const TableDefinition& table, ItemFormat format, const CsvInput& csv = {});

  /// Whether the first record of an object is its header.
  [[nodiscard]] bool wants_header() const { return format_ == ItemFormat::kCsv && csv_.header.empty(); }

  /// `header` is that of the object, where one is wanted. Fails with kValidation or kSerialization. Neither the size
  /// nor the keys are checked.
  Result<formats::PutLine> parse(std::string_view text, const std::string& header);

 private:
  Result<formats::PutLine> parse_csv(std::string_view text, const std::string& header);
  Result<void> read_header(const std::string& header);

  const ItemFormat format_;
  const CsvInput csv_;
  const char delimiter_;
  /// The key attributes of the table and its indexes; all others become texts.
  std::vector<KeyAttribute> typed_;
  /// The columns, and the header of which they are.
  std::string header_;
  std::vector<KeyAttribute> columns_;
};

}  // namespace dolmen::engine
