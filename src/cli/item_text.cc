#include "cli/item_text.h"

#include "base/fail.h"
#include "base/limits.h"
#include "cli/document_flags.h"
#include "transfer/plain_json.h"
#include "value/json.h"

namespace dolmen::cli {
namespace {

/// An item is at most 400 KB, and its JSON a few times that.
constexpr std::size_t kInputBytes = 16 * limits::kItemBytes;

Result<Item> parsed_item(const std::string& text, bool typed) {
  if (!typed) return transfer::parse_plain_item(text);
  DOLMEN_TRY(const EncodedItem encoded, json::parse_item(text));
  return decode_item(encoded.bytes);
}

std::unexpected<Error> not_readable(const std::string& what, bool typed, const Error& error) {
  return fail(Code::kInvalidArgument, "{} is not {}: {}", what, typed ? "DynamoDB JSON" : "a JSON object",
              error.message());
}

}  // namespace

Result<Item> read_item(const std::string& text, bool typed, const std::string& what, const TableDefinition& table) {
  Result<Item> item = parsed_item(text, typed);
  if (!item) return not_readable(what, typed, item.error());
  if (!typed) DOLMEN_TRY_VOID(transfer::restore_binary_keys(*item, table));
  return item;
}

Result<AttributeValue> read_value(const std::string& text, bool typed, const std::string& what) {
  if (typed) {
    const Result<Item> item = parsed_item("{\"value\":" + text + "}", true);
    if (!item) return not_readable(what, true, item.error());
    return item->at("value");
  }
  Result<AttributeValue> value = transfer::parse_plain_value(text);
  if (!value)
    return fail(Code::kInvalidArgument, "{} is not JSON: {}; a text stands in double quotes", what,
                value.error().message());
  return value;
}

std::string item_text(const Item& item, bool typed) { return typed ? json::to_text(item) : transfer::plain_text(item); }

Result<std::string> text_or_input(const std::string& argument) {
  if (argument != "-") return argument;
  return read_input("-", kInputBytes);
}

Item key_of(const Item& item, const TableDefinition& table) {
  Item key;
  if (const AttributeValue* value = item.find(table.partition_key.name)) key.set(table.partition_key.name, *value);
  if (table.sort_key)
    if (const AttributeValue* value = item.find(table.sort_key->name)) key.set(table.sort_key->name, *value);
  return key;
}

}  // namespace dolmen::cli
