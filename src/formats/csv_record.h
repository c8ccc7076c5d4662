#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

/// Records of comma-separated values (RFC 4180), perhaps with another character for the comma.
namespace dolmen::formats {

/// A field is nothing when it is empty and has no quotes.
using CsvRecord = std::vector<std::optional<std::string>>;

/// Whether the text ends inside a quoted field, so that the record goes on in the next line.
bool is_open_record(std::string_view text);

/// Splits a record. Fails with kValidation.
Result<CsvRecord> parse_record(std::string_view text, char delimiter = ',');

}  // namespace dolmen::formats
