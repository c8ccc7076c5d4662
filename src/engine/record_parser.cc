#include "engine/record_parser.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/fail.h"
#include "base/unicode.h"
#include "formats/csv_record.h"
#include "value/item_rules.h"

namespace dolmen::engine {
namespace {

Result<AttributeValue> csv_value(const KeyAttribute& column, const std::string& field) {
  if (column.type == KeyType::kString) return AttributeValue(field);
  if (column.type == KeyType::kNumber) {
    DOLMEN_TRY(Number number, Number::parse(field));
    return AttributeValue(number);
  }
  Result<std::string> bytes = decode_base64(field);
  if (!bytes) return fail(Code::kValidation, "The attribute {} is not base64", column.name);
  return AttributeValue(Bytes(*std::move(bytes)));
}

}  // namespace

RecordParser::RecordParser(const TableDefinition& table, ItemFormat format, const CsvInput& csv)
    : format_(format), csv_(csv), delimiter_(csv.delimiter ? csv.delimiter->front() : ',') {
  typed_.push_back(table.partition_key);
  if (table.sort_key) typed_.push_back(*table.sort_key);
  for (const IndexDefinition& index : table.global_indexes) {
    typed_.insert(typed_.end(), index.partition_keys.begin(), index.partition_keys.end());
    typed_.insert(typed_.end(), index.sort_keys.begin(), index.sort_keys.end());
  }
  for (const VectorIndexDefinition& index : table.vector_indexes)
    for (const SearchAttribute& attribute : index.search) typed_.push_back({attribute.name, attribute.type});
}

Result<formats::PutLine> RecordParser::parse(std::string_view text, const std::string& header) {
  if (format_ == ItemFormat::kCsv) return parse_csv(text, header);
  return formats::parse_put_line(
      text, format_ == ItemFormat::kIon ? formats::LineForm::kIon : formats::LineForm::kDynamoJson);
}

Result<void> RecordParser::read_header(const std::string& header) {
  if (!columns_.empty() && header == header_) return {};
  std::vector<std::string> names = csv_.header;
  if (names.empty()) {
    DOLMEN_TRY(const formats::CsvRecord record, formats::parse_record(header, delimiter_));
    for (const std::optional<std::string>& name : record) {
      if (!name || name->empty()) return fail(Code::kValidation, "The header has a column without a name");
      names.push_back(*name);
    }
  }
  std::vector<KeyAttribute> columns;
  for (std::string& name : names) {
    if (std::ranges::find(columns, name, &KeyAttribute::name) != columns.end())
      return fail(Code::kValidation, "The header names the column {} twice", name);
    const auto typed = std::ranges::find(typed_, name, &KeyAttribute::name);
    const KeyType type = typed == typed_.end() ? KeyType::kString : typed->type;
    columns.push_back({std::move(name), type});
  }
  columns_ = std::move(columns);
  header_ = header;
  return {};
}

Result<formats::PutLine> RecordParser::parse_csv(std::string_view text, const std::string& header) {
  if (!is_utf8(text) || !is_utf8(header)) return fail(Code::kValidation, "The line is not UTF-8");
  DOLMEN_TRY_VOID(read_header(header));
  DOLMEN_TRY(const formats::CsvRecord record, formats::parse_record(text, delimiter_));
  if (record.size() != columns_.size())
    return fail(Code::kValidation, "The line has {} fields, and the header has {}", record.size(), columns_.size());
  Item item;
  item.reserve(columns_.size());
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (!record[i]) continue;
    DOLMEN_TRY(AttributeValue value, csv_value(columns_[i], *record[i]));
    item.set(columns_[i].name, std::move(value));
  }
  DOLMEN_TRY_VOID(check_item_rules(item));
  return formats::PutLine{.item = encode_item(item)};
}

}  // namespace dolmen::engine
