#include "partiql/key_tests.h"

#include <algorithm>

#include "base/fail.h"
#include "expr/compare.h"
#include "expr/path_rules.h"
#include "partiql/limits.h"

namespace dolmen::partiql {
namespace {

using expr::KeyOperator;
using expr::Node;
using expr::NodeKind;
using expr::Order;

std::optional<KeyOperator> operator_of_node(NodeKind kind, bool exchanged) {
  switch (kind) {
    case NodeKind::kEqual: return KeyOperator::kEqual;
    case NodeKind::kLess: return exchanged ? KeyOperator::kGreater : KeyOperator::kLess;
    case NodeKind::kLessOrEqual: return exchanged ? KeyOperator::kGreaterOrEqual : KeyOperator::kLessOrEqual;
    case NodeKind::kGreater: return exchanged ? KeyOperator::kLess : KeyOperator::kGreater;
    case NodeKind::kGreaterOrEqual: return exchanged ? KeyOperator::kLessOrEqual : KeyOperator::kGreaterOrEqual;
    default: return std::nullopt;
  }
}

const std::string* bare_name(const Node& node) {
  return node.kind == NodeKind::kPath && !node.path.is_nested() ? &node.path.attribute() : nullptr;
}

/// A comparison of a key with a value, in either order.
std::optional<KeyTest> comparison_test(const Node& node) {
  const bool exchanged = node.children[0].kind == NodeKind::kValue;
  const Node& value = node.children[exchanged ? 0 : 1];
  const std::optional<KeyOperator> op = operator_of_node(node.kind, exchanged);
  if (!op || value.kind != NodeKind::kValue) return std::nullopt;
  return KeyTest{.op = *op, .value = value.value};
}

/// A test of the attribute that is the node's first operand.
std::optional<KeyTest> first_operand_test(const Node& node) {
  const auto is_value = [](const Node& child) { return child.kind == NodeKind::kValue; };
  if (!std::all_of(node.children.begin() + 1, node.children.end(), is_value)) return std::nullopt;
  if (node.kind == NodeKind::kBetween)
    return KeyTest{.op = KeyOperator::kBetween, .value = node.children[1].value, .upper = node.children[2].value};
  if (node.kind == NodeKind::kFunction && node.text == "begins_with")
    return KeyTest{.op = KeyOperator::kBeginsWith, .value = node.children[1].value};
  if (node.kind != NodeKind::kIn) return std::nullopt;
  KeyTest test;
  for (std::size_t i = 1; i < node.children.size(); ++i) test.listed.push_back(node.children[i].value);
  return test;
}

bool is_plain_comparison(NodeKind kind) {
  return kind == NodeKind::kEqual || kind == NodeKind::kLess || kind == NodeKind::kLessOrEqual ||
         kind == NodeKind::kGreater || kind == NodeKind::kGreaterOrEqual;
}

/// Whether there is a test of a key that an OR divides.
bool tests_keys(const Node& node, const Source& source) {
  if (node.kind == NodeKind::kNot) return false;
  if (node.kind == NodeKind::kAnd || node.kind == NodeKind::kOr)
    return std::ranges::any_of(node.children, [&](const Node& child) { return tests_keys(child, source); });
  return key_test_of(node, source).has_value();
}

std::vector<Branch> product(const std::vector<Branch>& left, const std::vector<Branch>& right) {
  std::vector<Branch> all;
  for (const Branch& one : left)
    for (const Branch& two : right) {
      Branch both = one;
      both.keys.insert(both.keys.end(), two.keys.begin(), two.keys.end());
      both.rest.insert(both.rest.end(), two.rest.begin(), two.rest.end());
      both.listed = one.listed || two.listed;
      all.push_back(std::move(both));
    }
  return all;
}

/// The values of a range key that a test allows. No bound: any value.
struct Interval {
  const AttributeValue* lower = nullptr;
  const AttributeValue* upper = nullptr;
  bool lower_open = false;
  bool upper_open = false;
  /// Everything that begins with `lower`.
  bool prefix = false;
};

Interval interval_of(const KeyTest* test) {
  if (test == nullptr) return {};
  switch (test->op) {
    case KeyOperator::kLess: return {.upper = test->value, .upper_open = true};
    case KeyOperator::kLessOrEqual: return {.upper = test->value};
    case KeyOperator::kGreater: return {.lower = test->value, .lower_open = true};
    case KeyOperator::kGreaterOrEqual: return {.lower = test->value};
    case KeyOperator::kBetween: return {.lower = test->value, .upper = test->upper};
    case KeyOperator::kBeginsWith: return {.lower = test->value, .prefix = true};
    default: return {.lower = test->value, .upper = test->value};
  }
}

bool has_prefix(const AttributeValue& value, const AttributeValue& prefix) {
  if (value.type() != prefix.type()) return false;
  if (value.type() == Type::kString) return value.string().starts_with(prefix.string());
  return value.type() == Type::kBinary && value.binary().view().starts_with(prefix.binary().view());
}

/// Whether everything in `one` comes before everything in `two`.
bool ends_before(const Interval& one, const Interval& two) {
  if (two.lower == nullptr) return false;
  if (one.prefix) return expr::order_of(*one.lower, *two.lower) == Order::kLess && !has_prefix(*two.lower, *one.lower);
  if (one.upper == nullptr) return false;
  const Order order = expr::order_of(*one.upper, *two.lower);
  return order == Order::kLess || (order == Order::kEqual && (one.upper_open || two.lower_open));
}

}  // namespace

std::optional<KeyTest> key_test_of(const Node& node, const Source& source) {
  const bool plain = is_plain_comparison(node.kind);
  const bool first_only = node.kind == NodeKind::kBetween || node.kind == NodeKind::kIn ||
                          (node.kind == NodeKind::kFunction && node.text == "begins_with");
  if (!plain && !first_only) return std::nullopt;
  const std::string* name = bare_name(node.children[0]);
  if (name == nullptr && plain) name = bare_name(node.children[1]);
  if (name == nullptr || !source.is_key(*name)) return std::nullopt;
  std::optional<KeyTest> test = plain ? comparison_test(node) : first_operand_test(node);
  if (!test) return std::nullopt;
  test->of_hash = *name == source.hash.name;
  // A partition is found by nothing but its value.
  if (test->of_hash && test->op != KeyOperator::kEqual) return std::nullopt;
  return test;
}

bool pins_hash(const Node& node, const Source& source) {
  const auto pins = [&](const Node& child) { return pins_hash(child, source); };
  if (node.kind == NodeKind::kAnd) return std::ranges::any_of(node.children, pins);
  if (node.kind == NodeKind::kOr) return std::ranges::all_of(node.children, pins);
  const std::optional<KeyTest> test = key_test_of(node, source);
  return test && test->of_hash;
}

std::size_t count_branches(const Node& node, const Source& source) {
  constexpr std::size_t kEnough = limits::kDecomposedReads + 1;
  if (node.kind == NodeKind::kAnd) {
    std::size_t all = 1;
    for (const Node& child : node.children) all = std::min(all * count_branches(child, source), kEnough);
    return all;
  }
  if (node.kind == NodeKind::kOr && tests_keys(node, source)) {
    std::size_t all = 0;
    for (const Node& child : node.children) all = std::min(all + count_branches(child, source), kEnough);
    return all;
  }
  const std::optional<KeyTest> test = key_test_of(node, source);
  return test && !test->listed.empty() ? std::min(test->listed.size(), kEnough) : 1;
}

std::vector<Branch> branches_of(const Node& node, const Source& source) {
  if (node.kind == NodeKind::kAnd) {
    std::vector<Branch> all(1);
    for (const Node& child : node.children) all = product(all, branches_of(child, source));
    return all;
  }
  if (node.kind == NodeKind::kOr && tests_keys(node, source)) {
    std::vector<Branch> all;
    for (const Node& child : node.children)
      for (Branch& branch : branches_of(child, source)) all.push_back(std::move(branch));
    return all;
  }
  const std::optional<KeyTest> test = key_test_of(node, source);
  if (!test) return {Branch{.keys = {}, .rest = {&node}}};
  if (test->listed.empty()) return {Branch{.keys = {*test}, .rest = {}}};
  std::vector<Branch> all;
  for (const AttributeValue* value : test->listed)
    all.push_back({.keys = {KeyTest{.of_hash = test->of_hash, .value = value}}, .rest = {}, .listed = true});
  return all;
}

bool negates(const Node& node, std::string_view attribute) {
  if (node.kind == NodeKind::kNot || node.kind == NodeKind::kNotEqual) {
    std::vector<const expr::Path*> paths;
    expr::collect_paths(node, paths);
    return std::ranges::any_of(paths, [&](const expr::Path* path) { return path->attribute() == attribute; });
  }
  return std::ranges::any_of(node.children, [&](const Node& child) { return negates(child, attribute); });
}

Result<void> check_key_types(const Node& node, const Source& source) {
  if (node.kind == NodeKind::kAnd || node.kind == NodeKind::kOr) {
    for (const Node& child : node.children) DOLMEN_TRY_VOID(check_key_types(child, source));
    return {};
  }
  const std::optional<KeyTest> test = key_test_of(node, source);
  if (!test) return {};
  const KeyAttribute& key = test->of_hash ? source.hash : *source.range;
  std::vector<const AttributeValue*> values = test->listed;
  for (const AttributeValue* value : {test->value, test->upper})
    if (value != nullptr) values.push_back(value);
  for (const AttributeValue* value : values)
    if (type_name(value->type()) != key_type_name(key.type))
      return fail(Code::kValidation, Reason::kKeyMismatch,
                  "Key attribute's data type should match its data type in table's schema: Key {}", key.name);
  return {};
}

const AttributeValue* hash_value(const Branch& branch) {
  const AttributeValue* value = nullptr;
  for (const KeyTest& test : branch.keys) {
    if (!test.of_hash) continue;
    if (value != nullptr && *value != *test.value) return nullptr;
    value = test.value;
  }
  return value;
}

const KeyTest* range_test(const Branch& branch) {
  const KeyTest* found = nullptr;
  for (const KeyTest& test : branch.keys) {
    if (test.of_hash) continue;
    if (test.op == KeyOperator::kEqual) return &test;
    if (found == nullptr) found = &test;
  }
  return found;
}

bool overlap(const Branch& one, const Branch& two) {
  if (*hash_value(one) != *hash_value(two)) return false;
  const Interval first = interval_of(range_test(one));
  const Interval second = interval_of(range_test(two));
  return !ends_before(first, second) && !ends_before(second, first);
}

}  // namespace dolmen::partiql
