#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "engine/table.h"

/// A table as the catalogue stores it: an encoded item. Attributes that older versions did not write have defaults.
namespace dolmen::engine {

std::string encode_table(const Table& table);

/// Fails with kCorruption; `key` names the row in the message.
Result<Table> decode_table(std::string_view key, std::string_view bytes);

}  // namespace dolmen::engine
