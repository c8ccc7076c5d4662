#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/value.h"
#include "formats/csv_record.h"

/// Items as comma-separated values (RFC 4180). The first record names the attributes, with a type behind a colon where
/// they are not texts: `topic,written:N,draft:BOOL,tags:JSON`. The types are S, N, B (base64), BOOL, and JSON for plain
/// JSON of any kind. A key attribute without a type has that of the table. An empty field means that the item has no
/// such attribute; an empty text is written as "".
namespace dolmen::transfer {

using formats::CsvRecord;
using formats::is_open_record;
using formats::parse_record;

enum class CsvType : std::uint8_t { kString, kNumber, kBinary, kBool, kJson };

struct CsvColumn {
  std::string name;
  CsvType type = CsvType::kString;

  friend bool operator==(const CsvColumn&, const CsvColumn&) = default;
};

/// Reads the first record. Fails with kValidation.
Result<std::vector<CsvColumn>> parse_header(std::string_view text, const TableDefinition& table);
/// Reads the record of an item. Fails with kValidation.
Result<Item> parse_csv_item(std::string_view text, std::span<const CsvColumn> columns);

/// The columns that hold all attributes of these items, the key attributes first.
std::vector<CsvColumn> columns_for(const std::vector<Item>& items, const TableDefinition& table);
void append_header(std::string& out, std::span<const CsvColumn> columns);
/// Fails with kValidation for an attribute that has no column, or does not fit it.
Result<void> append_csv_item(std::string& out, const Item& item, std::span<const CsvColumn> columns);

}  // namespace dolmen::transfer
