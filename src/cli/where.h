#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/table.h"

namespace dolmen::cli {

/// The key attributes of a table or index.
struct WhereKeys {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
  /// What they belong to, for messages: table "notes".
  std::string owner;
};

/// What a query needs of a condition.
struct WhereQuery {
  Condition key;
  Condition filter;
};

/// A condition as people write it, with values in place of placeholders:
///
///     topic = "a" AND written >= 1 AND NOT contains(tags, 'draft')
///
///     condition   comparisons with AND, OR, NOT and parentheses
///     comparison  operand = operand, and <>, !=, <, <=, >, >=; operand BETWEEN value AND value;
///                 operand [NOT] IN (value, ...); attribute_exists(path), attribute_not_exists(path),
///                 attribute_type(path, "S"), begins_with(path, value), contains(path, value)
///     operand     a path, a value, or size(path)
///     path        name, then .name or [0]; a name of other characters, or a keyword, in `back quotes`
///     value       "text", 'text', a number, true, false or null
///
/// Keywords have no case. Names that DynamoDB reserves need no care. Everything fails with kInvalidArgument and the
/// column.
class Where {
 public:
  static Result<Where> parse(std::string_view text);

  /// All of it, as a filter or a condition of a write.
  [[nodiscard]] Condition condition() const;

  /// The part that the keys can answer, and the rest. Fails when a key attribute is not used as a query can, or when
  /// the partition key is missing.
  [[nodiscard]] Result<WhereQuery> query(const WhereKeys& keys) const;

  /// Whether a query on these keys could answer it: each partition attribute is compared by `=`.
  [[nodiscard]] bool names_partition(const std::vector<KeyAttribute>& partition) const;

  struct Node {
    enum class Kind : std::uint8_t { kLeaf, kAnd, kOr, kNot };
    Kind kind = Kind::kLeaf;
    std::vector<Node> parts = {};
    /// Of a leaf.
    Condition condition = {};
    /// When the leaf compares a whole attribute with values: the attribute, "=", "BETWEEN", ... and the values.
    std::string attribute = {};
    std::string comparison = {};
    std::vector<AttributeValue> values = {};
    /// The attributes that the leaf looks at.
    std::vector<std::string> mentions = {};
    std::size_t column = 1;
  };

 private:
  explicit Where(Node root) : root_(std::move(root)) {}

  Node root_;
};

/// "address.city", "tags[0]", "`two words`". Fails with kInvalidArgument and the column.
Result<Path> parse_where_path(std::string_view text);
/// Such paths with commas between them.
Result<std::vector<Path>> parse_where_paths(std::string_view text);

}  // namespace dolmen::cli
