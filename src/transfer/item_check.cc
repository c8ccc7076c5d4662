#include "transfer/item_check.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "base/limits.h"
#include "value/encoded_item.h"

namespace dolmen::transfer {
namespace {

Type type_of_key(KeyType type) {
  return type == KeyType::kString ? Type::kString : type == KeyType::kNumber ? Type::kNumber : Type::kBinary;
}

Result<void> check_key(const Item& item, const KeyAttribute& key, bool required) {
  const AttributeValue* value = item.find(key.name);
  if (value == nullptr)
    return required ? fail(Code::kValidation, "the key attribute \"{}\" is missing", key.name) : Result<void>();
  if (value->type() != type_of_key(key.type))
    return fail(Code::kValidation, "the key attribute \"{}\" has the type {}, and must have {}", key.name,
                type_name(value->type()), key_type_name(key.type));
  const auto* text = value->get_if<std::string>();
  const auto* bytes = value->get_if<Bytes>();
  if ((text != nullptr && text->empty()) || (bytes != nullptr && bytes->empty()))
    return fail(Code::kValidation, "the key attribute \"{}\" is empty", key.name);
  return {};
}

bool is_binary_key(const std::string& name, const TableDefinition& table) {
  const auto matches = [&](const KeyAttribute& key) { return key.name == name && key.type == KeyType::kBinary; };
  if (matches(table.partition_key) || (table.sort_key && matches(*table.sort_key))) return true;
  for (const auto* indexes : {&table.global_indexes, &table.local_indexes})
    for (const IndexDefinition& index : *indexes)
      for (const auto* keys : {&index.partition_keys, &index.sort_keys})
        for (const KeyAttribute& key : *keys)
          if (matches(key)) return true;
  return false;
}

/// What in a value plain JSON does not have; empty when it has everything.
std::string_view typed_part(const AttributeValue& value) {
  switch (value.type()) {
    case Type::kBinary: return "binary";
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet: return "a set";
    case Type::kList:
      for (const AttributeValue& element : value.list())
        if (const std::string_view part = typed_part(element); !part.empty()) return part;
      return {};
    case Type::kMap:
      for (const auto& [name, element] : value.map())
        if (const std::string_view part = typed_part(element); !part.empty()) return part;
      return {};
    default: return {};
  }
}

}  // namespace

Result<void> check_item(const Item& item, const TableDefinition& table) {
  DOLMEN_TRY_VOID(check_key(item, table.partition_key, true));
  if (table.sort_key) DOLMEN_TRY_VOID(check_key(item, *table.sort_key, true));
  for (const auto* indexes : {&table.global_indexes, &table.local_indexes})
    for (const IndexDefinition& index : *indexes)
      for (const auto* keys : {&index.partition_keys, &index.sort_keys})
        for (const KeyAttribute& key : *keys) DOLMEN_TRY_VOID(check_key(item, key, false));
  if (const std::size_t bytes = item_size(item); bytes > limits::kItemBytes)
    return fail(Code::kValidation, "the item has {} bytes; at most {} are allowed", bytes, limits::kItemBytes);
  return {};
}

Result<void> check_plain(const Item& item, const TableDefinition& table) {
  for (const auto& [name, value] : item) {
    const std::string_view part = typed_part(value);
    if (part.empty() || (value.type() == Type::kBinary && is_binary_key(name, table))) continue;
    return fail(
        Code::kValidation,
        "the attribute \"{}\" has {} in it, whose type plain JSON would lose; use --typed, or --lossy to lose it", name,
        part == "binary" ? "bytes" : part);
  }
  return {};
}

Item key_item(const Item& item, const TableDefinition& table) {
  Item key;
  for (const std::string* name : {&table.partition_key.name, table.sort_key ? &table.sort_key->name : nullptr})
    if (const AttributeValue* value = name == nullptr ? nullptr : item.find(*name)) key.set(*name, *value);
  return key;
}

std::string key_bytes(const Item& item, const TableDefinition& table) {
  std::string bytes;
  append_value(bytes, item.at(table.partition_key.name));
  if (table.sort_key) append_value(bytes, item.at(table.sort_key->name));
  return bytes;
}

}  // namespace dolmen::transfer
