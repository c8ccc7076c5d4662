#include "dolmen/model/cursor.h"

#include <algorithm>

#include "base/base64.h"
#include "base/fail.h"
#include "model/cursor_text.h"
#include "model/json_text.h"
#include "model/types.h"

namespace dolmen {

namespace {

constexpr std::string_view kAscending = "ASC";
constexpr std::string_view kDescending = "DESC";

/// Keys have at most 3 KB each; escapes and base64 make that larger, but not so large.
constexpr std::size_t kCursorBytes = 256 * 1024;

std::string_view sort_text(const std::optional<SortOrder>& order) {
  if (!order) return {};
  return *order == SortOrder::kAscending ? kAscending : kDescending;
}

std::unexpected<Error> invalid(std::string_view why) { return fail(Code::kInvalidOperator, "invalid cursor: {}", why); }

/// The form of base64 that `decode_base64` takes, from whichever form an implementation writes.
std::string normal_base64(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = std::min(text.find_first_not_of(kSpace), text.size());
  text.remove_prefix(first);
  text = text.substr(0, text.find_last_not_of(kSpace) + 1);
  std::string normal(text.substr(0, text.find_last_not_of('=') + 1));
  const std::size_t padding = text.size() - normal.size();
  std::ranges::replace(normal, '+', '-');
  std::ranges::replace(normal, '/', '_');
  // What is padded wrongly stays wrong; only what is not padded at all is padded here.
  normal.append(padding > 0 ? padding : (4 - normal.size() % 4) % 4, '=');
  return normal;
}

Result<config::Node> read_cursor(std::string_view text) {
  if (text.size() > kCursorBytes) return invalid(fmt::format("it is longer than {} bytes", kCursorBytes));
  const std::string base64 = normal_base64(text);
  if (base64.empty()) return invalid("it is empty");
  const Result<std::string> json = decode_base64(base64, Base64::kUrl);
  if (!json) return invalid("it is not base64");
  Result<config::Node> root = read_json_text(*json);
  if (!root) return invalid(root.error().message());
  return root;
}

std::unexpected<Error> misused(std::string_view what, std::string_view cursor, std::string_view use) {
  return fail(Code::kInvalidOperator, "the cursor belongs to another read: its {} is {}, but this one's is {}", what,
              cursor.empty() ? "none" : cursor, use.empty() ? "none" : use);
}

std::vector<KeyAttribute> key_attributes(const Model& model, const ModelIndex* index) {
  std::vector<KeyAttribute> keys;
  const auto add = [&](const KeyAttribute& key) {
    if (std::ranges::find(keys, key.name, &KeyAttribute::name) == keys.end()) keys.push_back(key);
  };
  add(model.partition_key);
  if (model.sort_key) add(*model.sort_key);
  if (index != nullptr) {
    add(index->partition_key);
    if (index->sort_key) add(*index->sort_key);
  }
  return keys;
}

Result<void> check_keys(const Item& last_key, const std::vector<KeyAttribute>& keys) {
  for (const KeyAttribute& key : keys) {
    const AttributeValue* value = last_key.find(key.name);
    if (value == nullptr)
      return fail(Code::kInvalidOperator, "the cursor belongs to another read: it lacks the key attribute {}",
                  key.name);
    if (value->type() != type_of(key.type))
      return fail(Code::kInvalidOperator, "the cursor belongs to another read: its {} is of type {}, not {}", key.name,
                  type_name(value->type()), key_type_name(key.type));
  }
  for (const auto& [name, value] : last_key) {
    if (std::ranges::find(keys, name, &KeyAttribute::name) == keys.end())
      return fail(Code::kInvalidOperator, "the cursor belongs to another read: {} is not an attribute of this key",
                  name);
  }
  return {};
}

}  // namespace

std::string encode_cursor_text(const CursorText& cursor) {
  if (cursor.last_key.empty()) return {};
  std::string json = R"({"lastKey":)";
  append_go_json(json, cursor.last_key);
  if (!cursor.index.empty()) {
    json.append(R"(,"index":)");
    append_go_string(json, cursor.index);
  }
  if (!cursor.sort.empty()) {
    json.append(R"(,"sort":)");
    append_go_string(json, cursor.sort);
  }
  json.push_back('}');
  return encode_base64(json, Base64::kUrl);
}

std::string encode_cursor(const Cursor& cursor) {
  return encode_cursor_text({.last_key = typed_value(AttributeValue(cursor.last_key)).map,
                             .index = cursor.index,
                             .sort = std::string(sort_text(cursor.order))});
}

Result<Cursor> decode_cursor(std::string_view text) {
  DOLMEN_TRY(const config::Node root, read_cursor(text));
  const config::Node* last_key = root.find("lastKey");
  if (last_key == nullptr) return invalid("it has no lastKey");
  const Result<TypedValue::Map> typed = parse_typed_map(*last_key);
  if (!typed) return invalid(typed.error().message());
  Result<Item> item = item_of(*typed);
  if (!item) return invalid(item.error().message());

  Cursor cursor{.last_key = std::move(*item)};
  using Kind = config::Node::Kind;
  if (const config::Node* index = root.find("index"); index != nullptr && index->kind == Kind::kString)
    cursor.index = index->text;
  if (const config::Node* sort = root.find("sort"); sort != nullptr && sort->kind == Kind::kString) {
    if (sort->text == kAscending) cursor.order = SortOrder::kAscending;
    if (sort->text == kDescending) cursor.order = SortOrder::kDescending;
  }
  return cursor;
}

Result<void> check_cursor(const Cursor& cursor, const Model& model, const CursorUse& use) {
  const ModelIndex* index = use.index.empty() ? nullptr : model.find_index(use.index);
  if (!use.index.empty() && index == nullptr)
    return fail(Code::kInvalidOperator, "the model {} has no index {}", model.name, use.index);
  // Go leaves the index out when it chose one by itself; then the key alone decides.
  // Whoever names the order names the index as well.
  if (cursor.index != use.index && (!cursor.index.empty() || cursor.order))
    return misused("index", cursor.index, use.index);
  if (cursor.order && cursor.order != use.order) return misused("order", sort_text(cursor.order), sort_text(use.order));
  return check_keys(cursor.last_key, key_attributes(model, index));
}

}  // namespace dolmen
