#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"

/// Document schemas: which documents may exist. See docs/documents.md.
namespace dolmen {

/// Names one schema. Both parts are always given: there is no latest version and no default one.
struct SchemaRef {
  std::string id;
  std::string version;

  friend auto operator<=>(const SchemaRef&, const SchemaRef&) = default;
};

/// "users v1", for messages.
std::string to_string(const SchemaRef& ref);

enum class FieldType : std::uint8_t { kString, kInt, kBool, kFloat, kObject, kArray };

/// "string", "int", "bool", "float", "object" or "array".
std::string_view field_type_name(FieldType type);

struct SchemaField;

/// What a value must be. No unions, no defaults, no null.
struct SchemaType {
  FieldType type = FieldType::kString;
  /// Of an object, sorted by name.
  std::vector<SchemaField> fields;
  /// Of an array: exactly one.
  std::vector<SchemaType> element;
  /// The position in Schema::scalars; nothing for objects, for arrays, and for what stands inside an array.
  std::optional<std::size_t> scalar;

  friend bool operator==(const SchemaType&, const SchemaType&);
};

struct SchemaField {
  std::string name;
  bool required = false;
  SchemaType type;

  friend bool operator==(const SchemaField&, const SchemaField&);
};

/// A scalar that a document has at most one of, such as "address.city".
struct ScalarPath {
  std::string path;
  FieldType type = FieldType::kString;
  /// It is in every document: it and every object around it is required.
  bool always_present = false;

  friend bool operator==(const ScalarPath&, const ScalarPath&) = default;
};

/// A schema that obeys the rules of the language. Never changes once published.
struct Schema {
  SchemaRef ref;
  /// The version, when the file has an integer there; `ref.version` is its text. Later ones of an id are larger.
  std::optional<std::int64_t> version_number;
  std::optional<std::string> description;
  /// Sorted by name; `_id`, a required string, is among them.
  std::vector<SchemaField> fields;
  /// In the order of `fields`, depth first.
  std::vector<ScalarPath> scalars;

  /// The position in `scalars`; nothing when there is no such path.
  [[nodiscard]] std::optional<std::size_t> find_scalar(std::string_view path) const;

  friend bool operator==(const Schema&, const Schema&);
};

/// Reads a schema file. Fails with kSchemaInvalid; the details name every mistake with file, line and column.
Result<Schema> parse_schema(std::string_view text, std::string_view file_name = "schema.json");

/// A document that fits its schema.
struct CheckedDocument {
  struct Span {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;  ///< 0 when the document has no such value.
  };

  /// The document without insignificant space; its fields in the order and its numbers in the form they came in.
  std::string text;
  /// The value of `_id`.
  std::string id;
  /// For each of Schema::scalars, where its value stands in `text`.
  std::vector<Span> scalars;
};

/// Checks a whole document. Fails with kSchemaValidationFailed whose details are all violations, sorted by path and
/// rule; a path is of the form a.b[3].c, and that of the document itself is $root. Nothing is converted: 1 is not 1.0,
/// "1" is not 1, and a document cannot hold null. Costs about as much as reading the JSON.
///
/// Rules: json, utf8, size, depth, root_type, duplicate_key, undeclared, required, type, null, int_range, float_range,
/// id_valid.
Result<CheckedDocument> validate_document(const Schema& schema, std::string_view json);

/// The same for an item of a table: S is a string, BOOL a bool, M an object, L an array; N is an int when it is an
/// integer of 64 bits, and a float when it is within a double's range, since DynamoDB does not keep how it was written.
/// Attributes named in `ignored` (the keys of the table, say) are ignored.
std::vector<ErrorDetail> item_violations(const Schema& schema, const Item& item,
                                         const std::vector<std::string>& ignored = {});

}  // namespace dolmen
