#include "engine/key_range.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/check.h"
#include "base/endian.h"
#include "base/fail.h"
#include "base/limits.h"
#include "engine/row_key.h"
#include "value/encoded_item.h"
#include "value/key_codec.h"

namespace dolmen::engine {
namespace {

using expr::KeyCondition;
using expr::KeyOperator;

const KeyCondition* find_condition(const std::vector<KeyCondition>& conditions, std::string_view attribute) {
  const auto found = std::ranges::find(conditions, attribute, &KeyCondition::attribute);
  return found == conditions.end() ? nullptr : &*found;
}

std::unexpected<Error> missed(const KeyAttribute& attribute) {
  return fail(Code::kValidation, "Query condition missed key schema element: {}", attribute.name);
}

/// An index with one partition attribute names it; one with several names those without an equality.
Result<void> check_partition_conditions(const KeySchema& keys, const std::vector<KeyCondition>& conditions) {
  const auto lacks_equality = [&](const KeyAttribute& attribute) {
    const KeyCondition* condition = find_condition(conditions, attribute.name);
    return condition == nullptr || (keys.partition.size() > 1 && condition->op != KeyOperator::kEqual);
  };
  std::vector<std::string_view> lacking;
  for (const KeyAttribute& attribute : keys.partition)
    if (lacks_equality(attribute)) lacking.push_back(attribute.name);
  if (lacking.empty()) return {};
  if (keys.partition.size() == 1) return missed(keys.partition.front());
  return fail(Code::kValidation, "HASH key attributes {} must have equality conditions specified in the query",
              fmt::join(lacking, ", "));
}

std::unexpected<Error> not_indexable() {
  return fail(Code::kValidation, "Attempted conditional constraint is not an indexable operation");
}

std::unexpected<Error> not_supported() { return fail(Code::kValidation, "Query key condition not supported"); }

/// The ordered form of a condition's value, after checking that it suits the attribute.
Result<std::string> ordered_value(const KeyAttribute& attribute, const AttributeValue& value, bool partition) {
  std::string encoded;
  append_value(encoded, value);
  if (!has_key_type(encoded, attribute.type))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Condition parameter type does not match schema type");
  DOLMEN_TRY_VOID(check_key_length(attribute, encoded, partition));
  std::string ordered;
  append_ordered_value(ordered, encoded);
  return ordered;
}

Result<std::string> partition_of(const KeySchema& keys, const std::vector<KeyCondition>& conditions) {
  std::string ordered;
  for (const KeyAttribute& attribute : keys.partition) {
    const KeyCondition& condition = *find_condition(conditions, attribute.name);
    if (condition.op == KeyOperator::kNotIndexable) return not_indexable();
    DOLMEN_TRY(const std::string value, ordered_value(attribute, condition.value, true));
    if (condition.op != KeyOperator::kEqual) return not_supported();
    ordered += value;
  }
  return ordered;
}

/// The text of a begins_with condition in ordered form, without the end that a whole value has.
Result<std::string> ordered_start(const KeyAttribute& attribute, const AttributeValue& value) {
  DOLMEN_TRY(std::string ordered, ordered_value(attribute, value, false));
  if (attribute.type == KeyType::kNumber) return not_supported();
  ordered.resize(ordered.size() - 2);
  return ordered;
}

/// Narrows the rows that begin with `prefix` by a condition on the next attribute.
Result<KeyRange> narrowed(const std::string& prefix, const KeyAttribute& attribute, const KeyCondition& condition) {
  if (condition.op == KeyOperator::kNotIndexable) return not_indexable();
  if (condition.op == KeyOperator::kBeginsWith) {
    DOLMEN_TRY(const std::string start, ordered_start(attribute, condition.value));
    return KeyRange{prefix + start, after_prefix(prefix + start)};
  }
  DOLMEN_TRY(const std::string value, ordered_value(attribute, condition.value, false));
  const std::string at = prefix + value;
  switch (condition.op) {
    case KeyOperator::kEqual: return KeyRange{at, after_prefix(at)};
    case KeyOperator::kLess: return KeyRange{prefix, at};
    case KeyOperator::kLessOrEqual: return KeyRange{prefix, after_prefix(at)};
    case KeyOperator::kGreater: return KeyRange{after_prefix(at), after_prefix(prefix)};
    case KeyOperator::kGreaterOrEqual: return KeyRange{at, after_prefix(prefix)};
    case KeyOperator::kBetween: {
      DOLMEN_TRY(const std::string upper, ordered_value(attribute, condition.upper, false));
      return KeyRange{at, after_prefix(prefix + upper)};
    }
    case KeyOperator::kBeginsWith:
    case KeyOperator::kNotIndexable: break;
  }
  DOLMEN_UNREACHABLE("an operator outside the closed list");
}

/// Every condition must concern a key attribute, and conditions on sort attributes must not leave a gap.
Result<void> check_attributes(const KeySchema& keys, const std::vector<KeyCondition>& conditions) {
  const std::size_t attributes = keys.partition.size() + keys.sort.size();
  if (conditions.size() > std::max<std::size_t>(attributes, 2))
    return fail(Code::kValidation,
                "The number of query conditions ({}) exceeds the number of key attributes defined in the schema ({})",
                conditions.size(), attributes);
  const auto is_key = [&](const KeyCondition& condition) {
    return std::ranges::count(keys.partition, condition.attribute, &KeyAttribute::name) > 0 ||
           std::ranges::count(keys.sort, condition.attribute, &KeyAttribute::name) > 0;
  };
  DOLMEN_TRY_VOID(check_partition_conditions(keys, conditions));
  if (std::ranges::all_of(conditions, is_key)) return {};
  if (keys.sort.empty()) return not_supported();
  return missed(keys.sort.front());
}

Result<void> check_gaps(const KeySchema& keys, const std::vector<KeyCondition>& conditions) {
  for (std::size_t i = 1; i < keys.sort.size(); ++i) {
    if (find_condition(conditions, keys.sort[i].name) == nullptr) continue;
    const KeyCondition* before = find_condition(conditions, keys.sort[i - 1].name);
    if (before == nullptr || before->op != KeyOperator::kEqual)
      return fail(
          Code::kValidation,
          "RANGE key attributes {} must have equality conditions specified in the query because a condition is present "
          "on key attribute {}",
          keys.sort[i - 1].name, keys.sort[i].name);
  }
  return {};
}

}  // namespace

std::string after_prefix(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') prefix.pop_back();
  DOLMEN_CHECK(!prefix.empty(), "ids of tables never reach the last one");
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

Result<KeyRange> range_of_query(TableId id, const KeySchema& keys, const std::vector<KeyCondition>& conditions) {
  DOLMEN_TRY_VOID(check_attributes(keys, conditions));
  DOLMEN_TRY(const std::string partition, partition_of(keys, conditions));
  DOLMEN_TRY_VOID(check_gaps(keys, conditions));
  std::string prefix = partition_prefix(id, partition);
  KeyRange range{prefix, after_prefix(prefix)};
  for (const KeyAttribute& attribute : keys.sort) {
    const KeyCondition* condition = find_condition(conditions, attribute.name);
    if (condition == nullptr) break;
    DOLMEN_TRY(range, narrowed(prefix, attribute, *condition));
    if (condition->op != KeyOperator::kEqual) break;
    prefix = range.lower;
  }
  return range;
}

KeyRange segment_range(TableId id, std::uint32_t segment, std::uint32_t total) {
  __extension__ typedef unsigned __int128 uint128;  // NOLINT(modernize-use-using): __extension__ needs a typedef
  const auto key_at = [&](std::uint32_t boundary) {
    if (boundary == total) return first_key_of(id + 1);
    std::string key = first_key_of(id);
    append_big_endian(key, static_cast<std::uint64_t>((uint128{boundary} << 64) / total));
    return key;
  };
  return {key_at(segment), key_at(segment + 1)};
}

}  // namespace dolmen::engine
