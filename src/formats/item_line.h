#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "value/encoded_item.h"

/// The lines of which exports and imports of DynamoDB are made.
namespace dolmen::formats {

enum class LineForm : std::uint8_t { kDynamoJson, kIon };

/// Appends {"Item": ...} or $ion_1_0 {Item: ...}, and the end of the line. Fails with kCorruption for bytes that are
/// not an item.
Result<void> append_item_line(std::string& out, std::string_view item, LineForm form);

/// What became of an item in the period of an incremental export.
struct ChangeLine {
  std::int64_t written_micros = 0;
  EncodedItem keys;
  std::optional<EncodedItem> new_image;
  std::optional<EncodedItem> old_image;
};
Result<void> append_change_line(std::string& out, const ChangeLine& change, LineForm form);

/// An item to be put, perhaps on a condition.
struct PutLine {
  EncodedItem item;
  std::optional<std::string> condition = std::nullopt;
  std::map<std::string, std::string, std::less<>> names = {};
  Item values = {};
};
/// Reads a line that `append_item_line` may have written, or one with a ConditionExpression beside the item. Fails with
/// kValidation or kSerialization. The size of the item is not checked, nor its keys.
Result<PutLine> parse_put_line(std::string_view line, LineForm form);

}  // namespace dolmen::formats
