#include "engine/row_key.h"

#include <algorithm>
#include <cstring>

#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/limits.h"
#include "value/encoded_item.h"
#include "value/key_codec.h"

namespace dolmen::engine {
namespace {

Type value_type_of(KeyType type) {
  switch (type) {
    case KeyType::kString: return Type::kString;
    case KeyType::kNumber: return Type::kNumber;
    case KeyType::kBinary: return Type::kBinary;
  }
  return Type::kString;
}

Type type_of_encoded(std::string_view value) { return type_of(EncodedReader(value).take_tag()); }

std::unexpected<Error> no_match() {
  return fail(Code::kValidation, Reason::kKeyMismatch, "The provided key element does not match the schema");
}

/// The bytes of a string or binary value.
std::string_view bytes_of(std::string_view encoded_value) {
  EncodedReader reader(encoded_value);
  reader.take_tag();
  return reader.take_bytes();
}

std::string_view empty_kind(KeyType type) { return type == KeyType::kString ? "string" : "binary"; }

/// The value of a key attribute of an item to be stored.
Result<std::string_view> key_value_of_item(const KeyAttribute& attribute, std::string_view item, KeyWords words) {
  const std::optional<std::string_view> value = find_attribute(item, attribute.name);
  if (words == KeyWords::kOfBatch && (!value || !has_key_type(*value, attribute.type)))
    return fail(Code::kValidation, "The provided key element does not match the schema");
  if (!value)
    return fail(Code::kValidation, "One or more parameter values were invalid: Missing the key {} in the item",
                attribute.name);
  if (!has_key_type(*value, attribute.type))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Type mismatch for key {} expected: {} actual: {}",
                attribute.name, key_type_name(attribute.type), type_name(type_of_encoded(*value)));
  return *value;
}

Result<std::string_view> key_value_of_key(const KeyAttribute& attribute, std::string_view key) {
  const std::optional<std::string_view> value = find_attribute(key, attribute.name);
  if (!value || !has_key_type(*value, attribute.type)) return no_match();
  return *value;
}

/// `take` finds the value of a key attribute.
template <class Take>
Result<std::string> build(const Table& table, Take take) {
  DOLMEN_TRY(const std::string_view partition_value, take(table.keys.partition[0]));
  std::string_view sort_value;
  if (!table.keys.sort.empty()) {
    DOLMEN_TRY(sort_value, take(table.keys.sort[0]));
  }
  DOLMEN_TRY_VOID(check_key_length(table.keys.partition[0], partition_value, true));
  // Zeros of texts and the ends of both values take a little more than the values.
  constexpr std::size_t kOrderedOverhead = 16;
  std::string key;
  key.reserve(kRowPartitionAt + partition_value.size() + sort_value.size() + kOrderedOverhead);
  append_big_endian(key, table.id);
  append_big_endian(key, std::uint64_t{0});
  append_ordered_value(key, partition_value);
  const std::uint64_t hash = big_endian(hash64(std::string_view(key).substr(kRowPartitionAt)));
  std::memcpy(key.data() + kRowHashAt, &hash, sizeof(hash));
  if (!table.keys.sort.empty()) {
    DOLMEN_TRY_VOID(check_key_length(table.keys.sort[0], sort_value, false));
    append_ordered_value(key, sort_value);
  }
  return key;
}

/// Of the indexes that have an attribute among their keys, DynamoDB names the first by name.
std::string_view name_of_first_index(const Table& table, std::string_view attribute) {
  std::string_view first;
  for (const Index& index : table.live_indexes())
    for (const auto* keys : {&index.keys.partition, &index.keys.sort})
      if (std::ranges::count(*keys, attribute, &KeyAttribute::name) > 0 &&
          (first.empty() || index.definition.name < first))
        first = index.definition.name;
  return first;
}

bool is_empty_key(const KeyAttribute& attribute, std::string_view encoded_value) {
  return has_key_type(encoded_value, attribute.type) && attribute.type != KeyType::kNumber &&
         bytes_of(encoded_value).empty();
}

std::unexpected<Error> updated_to_empty(const KeyAttribute& attribute) {
  return fail(Code::kValidation, Reason::kEmptyKeyValue,
              "One or more parameter values are not valid. The update expression attempted to update a secondary "
              "index key to a value that is not supported. The AttributeValue for a key attribute cannot contain "
              "an empty {} value.",
              empty_kind(attribute.type));
}

/// Calls `check(attribute, partition)` for the key attributes of all indexes that are not keys of the table.
template <class Check>
Result<void> for_index_keys(const Table& table, Check check) {
  for (const Index& index : table.live_indexes())
    for (const auto* keys : {&index.keys.partition, &index.keys.sort})
      for (const KeyAttribute& attribute : *keys)
        if (!table.is_key(attribute.name)) DOLMEN_TRY_VOID(check(attribute, keys == &index.keys.partition));
  return {};
}

Result<void> check_index_key(const Table& table, const KeyAttribute& attribute, std::string_view item, bool partition) {
  const std::optional<std::string_view> value = find_attribute(item, attribute.name);
  if (!value) return {};
  if (!has_key_type(*value, attribute.type))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} Actual: {} "
                "IndexName: {}",
                attribute.name, key_type_name(attribute.type), type_name(type_of_encoded(*value)),
                name_of_first_index(table, attribute.name));
  if (attribute.type == KeyType::kNumber) return {};
  if (bytes_of(*value).empty())
    return fail(
        Code::kValidation, Reason::kEmptyKeyValue,
        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. "
        "The AttributeValue for a key attribute cannot contain an empty {} value. IndexName: {}, IndexKey: {}",
        empty_kind(attribute.type), name_of_first_index(table, attribute.name), attribute.name);
  return check_key_length(attribute, *value, partition);
}

/// True when a value can be the value of a key attribute. Cheaper than an error that says why not.
bool fits_key(const KeyAttribute& attribute, std::string_view encoded_value, bool partition) {
  if (!has_key_type(encoded_value, attribute.type)) return false;
  if (attribute.type == KeyType::kNumber) return true;
  const std::size_t size = bytes_of(encoded_value).size();
  return size > 0 && size <= static_cast<std::size_t>(partition ? limits::kPartitionKeyBytes : limits::kSortKeyBytes);
}

}  // namespace

bool has_key_type(std::string_view encoded_value, KeyType type) {
  return type_of_encoded(encoded_value) == value_type_of(type);
}

Result<void> check_key_length(const KeyAttribute& attribute, std::string_view encoded_value, bool partition) {
  if (attribute.type == KeyType::kNumber) return {};
  const std::string_view bytes = bytes_of(encoded_value);
  if (bytes.empty())
    return fail(Code::kValidation, Reason::kEmptyKeyValue,
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
                "empty {} value. Key: {}",
                empty_kind(attribute.type), attribute.name);
  if (partition && bytes.size() > limits::kPartitionKeyBytes)
    return fail(
        Code::kValidation,
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of{} bytes",
        limits::kPartitionKeyBytes);
  if (!partition && bytes.size() > limits::kSortKeyBytes)
    return fail(
        Code::kValidation,
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit "
        "of {} bytes",
        limits::kSortKeyBytes);
  return {};
}

void append_ordered_value(std::string& out, std::string_view encoded_value) {
  EncodedReader reader(encoded_value);
  if (reader.take_tag() == ValueTag::kNumber) {
    out.append(reader.take_raw_number());
  } else {
    append_ordered_bytes(out, reader.take_bytes());
  }
}

std::string first_key_of(TableId id) {
  std::string key;
  append_big_endian(key, id);
  return key;
}

std::string partition_prefix(TableId id, std::string_view ordered_partition) {
  std::string key;
  key.reserve(kRowPartitionAt + ordered_partition.size() + 64);
  append_big_endian(key, id);
  append_big_endian(key, hash64(ordered_partition));
  key.append(ordered_partition);
  return key;
}

Result<std::string> row_key_of_item(const Table& table, std::string_view item, KeyWords words) {
  return build(table, [&](const KeyAttribute& attribute) { return key_value_of_item(attribute, item, words); });
}

Result<std::string> row_key_of_key(const Table& table, std::string_view key) {
  if (attribute_count(key) != table.keys.partition.size() + table.keys.sort.size()) return no_match();
  return build(table, [&](const KeyAttribute& attribute) { return key_value_of_key(attribute, key); });
}

std::optional<std::string> row_key_in_index(const Index& index, std::string_view item, std::string_view table_row_key) {
  const auto append_all = [&](std::string& out, const std::vector<KeyAttribute>& attributes) {
    const bool partition = &attributes == &index.keys.partition;
    for (const KeyAttribute& attribute : attributes) {
      const std::optional<std::string_view> value = find_attribute(item, attribute.name);
      if (!value || !fits_key(attribute, *value, partition)) return false;
      append_ordered_value(out, *value);
    }
    return true;
  };
  std::string ordered;
  if (!append_all(ordered, index.keys.partition)) return std::nullopt;
  std::string key = partition_prefix(index.id, ordered);
  if (!append_all(key, index.keys.sort)) return std::nullopt;
  key.append(table_row_key.substr(kRowPartitionAt));
  return key;
}

Result<void> check_index_keys(const Table& table, std::string_view item) {
  return for_index_keys(table, [&](const KeyAttribute& attribute, bool partition) {
    return check_index_key(table, attribute, item, partition);
  });
}

Result<void> check_updated_index_keys(const Table& table, const std::vector<expr::UpdateAction>& update,
                                      std::string_view item, expr::UpdateForm form) {
  return for_index_keys(table, [&](const KeyAttribute& attribute, bool partition) -> Result<void> {
    const auto action =
        std::ranges::find(update, attribute.name, [](const expr::UpdateAction& a) { return a.path.attribute(); });
    // An attribute that the update leaves alone may have a bad value from before the index existed.
    if (action == update.end()) return {};
    const Result<void> checked = check_index_key(table, attribute, item, partition);
    if (checked) return {};
    if (form == expr::UpdateForm::kAttributeUpdates) return checked;
    const std::string_view value = *find_attribute(item, attribute.name);
    if (is_empty_key(attribute, value)) return updated_to_empty(attribute);
    const bool literal = action->operand.kind == expr::NodeKind::kValue;
    if (!has_key_type(value, attribute.type) && !literal)
      return fail(Code::kValidation,
                  "The update expression attempted to update the secondary index key to unsupported type");
    return checked;
  });
}

Result<void> check_given_index_keys(const Table& table, const std::vector<expr::UpdateAction>& update) {
  return for_index_keys(table, [&](const KeyAttribute& attribute, bool /*partition*/) -> Result<void> {
    for (const expr::UpdateAction& action : update) {
      if (action.path.is_nested() || action.path.attribute() != attribute.name) continue;
      if (action.section != expr::Section::kSet || action.operand.kind != expr::NodeKind::kValue) continue;
      std::string encoded;
      append_value(encoded, *action.operand.value);
      if (is_empty_key(attribute, encoded)) return updated_to_empty(attribute);
    }
    return {};
  });
}

Result<void> check_key_paths(const Table& table, const std::vector<const expr::Path*>& paths) {
  for (const expr::Path* path : paths) {
    if (!path->is_nested()) continue;
    std::string_view kind = table.is_key(path->attribute()) ? "Key" : "";
    for (const Index& index : table.live_indexes())
      for (const auto* keys : {&index.keys.partition, &index.keys.sort})
        if (kind.empty() && std::ranges::find(*keys, path->attribute(), &KeyAttribute::name) != keys->end())
          kind = "IndexKey";
    if (!kind.empty())
      return fail(Code::kValidation,
                  "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: {}: {}",
                  kind, path->attribute());
  }
  return {};
}

}  // namespace dolmen::engine
