#include "engine/table_key.h"

#include <cstring>
#include <optional>

#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/limits.h"
#include "value/encoded_item.h"
#include "value/key_codec.h"

namespace dolmen {
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
  return fail(Code::kValidation, "The provided key element does not match the schema");
}

Result<void> check_length(std::string_view name, std::string_view text, KeyType type, std::size_t bytes_max) {
  if (text.empty())
    return fail(Code::kValidation,
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
                "empty {} value. Key: {}",
                type == KeyType::kString ? "string" : "binary", name);
  if (text.size() <= bytes_max) return {};
  if (bytes_max == limits::kPartitionKeyBytes)
    return fail(
        Code::kValidation,
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of{} bytes",
        bytes_max);
  return fail(
      Code::kValidation,
      "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit "
      "of {} bytes",
      bytes_max);
}

/// Appends one key attribute, whose type has been checked, in ordered form.
Result<void> append_key_value(std::string& out, const KeyAttribute& attribute, std::string_view value,
                              std::size_t bytes_max) {
  EncodedReader reader(value);
  reader.take_tag();
  if (attribute.type == KeyType::kNumber) {
    out.append(reader.take_raw_number());
    return {};
  }
  const std::string_view text = reader.take_bytes();
  DOLMEN_TRY_VOID(check_length(attribute.name, text, attribute.type, bytes_max));
  append_ordered_bytes(out, text);
  return {};
}

Result<std::string> build(TableId table, const TableDefinition& definition, std::string_view partition_value,
                          std::string_view sort_value) {
  constexpr std::size_t kHashAt = sizeof(TableId);
  constexpr std::size_t kPartitionAt = kHashAt + sizeof(std::uint64_t);
  std::string key = first_key_of(table);
  key.resize(kPartitionAt);
  DOLMEN_TRY_VOID(append_key_value(key, definition.partition_key, partition_value, limits::kPartitionKeyBytes));
  const std::uint64_t hash = big_endian(hash64(std::string_view(key).substr(kPartitionAt)));
  std::memcpy(key.data() + kHashAt, &hash, sizeof(hash));
  if (definition.sort_key)
    DOLMEN_TRY_VOID(append_key_value(key, *definition.sort_key, sort_value, limits::kSortKeyBytes));
  return key;
}

/// The value of a key attribute of an item to be stored.
Result<std::string_view> key_value_of_item(const KeyAttribute& attribute, std::string_view item) {
  const std::optional<std::string_view> value = find_attribute(item, attribute.name);
  if (!value)
    return fail(Code::kValidation, "One or more parameter values were invalid: Missing the key {} in the item",
                attribute.name);
  const Type actual = type_of_encoded(*value);
  if (actual != value_type_of(attribute.type))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Type mismatch for key {} expected: {} actual: {}",
                attribute.name, key_type_name(attribute.type), type_name(actual));
  return *value;
}

Result<std::string_view> key_value_of_key(const KeyAttribute& attribute, std::string_view key) {
  const std::optional<std::string_view> value = find_attribute(key, attribute.name);
  if (!value || type_of_encoded(*value) != value_type_of(attribute.type)) return no_match();
  return *value;
}

std::size_t attribute_count(std::string_view item) {
  EncodedReader reader(item);
  reader.take_version();
  return reader.take_count();
}

}  // namespace

std::string first_key_of(TableId table) {
  std::string key;
  append_big_endian(key, table);
  return key;
}

Result<std::string> storage_key_of_item(TableId table, const TableDefinition& definition, std::string_view item) {
  DOLMEN_TRY(const std::string_view partition_value, key_value_of_item(definition.partition_key, item));
  std::string_view sort_value;
  if (definition.sort_key) {
    DOLMEN_TRY(sort_value, key_value_of_item(*definition.sort_key, item));
  }
  return build(table, definition, partition_value, sort_value);
}

Result<std::string> storage_key_of_key(TableId table, const TableDefinition& definition, std::string_view key) {
  if (attribute_count(key) != (definition.sort_key ? 2U : 1U)) return no_match();
  DOLMEN_TRY(const std::string_view partition_value, key_value_of_key(definition.partition_key, key));
  std::string_view sort_value;
  if (definition.sort_key) {
    DOLMEN_TRY(sort_value, key_value_of_key(*definition.sort_key, key));
  }
  return build(table, definition, partition_value, sort_value);
}

}  // namespace dolmen
