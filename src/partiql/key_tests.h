#pragma once

#include <optional>
#include <vector>

#include "expr/key_condition.h"
#include "expr/syntax.h"
#include "partiql/source.h"

/// Which parts of a WHERE clause a sorted table or index can answer.
namespace dolmen::partiql {

/// A test of one key attribute that is not below a NOT.
struct KeyTest {
  bool of_hash = false;
  expr::KeyOperator op = expr::KeyOperator::kEqual;
  const AttributeValue* value = nullptr;  ///< the lower bound of kBetween
  const AttributeValue* upper = nullptr;  ///< of kBetween
  /// The values of an IN, which is one equality or another.
  std::vector<const AttributeValue*> listed = {};
};

/// Nothing when the node is anything else.
std::optional<KeyTest> key_test_of(const expr::Node& node, const Source& source);

/// Whether every way in which the condition can hold has an equality on the hash key.
bool pins_hash(const expr::Node& node, const Source& source);

/// In how many branches OR and IN on keys divide a condition; at most a few more than what is allowed.
std::size_t count_branches(const expr::Node& node, const Source& source);

/// One way in which the condition can hold: tests of keys, and what else must be true.
struct Branch {
  std::vector<KeyTest> keys;
  std::vector<const expr::Node*> rest;
  bool listed = false;  ///< some of it comes from an IN
};

/// All branches of a condition, in the order of the text. There must not be too many.
std::vector<Branch> branches_of(const expr::Node& node, const Source& source);

/// Whether a test of the attribute stands below NOT, or is <>.
bool negates(const expr::Node& node, std::string_view attribute);

/// Fails with kValidation when the value of a test has another type than its key.
Result<void> check_key_types(const expr::Node& node, const Source& source);

/// Whether two branches can select the same row: they have the same hash value, and intervals that meet.
bool overlap(const Branch& one, const Branch& two);

/// The equality on the hash key; null when there is none, or two that differ.
const AttributeValue* hash_value(const Branch& branch);
/// The test of the range key that decides which rows are read; others are filters. Null when there is none.
const KeyTest* range_test(const Branch& branch);

}  // namespace dolmen::partiql
