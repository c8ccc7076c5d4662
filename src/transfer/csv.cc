#include "transfer/csv.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/base64.h"
#include "base/fail.h"
#include "transfer/plain_json.h"

namespace dolmen::transfer {
namespace {

struct CsvTypeName {
  std::string_view name;
  CsvType type;
};

constexpr std::array<CsvTypeName, 5> kCsvTypes{{{"S", CsvType::kString},
                                                {"N", CsvType::kNumber},
                                                {"B", CsvType::kBinary},
                                                {"BOOL", CsvType::kBool},
                                                {"JSON", CsvType::kJson}}};

const CsvTypeName* type_behind_colon(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return nullptr;
  const auto found = std::ranges::find(kCsvTypes, name.substr(colon + 1), &CsvTypeName::name);
  return found == kCsvTypes.end() ? nullptr : &*found;
}

std::vector<KeyAttribute> table_keys(const TableDefinition& table) {
  std::vector<KeyAttribute> keys{table.partition_key};
  if (table.sort_key) keys.push_back(*table.sort_key);
  return keys;
}

CsvType csv_type_of(KeyType type) {
  return type == KeyType::kString ? CsvType::kString : type == KeyType::kNumber ? CsvType::kNumber : CsvType::kBinary;
}

/// The type that holds a value and gives it back as it is.
CsvType csv_type_of(const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString: return CsvType::kString;
    case Type::kNumber: return CsvType::kNumber;
    case Type::kBinary: return CsvType::kBinary;
    case Type::kBool: return CsvType::kBool;
    default: return CsvType::kJson;
  }
}

Result<AttributeValue> field_value(const std::string& field, const CsvColumn& column) {
  const auto refuse = [&](std::string_view what) {
    return fail(Code::kValidation, "{}: \"{}\" is not {}", column.name, field, what);
  };
  switch (column.type) {
    case CsvType::kString: return AttributeValue(field);
    case CsvType::kNumber: {
      Result<Number> number = Number::parse(field);
      return number ? Result<AttributeValue>(AttributeValue(*std::move(number))) : refuse("a number");
    }
    case CsvType::kBinary: {
      Result<std::string> bytes = decode_base64(field);
      return bytes ? Result<AttributeValue>(AttributeValue(Bytes(*std::move(bytes)))) : refuse("base64");
    }
    case CsvType::kBool:
      if (field != "true" && field != "false") return refuse("true or false");
      return AttributeValue(field == "true");
    case CsvType::kJson: break;
  }
  Result<AttributeValue> value = parse_plain_value(field);
  if (!value) return fail(Code::kValidation, "{}: {}", column.name, value.error().message());
  return value;
}

void append_field(std::string& out, std::string_view field) {
  if (!field.empty() && field.find_first_of(",\"\r\n") == std::string_view::npos && field.front() != ' ' &&
      field.back() != ' ') {
    out += field;
    return;
  }
  out.push_back('"');
  for (const char c : field) out.append(c == '"' ? 2 : 1, c);
  out.push_back('"');
}

std::string field_text(const AttributeValue& value, CsvType type) {
  if (type != CsvType::kJson && value.type() == Type::kString) return value.string();
  if (value.type() == Type::kBinary) return encode_base64(value.binary().view());
  std::string text;
  append_plain(text, value);
  return text;
}

}  // namespace

Result<std::vector<CsvColumn>> parse_header(std::string_view text, const TableDefinition& table) {
  DOLMEN_TRY(const CsvRecord names, parse_record(text));
  std::vector<CsvColumn> columns;
  for (const std::optional<std::string>& name : names) {
    if (!name) return fail(Code::kValidation, "the first line has a column without a name");
    const CsvTypeName* typed = type_behind_colon(*name);
    CsvColumn column{.name = typed == nullptr ? *name : name->substr(0, name->rfind(':'))};
    if (typed != nullptr) column.type = typed->type;
    for (const KeyAttribute& key : table_keys(table))
      if (typed == nullptr && key.name == column.name) column.type = csv_type_of(key.type);
    if (std::ranges::find(columns, column.name, &CsvColumn::name) != columns.end())
      return fail(Code::kValidation, "the first line names \"{}\" twice", column.name);
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<Item> parse_csv_item(std::string_view text, std::span<const CsvColumn> columns) {
  DOLMEN_TRY(const CsvRecord record, parse_record(text));
  if (record.size() != columns.size())
    return fail(Code::kValidation, "there are {} fields, and {} columns", record.size(), columns.size());
  Item item;
  item.reserve(columns.size());
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (!record[i]) continue;
    DOLMEN_TRY(AttributeValue value, field_value(*record[i], columns[i]));
    item.set(columns[i].name, std::move(value));
  }
  return item;
}

std::vector<CsvColumn> columns_for(const std::vector<Item>& items, const TableDefinition& table) {
  std::vector<CsvColumn> columns;
  for (const KeyAttribute& key : table_keys(table))
    columns.push_back({.name = key.name, .type = csv_type_of(key.type)});
  const std::size_t keys = columns.size();
  std::map<std::string, CsvType> others;
  for (const Item& item : items)
    for (const auto& [name, value] : item) {
      if (std::ranges::find(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(keys), name,
                            &CsvColumn::name) != columns.begin() + static_cast<std::ptrdiff_t>(keys))
        continue;
      const auto [known, is_new] = others.try_emplace(name, csv_type_of(value));
      if (!is_new && known->second != csv_type_of(value)) known->second = CsvType::kJson;
    }
  for (const auto& [name, type] : others) columns.push_back({.name = name, .type = type});
  return columns;
}

void append_header(std::string& out, std::span<const CsvColumn> columns) {
  for (const CsvColumn& column : columns) {
    if (&column != columns.data()) out.push_back(',');
    std::string name = column.name;
    // A text needs no type, unless its name looks as if it had one.
    if (column.type != CsvType::kString || type_behind_colon(name) != nullptr)
      name.append(":").append(std::ranges::find(kCsvTypes, column.type, &CsvTypeName::type)->name);
    append_field(out, name);
  }
  out.push_back('\n');
}

Result<void> append_csv_item(std::string& out, const Item& item, std::span<const CsvColumn> columns) {
  std::size_t written = 0;
  for (const CsvColumn& column : columns) {
    if (&column != columns.data()) out.push_back(',');
    const AttributeValue* value = item.find(column.name);
    if (value == nullptr) continue;
    ++written;
    if (column.type != CsvType::kJson && csv_type_of(*value) != column.type)
      return fail(Code::kValidation, "an item has another type of \"{}\" than the first ones; export it with --typed",
                  column.name);
    append_field(out, field_text(*value, column.type));
  }
  out.push_back('\n');
  if (written == item.size()) return {};
  for (const auto& [name, value] : item)
    if (std::ranges::find(columns, name, &CsvColumn::name) == columns.end())
      return fail(Code::kValidation,
                  "an item has the attribute \"{}\", which the first ones have not; export it with --typed", name);
  return {};
}

}  // namespace dolmen::transfer
