#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

/// Models of DMS 0.1 and 0.2: which attributes the items of a table have, how they are stored, and what they are for.
namespace dolmen {

/// The version of DMS that a model is written in, and whose rules it obeys.
enum class DmsVersion : std::uint8_t {
  k0_1,
  /// Has write policies, json attributes of native types and the naming convention dynamorm; a struct with members is
  /// never empty.
  k0_2,
};

/// What files may have as their dms_version, in the order of DmsVersion.
inline constexpr std::array<std::string_view, 2> kDmsVersions{"0.1", "0.2"};

constexpr std::string_view dms_version_text(DmsVersion version) {
  return kDmsVersions[static_cast<std::size_t>(version)];
}

/// What an attribute is for, apart from what it holds.
enum class Role : std::uint8_t {
  kPartitionKey,       ///< pk
  kSortKey,            ///< sk
  kCreatedAt,          ///< created_at: set by the library when the item is put
  kUpdatedAt,          ///< updated_at: set by the library whenever the item is written
  kVersion,            ///< version: counts the updates and guards them against each other
  kTtl,                ///< ttl: when the item may be removed
  kIndexPartitionKey,  ///< `index_pk:<index>`
  kIndexSortKey,       ///< `index_sk:<index>`
};

struct AttributeRole {
  Role role = Role::kPartitionKey;
  /// Only of kIndexPartitionKey and kIndexSortKey.
  std::string index = {};

  friend bool operator==(const AttributeRole&, const AttributeRole&) = default;
};

/// How DMS writes a role, such as "created_at" or "index_pk:gsi-email".
std::string role_text(const AttributeRole& role);

/// What the values of an attribute look like, beyond their type.
enum class AttributeFormat : std::uint8_t {
  kNone,
  kRfc3339Nano,  ///< rfc3339nano: a moment as text
  kUnixSeconds,  ///< unix_seconds: a moment as a whole number
  kInt,          ///< int: a whole number
  /// decimal_string: a number that programs hold as the text of its digits, so that none is lost. Stored and read as
  /// every other number: Dolmen never rounds one.
  kDecimalString,
  /// vector: a list of so many numbers (ModelAttribute::dimensions), each of which a 32-bit float can hold. Dolmen's
  /// own; other implementations of DMS take such an attribute for any list.
  kVector,
};

struct ModelAttribute {
  std::string name;
  Type type = Type::kString;
  /// Must be present, and not null, in every item that is put.
  bool required = false;
  bool optional = false;
  /// Left out of what is written when it is empty (see `is_empty`).
  bool omit_empty = false;
  std::vector<AttributeRole> roles = {};
  AttributeFormat format = AttributeFormat::kNone;
  /// How many numbers a vector has: 1 to 4096. Only for AttributeFormat::kVector, 0 otherwise.
  std::int64_t dimensions = 0;
  /// A JSON value. Of type S it is stored as its text; since DMS 0.2 it may be of type N, BOOL, NULL, L or M, and is
  /// then stored as it is.
  bool json = false;
  /// A blob; of type B.
  bool binary = false;
  /// Stored as an encrypted envelope (dolmen/model/encryption.h).
  bool encrypted = false;
  /// What the file says in `encryption` and `tags`. Kept for programs; means nothing to the library.
  LogicalItem encryption = {};
  LogicalItem tags = {};

  [[nodiscard]] bool has_role(Role role) const;

  friend bool operator==(const ModelAttribute&, const ModelAttribute&) = default;
};

enum class IndexType : std::uint8_t { kGlobal, kLocal };

struct ModelIndex {
  std::string name;
  IndexType type = IndexType::kGlobal;
  KeyAttribute partition_key;
  std::optional<KeyAttribute> sort_key = std::nullopt;
  ProjectionType projection = ProjectionType::kAll;
  /// Only for ProjectionType::kInclude.
  std::vector<std::string> included_attributes = {};

  friend bool operator==(const ModelIndex&, const ModelIndex&) = default;
};

/// An index that finds the items whose vectors are nearest to another (VectorIndexDefinition in dolmen/table.h).
struct ModelVectorIndex {
  std::string name;
  /// An attribute of AttributeFormat::kVector, which says how many dimensions the index has.
  std::string attribute;
  VectorDistance distance = VectorDistance::kCosine;
  /// At most one of them is kHash.
  std::vector<SearchAttribute> search = {};
  ProjectionType projection = ProjectionType::kAll;
  /// Only for ProjectionType::kInclude.
  std::vector<std::string> included_attributes = {};

  friend bool operator==(const ModelVectorIndex&, const ModelVectorIndex&) = default;
};

/// The rule that a model's attribute names follow.
enum class NamingConvention : std::uint8_t {
  kNone,
  kCamelCase,
  kSnakeCase,
  kDynamorm,  ///< as camelCase; since DMS 0.2
};

/// What may happen to an item of a model once it is there.
enum class WriteMode : std::uint8_t {
  kMutable,    ///< mutable: anything
  kWriteOnce,  ///< write_once: nothing; only its time to live can end it
};

/// Since DMS 0.2.
struct WritePolicy {
  WriteMode mode = WriteMode::kMutable;
  /// Attributes that keep the value with which the item was created. They do not keep the item from being removed.
  std::vector<std::string> protected_attributes = {};

  friend bool operator==(const WritePolicy&, const WritePolicy&) = default;
};

/// One kind of item. Usually read from a DMS file; a model written in C++ obeys the same rules (`check_model`):
///
///     const Model note{.name = "Note",
///                      .table = "notes",
///                      .partition_key = {"topic", KeyType::kString},
///                      .attributes = {{.name = "topic", .type = Type::kString, .required = true},
///                                     {.name = "text", .type = Type::kString}}};
struct Model {
  std::string name;
  std::string table;
  NamingConvention naming = NamingConvention::kNone;
  KeyAttribute partition_key;
  std::optional<KeyAttribute> sort_key = std::nullopt;
  std::vector<ModelAttribute> attributes = {};
  std::vector<ModelIndex> indexes = {};
  std::vector<ModelVectorIndex> vector_indexes = {};
  WritePolicy write_policy = {};
  DmsVersion dms_version = DmsVersion::k0_1;

  /// Nothing when there is no such attribute or index.
  [[nodiscard]] const ModelAttribute* find(std::string_view attribute) const;
  [[nodiscard]] const ModelIndex* find_index(std::string_view index) const;
  [[nodiscard]] const ModelVectorIndex* find_vector_index(std::string_view index) const;
  /// The attribute with a role that is not an index's; nothing when the model has none.
  [[nodiscard]] const ModelAttribute* with_role(Role role) const;
  [[nodiscard]] bool is_key(std::string_view attribute) const;
  /// Whether it is a key of an index, or what the searches of a vector index choose by (SearchRole::kHash).
  [[nodiscard]] bool is_index_key(std::string_view attribute) const;
  /// Whether a vector index reads it: as the vector, or to choose by. Such an attribute has its own type or is missing.
  [[nodiscard]] bool is_searched(std::string_view attribute) const;
  [[nodiscard]] bool has_encrypted_attributes() const;

  friend bool operator==(const Model&, const Model&) = default;
};

/// What a DMS file holds.
struct ModelSet {
  /// For grouping and generated code; may be empty.
  std::string namespace_name;
  std::vector<Model> models;
  DmsVersion dms_version = DmsVersion::k0_1;

  /// Nothing when there is no model of that name.
  [[nodiscard]] const Model* find(std::string_view name) const;

  friend bool operator==(const ModelSet&, const ModelSet&) = default;
};

/// Reads a DMS file: JSON when its name ends in .json, else YAML 1.2 restricted to what JSON can say. Fails with
/// kInvalidModel, whose details are all mistakes of the file: the path inside the document, the violated rule, and a
/// message that begins with file:line:column and says what to change. Fails with kIo when the file cannot be read.
Result<ModelSet> load_models(const std::filesystem::path& file);

/// The same for text in memory. `file_name` chooses the syntax and appears in messages.
Result<ModelSet> parse_models(std::string_view text, std::string_view file_name);

/// Checks a model that was made in C++ by the rules that hold for files. Fails with kInvalidModel and a detail for each
/// broken rule.
Result<void> check_model(const Model& model);

/// The models as a DMS document. As JSON (`canonical_json`) it is a file that `parse_models` reads as the same models.
LogicalValue dms_document(const ModelSet& set);

/// The table that items of the model live in, ready for `Store::create_table`.
TableDefinition table_definition(const Model& model);

}  // namespace dolmen
