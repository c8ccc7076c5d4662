#include "partiql/read_plan.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>
#include <utility>

#include "base/fail.h"
#include "base/limits.h"
#include "expr/compare.h"
#include "expr/document.h"
#include "expr/path_rules.h"
#include "partiql/key_tests.h"
#include "partiql/limits.h"
#include "partiql/source.h"

namespace dolmen::partiql {
namespace {

using expr::KeyOperator;
using expr::Node;
using expr::NodeKind;

Node path_node(const std::string& name) { return {.kind = NodeKind::kPath, .path = {{name}}}; }

Node value_node(const AttributeValue* value) { return {.kind = NodeKind::kValue, .value = value}; }

NodeKind node_kind(KeyOperator op) {
  switch (op) {
    case KeyOperator::kLess: return NodeKind::kLess;
    case KeyOperator::kLessOrEqual: return NodeKind::kLessOrEqual;
    case KeyOperator::kGreater: return NodeKind::kGreater;
    case KeyOperator::kGreaterOrEqual: return NodeKind::kGreaterOrEqual;
    case KeyOperator::kBetween: return NodeKind::kBetween;
    case KeyOperator::kBeginsWith: return NodeKind::kFunction;
    default: return NodeKind::kEqual;
  }
}

/// A test of a key as a condition.
Node node_of(const KeyTest& test, const Source& source) {
  Node node{.kind = node_kind(test.op)};
  if (test.op == KeyOperator::kBeginsWith) node.text = "begins_with";
  node.children.push_back(path_node(test.of_hash ? source.hash.name : source.range->name));
  node.children.push_back(value_node(test.value));
  if (test.upper != nullptr) node.children.push_back(value_node(test.upper));
  return node;
}

/// All of the nodes; one alone stays as it is.
Node joined_by(NodeKind kind, std::vector<Node> nodes) {
  if (nodes.size() == 1) return std::move(nodes.front());
  Node all{.kind = kind};
  all.children = std::move(nodes);
  return all;
}

/// The whole condition of a branch.
Node condition_of(const Branch& branch, const Source& source) {
  std::vector<Node> all;
  for (const KeyTest& test : branch.keys) all.push_back(node_of(test, source));
  for (const Node* node : branch.rest) all.push_back(*node);
  return joined_by(NodeKind::kAnd, std::move(all));
}

/// No key is as long as that.
bool is_too_long(const AttributeValue& value, std::size_t bytes_max) {
  if (value.type() == Type::kString) return value.string().size() > bytes_max;
  return value.type() == Type::kBinary && value.binary().size() > bytes_max;
}

class ReadPlanner {
 public:
  ReadPlanner(const std::shared_ptr<const Statement>& statement, Source source)
      : statement_(statement), source_(std::move(source)) {}

  Result<ReadPlan> run(ReadPlanOptions options) {
    if (statement_->bad_order) return fail(Code::kValidation, "{}", *statement_->bad_order);
    DOLMEN_TRY_VOID(check_order());
    if (options.consistent_read && source_.index != nullptr && !source_.local)
      return fail(Code::kValidation, "Strongly consistent read is not supported on Global Secondary Indexes");
    DOLMEN_TRY_VOID(check_columns());
    plan_projection();
    if (is_scan()) {
      ReadStep scan;
      if (statement_->where) scan.filter = bound(*statement_->where);
      plan_.steps.push_back(std::move(scan));
      return std::move(plan_);
    }
    DOLMEN_TRY_VOID(check_key_types(*statement_->where, source_));
    DOLMEN_TRY_VOID(divide());
    DOLMEN_TRY_VOID(check_filters());
    order_branches();
    for (std::size_t i = 0; i < branches_.size(); ++i) plan_.steps.push_back(step_of(i));
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool is_scan() const {
    if (!statement_->where || !pins_hash(*statement_->where, source_)) return true;
    // Two different values of the hash key at once are no key.
    if (count_branches(*statement_->where, source_) > limits::kDecomposedReads) return false;
    const std::vector<Branch> branches = branches_of(*statement_->where, source_);
    return std::ranges::any_of(branches, [](const Branch& branch) { return hash_value(branch) == nullptr; });
  }

  Result<void> check_order() {
    if (statement_->order.empty()) return {};
    if (!statement_->where)
      return fail(Code::kValidation, "Must have WHERE clause in the statement when using ORDER BY clause.");
    for (const OrderTerm& term : statement_->order)
      if (!source_.is_key(term.attribute))
        return fail(Code::kValidation, "Attribute {} in ORDER BY clause must be part of the primary key",
                    term.attribute);
    if (is_scan())
      return fail(Code::kValidation,
                  "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.");
    if (!order_of_key(source_.hash.name) && hash_values() > 1)
      return fail(Code::kValidation,
                  "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE "
                  "clause.");
    return {};
  }

  [[nodiscard]] std::size_t hash_values() const {
    if (count_branches(*statement_->where, source_) > limits::kDecomposedReads) return 1;
    std::vector<const AttributeValue*> values;
    for (const Branch& branch : branches_of(*statement_->where, source_)) {
      const AttributeValue* value = hash_value(branch);
      if (std::ranges::none_of(values, [&](const AttributeValue* other) { return *other == *value; }))
        values.push_back(value);
    }
    return values.size();
  }

  [[nodiscard]] const OrderTerm* order_of_key(const std::string& attribute) const {
    const auto found = std::ranges::find(statement_->order, attribute, &OrderTerm::attribute);
    return found == statement_->order.end() ? nullptr : &*found;
  }

  /// A global index returns only what it carries.
  Result<void> check_columns() const {
    if (source_.index == nullptr || source_.local) return {};
    std::vector<std::string> missing;
    for (const Column& column : statement_->columns) {
      const std::string& name = column.path.attribute();
      if (!source_.carries(name) && std::ranges::find(missing, name) == missing.end()) missing.push_back(name);
    }
    if (missing.empty()) return {};
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Global secondary index {} does not project [{}]",
                source_.index->name, fmt::join(missing, ", "));
  }

  void plan_projection() {
    if (statement_->star) return;
    auto projection = std::make_shared<BoundExpression>();
    std::set<std::string, std::less<>> names;
    for (const Column& column : statement_->columns)
      if (names.insert(column.path.attribute()).second) projection->paths.push_back({{column.path.attribute()}});
    plan_.projection = std::move(projection);
  }

  /// Finds the branches.
  Result<void> divide() {
    const Node& where = *statement_->where;
    if (count_branches(where, source_) > limits::kDecomposedReads)
      return fail(Code::kValidation, "Too many decomposed read operations for a given query.");
    branches_ = branches_of(where, source_);
    unites_ = source_.range && negates(where, source_.range->name);
    if (unites_) return {};
    for (std::size_t i = 0; i < branches_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (overlap(branches_[j], branches_[i]))
          return fail(Code::kValidation, "Overlapping conditions with range keys are not supported in where clause");
    return {};
  }

  /// What the index does not carry cannot be a filter; it matters when every branch has such a filter.
  Result<void> check_filters() const {
    if (source_.index == nullptr) return {};
    const AttributeValue* greatest = nullptr;
    std::vector<std::string> named;
    for (const Branch& branch : branches_) {
      std::vector<const expr::Path*> paths;
      for (const Node* node : branch.rest) expr::collect_paths(*node, paths);
      std::vector<std::string> missing;
      for (const expr::Path* path : paths)
        if (!source_.carries(path->attribute())) missing.push_back(path->attribute());
      if (missing.empty()) return {};
      const AttributeValue* value = hash_value(branch);
      if (greatest != nullptr && expr::order_of(*value, *greatest) != expr::Order::kGreater) continue;
      greatest = value;
      named = std::move(missing);
    }
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Secondary index {} does not project one or more filter "
                "attributes: [{}]",
                source_.index->name, fmt::join(in_java_order(named), ", "));
  }

  void order_branches() {
    plan_.listed = std::ranges::any_of(branches_, &Branch::listed);
    if (statement_->order.empty()) return;
    const OrderTerm* hash_order = order_of_key(source_.hash.name);
    const OrderTerm* range_order = source_.range ? order_of_key(source_.range->name) : nullptr;
    // A range key that ORDER BY does not name comes in descending order.
    plan_.forward = range_order != nullptr && !range_order->descending;
    const bool hash_forward = hash_order == nullptr || !hash_order->descending;
    std::ranges::stable_sort(branches_, [&](const Branch& one, const Branch& two) {
      const expr::Order hashes = expr::order_of(*hash_value(one), *hash_value(two));
      if (hashes != expr::Order::kEqual) return (hashes == expr::Order::kLess) == hash_forward;
      return plan_.forward ? begins_before(one, two) : begins_before(two, one);
    });
  }

  /// By the lower bounds of what the branches read. They do not overlap.
  static bool begins_before(const Branch& one, const Branch& two) {
    const AttributeValue* first = lower_bound_of(one);
    const AttributeValue* second = lower_bound_of(two);
    if (first == nullptr || second == nullptr) return first == nullptr && second != nullptr;
    const expr::Order order = expr::order_of(*first, *second);
    if (order != expr::Order::kEqual) return order == expr::Order::kLess;
    return range_test(one)->op == KeyOperator::kEqual && range_test(two)->op == KeyOperator::kGreater;
  }

  static const AttributeValue* lower_bound_of(const Branch& branch) {
    const KeyTest* test = range_test(branch);
    if (test == nullptr || test->op == KeyOperator::kLess || test->op == KeyOperator::kLessOrEqual) return nullptr;
    return test->value;
  }

  ReadStep step_of(std::size_t index) const {
    const Branch& branch = branches_[index];
    ReadStep step;
    std::vector<Node> filters;
    const AttributeValue& hash = *hash_value(branch);
    step.finds_nothing = is_too_long(hash, dolmen::limits::kPartitionKeyBytes);
    step.keys.emplace();
    step.keys->push_back({.attribute = source_.hash.name, .op = KeyOperator::kEqual, .value = hash, .upper = {}});
    const KeyTest* range = range_test(branch);
    for (const KeyTest& test : branch.keys) {
      if (test.of_hash) continue;
      const bool long_value = is_too_long(*test.value, dolmen::limits::kSortKeyBytes) ||
                              (test.upper != nullptr && is_too_long(*test.upper, dolmen::limits::kSortKeyBytes));
      if (&test != range || long_value) {
        filters.push_back(node_of(test, source_));
        continue;
      }
      step.keys->push_back({.attribute = source_.range->name,
                            .op = test.op,
                            .value = *test.value,
                            .upper = test.upper == nullptr ? AttributeValue() : *test.upper});
    }
    for (const Node* node : branch.rest) filters.push_back(*node);
    add_earlier(index, filters);
    if (!filters.empty()) step.filter = bound(joined_by(NodeKind::kAnd, std::move(filters)));
    return step;
  }

  /// A row that an earlier branch returns is not returned again.
  void add_earlier(std::size_t index, std::vector<Node>& filters) const {
    if (!unites_) return;
    for (std::size_t i = 0; i < index; ++i) {
      if (*hash_value(branches_[i]) != *hash_value(branches_[index])) continue;
      Node excluded{.kind = NodeKind::kNot};
      excluded.children.push_back(condition_of(branches_[i], source_));
      filters.push_back(std::move(excluded));
    }
  }

  [[nodiscard]] std::shared_ptr<const BoundExpression> bound(Node condition) const {
    return std::make_shared<BoundExpression>(
        BoundExpression{.condition = std::move(condition), .actions = {}, .paths = {}, .values = statement_});
  }

  std::shared_ptr<const Statement> statement_;
  Source source_;
  std::vector<Branch> branches_;
  bool unites_ = false;
  ReadPlan plan_;
};

}  // namespace

ReadManyRequest ReadPlan::request(const Statement& statement, std::size_t step) const {
  ReadManyRequest request{.table = statement.table, .index = statement.index, .forward = forward, .of_statement = true};
  request.key_conditions = steps[step].keys;
  if (steps[step].filter) request.filter = Expression{.text = {}, .generated = false, .bound = steps[step].filter};
  if (projection) request.projection = Expression{.text = {}, .generated = false, .bound = projection};
  return request;
}

Result<ReadPlan> plan_read(const std::shared_ptr<const Statement>& statement, const TableDefinition& table,
                           ReadPlanOptions options) {
  DOLMEN_TRY(Source source, find_source(statement->index, table));
  return ReadPlanner(statement, std::move(source)).run(options);
}

Result<std::optional<Item>> whole_key(const Statement& statement, const TableDefinition& table) {
  if (!statement.where) return std::nullopt;
  DOLMEN_TRY(const Source source, find_source(statement.index, table));
  const Node& where = *statement.where;
  const bool pinned = pins_hash(where, source);
  if (pinned && count_branches(where, source) > limits::kDecomposedReads)
    return fail(Code::kValidation, "Too many decomposed read operations for a given query.");
  if (!pinned || statement.index || !statement.order.empty()) return std::nullopt;
  const std::vector<Branch> branches = branches_of(where, source);
  if (branches.size() != 1 || !branches.front().rest.empty()) return std::nullopt;
  Item key;
  for (const KeyTest& test : branches.front().keys) {
    const std::string& name = test.of_hash ? source.hash.name : source.range->name;
    const AttributeValue* before = key.find(name);
    if (test.op != KeyOperator::kEqual || (before != nullptr && *before != *test.value)) return std::nullopt;
    key.set(name, *test.value);
  }
  if (key.size() != (source.range ? 2U : 1U)) return std::nullopt;
  DOLMEN_TRY_VOID(check_key_types(where, source));
  return key;
}

Item row_of(const Statement& statement, const Item& item) {
  if (statement.star) return item;
  Item row;
  for (const Column& column : statement.columns)
    if (const AttributeValue* value = expr::find(item, column.path)) row.set(column.name, *value);
  return row;
}

}  // namespace dolmen::partiql
