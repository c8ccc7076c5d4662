#include "engine/vector_entry.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "base/fail.h"
#include "base/limits.h"
#include "base/varint.h"
#include "engine/row_key.h"
#include "value/float_number.h"

namespace dolmen::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "rows hold floats as they are in memory");

constexpr std::string_view kBadVector = "One or more parameter values were invalid. ";

Type encoded_type(std::string_view encoded_value) { return type_of(EncodedReader(encoded_value).take_tag()); }

std::size_t dimensions_of(const VectorIndex& index) { return static_cast<std::size_t>(index.definition.dimensions); }

std::unexpected<Error> bad_element(const VectorIndex& index, std::size_t position, EncodedReader& reader,
                                   ValueTag tag) {
  const VectorIndexDefinition& definition = index.definition;
  if (tag != ValueTag::kNumber)
    return fail(
        Code::kValidation,
        "{}Invalid type for parameter {}[{}], Expected: 32-bit floating point number, Actual: {}. IndexName: {}",
        kBadVector, definition.attribute, position, type_name(type_of(tag)), definition.name);
  return fail(Code::kValidation,
              "{}Invalid value for parameter {}[{}], Value: {} is outside valid range [-3.4028235E38, 3.4028235E38]. "
              "IndexName: {}",
              kBadVector, definition.attribute, position, scientific_text(reader.take_number()), definition.name);
}

/// The floats of an encoded value, which must be a vector of the index.
Result<std::vector<float>> read_vector(const VectorIndex& index, std::string_view value) {
  const VectorIndexDefinition& definition = index.definition;
  EncodedReader reader(value);
  if (reader.take_tag() != ValueTag::kList)
    return fail(Code::kValidation,
                "{}Invalid type for parameter {}, Expected: 32-bit floating point number list IndexName: {}",
                kBadVector, definition.attribute, definition.name);
  reader.enter_container();
  const std::size_t count = reader.take_count();
  if (count != dimensions_of(index))
    return fail(Code::kValidation, "{}Invalid size for parameter {}, Expected: {}, Actual: {} IndexName: {}",
                kBadVector, definition.attribute, definition.dimensions, count, definition.name);
  std::vector<float> vector;
  vector.reserve(count);
  Decimal decimal;
  for (std::size_t i = 0; i < count; ++i) {
    const ValueTag tag = reader.take_tag();
    EncodedReader element = reader;
    if (tag != ValueTag::kNumber) return bad_element(index, i, element, tag);
    reader.take_decimal(decimal);
    const std::optional<float> nearest = nearest_float(decimal);
    if (!nearest) return bad_element(index, i, element, tag);
    vector.push_back(*nearest);
  }
  if (!reader.ok()) return fail(Code::kCorruption, "the stored vector {} is damaged", definition.attribute);
  return vector;
}

std::string_view text_of(std::string_view encoded_value) {
  EncodedReader reader(encoded_value);
  reader.take_tag();
  return reader.take_bytes();
}

bool is_empty_text(std::string_view encoded_value, KeyType type) {
  return type != KeyType::kNumber && text_of(encoded_value).empty();
}

std::string_view empty_word(KeyType type) { return type == KeyType::kBinary ? "binary" : "string"; }

std::unexpected<Error> hash_updated_to_empty(KeyType type) {
  return fail(Code::kValidation, Reason::kEmptyKeyValue,
              "One or more parameter values are not valid. The update expression attempted to update a secondary index "
              "key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty {} "
              "value.",
              empty_word(type));
}

/// Of a value whose type is right.
Result<void> check_search_length(const VectorIndex& index, const SearchAttribute& attribute, std::string_view value) {
  if (attribute.type == KeyType::kNumber) return {};
  if (attribute.role == SearchRole::kHash) {
    if (is_empty_text(value, attribute.type))
      return fail(
          Code::kValidation, Reason::kEmptyKeyValue,
          "One or more parameter values are not valid. A value specified for a secondary index key is not supported. "
          "The AttributeValue for a key attribute cannot contain an empty {} value. IndexName: {}, IndexKey: {}",
          empty_word(attribute.type), index.definition.name, attribute.name);
    return check_key_length({attribute.name, attribute.type}, value, true);
  }
  if (text_of(value).size() > limits::kInlineFilterBytes)
    return fail(Code::kValidation, "{}Size of attribute '{}' has exceeded the limit of {} bytes. IndexName: {}",
                kBadVector, attribute.name, limits::kInlineFilterBytes, index.definition.name);
  return {};
}

Result<void> check_search_value(const VectorIndex& index, const SearchAttribute& attribute, std::string_view value) {
  if (!has_key_type(value, attribute.type))
    return fail(Code::kValidation, "{}Attribute '{}' type mismatch. Expected: {}, Actual: {}. IndexName: {}",
                kBadVector, attribute.name, key_type_name(attribute.type), type_name(encoded_type(value)),
                index.definition.name);
  return check_search_length(index, attribute, value);
}

EncodedItem without_attribute(std::string_view item, std::string_view unwanted) {
  EncodedReader reader(item);
  reader.take_version();
  const std::size_t count = reader.take_count();
  EncodedItem out;
  out.bytes.push_back(kItemVersion);
  const std::string_view body = reader.rest();
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    const std::string_view start = reader.rest();
    const std::string_view name = reader.take_bytes();
    reader.skip_value(reader.take_tag());
    if (name != unwanted) continue;
    append_varint(out.bytes, count - 1);
    out.bytes.append(body.substr(0, body.size() - start.size())).append(reader.rest());
    return out;
  }
  append_varint(out.bytes, count);
  out.bytes.append(body);
  return out;
}

/// The size of a list by DynamoDB's rules.
std::size_t list_size(std::string_view encoded_list) {
  // As the only attribute of an item, whose name is empty.
  std::string item{kItemVersion, 1, 0};
  return item_size(item.append(encoded_list));
}

}  // namespace

Result<std::optional<VectorEntry>> derive_entry(const VectorIndex& index, std::string_view item) {
  const VectorIndexDefinition& definition = index.definition;
  const std::optional<std::string_view> value = find_attribute(item, definition.attribute);
  VectorEntry entry;
  if (value) {
    DOLMEN_TRY(entry.vector, read_vector(index, *value));
  }
  bool complete = value.has_value();
  for (const SearchAttribute& attribute : definition.search) {
    const std::optional<std::string_view> found = find_attribute(item, attribute.name);
    if (found) DOLMEN_TRY_VOID(check_search_value(index, attribute, *found));
    complete &= found.has_value() || attribute.role != SearchRole::kHash;
  }
  if (!complete) return std::nullopt;
  entry.rest = index.projected.empty() ? without_attribute(item, definition.attribute)
                                       : select_attributes(item, index.projected);
  return entry;
}

Result<void> check_vectors(const Table& table, std::string_view item) {
  for (const VectorIndex& index : table.live_vector_indexes()) DOLMEN_TRY_VOID(derive_entry(index, item));
  return {};
}

Result<void> check_updated_vectors(const Table& table, std::string_view old_item, std::string_view new_item) {
  const auto changed = [&](const std::string& name) -> std::optional<std::string_view> {
    const std::optional<std::string_view> value = find_attribute(new_item, name);
    if (!value || (!old_item.empty() && find_attribute(old_item, name) == value)) return std::nullopt;
    return value;
  };
  for (const VectorIndex& index : table.live_vector_indexes()) {
    if (const auto vector = changed(index.definition.attribute)) DOLMEN_TRY_VOID(read_vector(index, *vector));
    for (const SearchAttribute& attribute : index.definition.search) {
      const auto value = changed(attribute.name);
      if (!value) continue;
      const Result<void> checked = check_search_value(index, attribute, *value);
      if (!checked && checked.error().reason() == Reason::kEmptyKeyValue) return hash_updated_to_empty(attribute.type);
      if (!checked) return checked;
    }
  }
  return {};
}

Result<void> check_given_search_hashes(const Table& table, const std::vector<expr::UpdateAction>& update) {
  for (const VectorIndex& index : table.live_vector_indexes())
    for (const SearchAttribute& attribute : index.definition.search)
      for (const expr::UpdateAction& action : update) {
        if (attribute.role != SearchRole::kHash || table.is_key(attribute.name)) continue;
        if (action.path.is_nested() || action.path.attribute() != attribute.name) continue;
        if (action.section != expr::Section::kSet || action.operand.kind != expr::NodeKind::kValue) continue;
        std::string encoded;
        append_value(encoded, *action.operand.value);
        if (has_key_type(encoded, attribute.type) && is_empty_text(encoded, attribute.type))
          return hash_updated_to_empty(attribute.type);
      }
  return {};
}

std::size_t entry_size(const VectorIndex& index, const VectorEntry& entry) {
  return index.definition.attribute.size() + sizeof(float) * entry.vector.size() + item_size(entry.rest.bytes);
}

std::int64_t bytes_saved(const VectorIndex& index, std::string_view item) {
  const std::optional<std::string_view> value = find_attribute(item, index.definition.attribute);
  if (!value || !read_vector(index, *value)) return 0;
  return static_cast<std::int64_t>(list_size(*value)) - static_cast<std::int64_t>(sizeof(float) * dimensions_of(index));
}

std::int64_t bytes_saved(const Table& table, std::string_view item) {
  std::set<std::string_view> seen;
  std::int64_t saved = 0;
  for (const VectorIndex& index : table.live_vector_indexes())
    if (seen.insert(index.definition.attribute).second) saved += bytes_saved(index, item);
  return saved;
}

SearchValues search_values(const VectorIndexDefinition& definition, std::string_view row_item) {
  SearchValues values;
  for (const SearchAttribute& attribute : definition.search) {
    const std::string value(find_attribute(row_item, attribute.name).value_or(""));
    if (attribute.role == SearchRole::kHash)
      values.hash = value;
    else
      values.filters.push_back(value);
  }
  return values;
}

std::string vector_row_key(const VectorIndex& index, std::string_view row_key) {
  return first_key_of(index.id).append(row_key.substr(kRowHashAt));
}

std::string encode_vector_row(const VectorEntry& entry) {
  std::string row(sizeof(float) * entry.vector.size(), '\0');
  std::memcpy(row.data(), entry.vector.data(), row.size());
  return row.append(entry.rest.bytes);
}

Result<VectorEntry> decode_vector_row(const VectorIndexDefinition& definition, std::string_view row) {
  const auto dimensions = static_cast<std::size_t>(definition.dimensions);
  if (row.size() <= sizeof(float) * dimensions)
    return fail(Code::kCorruption, "a row of the vector index {} is damaged", definition.name);
  VectorEntry entry;
  entry.vector.resize(dimensions);
  std::memcpy(entry.vector.data(), row.data(), sizeof(float) * dimensions);
  entry.rest.bytes = row.substr(sizeof(float) * dimensions);
  return entry;
}

}  // namespace dolmen::engine
