#include "cli/where.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/base64.h"
#include "base/fail.h"

namespace dolmen::cli {
namespace {

using WhereNode = Where::Node;

Condition condition_of(const WhereNode& node) {
  switch (node.kind) {
    case WhereNode::Kind::kLeaf: return node.condition;
    case WhereNode::Kind::kNot: return !condition_of(node.parts.front());
    case WhereNode::Kind::kAnd:
    case WhereNode::Kind::kOr: break;
  }
  Condition all;
  for (const WhereNode& part : node.parts)
    all = node.kind == WhereNode::Kind::kAnd ? std::move(all) && condition_of(part)
                                             : std::move(all) || condition_of(part);
  return all;
}

/// The parts that must all hold.
void collect_terms(const WhereNode& node, std::vector<const WhereNode*>& terms) {
  if (node.kind != WhereNode::Kind::kAnd) return terms.push_back(&node);
  for (const WhereNode& part : node.parts) collect_terms(part, terms);
}

/// The leaf below `node` that looks at the attribute.
const WhereNode* mention_of(const WhereNode& node, const std::string& attribute) {
  if (std::ranges::find(node.mentions, attribute) != node.mentions.end()) return &node;
  for (const WhereNode& part : node.parts)
    if (const WhereNode* found = mention_of(part, attribute)) return found;
  return nullptr;
}

bool is_about(const WhereNode& term, const KeyAttribute& key) {
  return term.kind == WhereNode::Kind::kLeaf && term.attribute == key.name && !term.values.empty();
}

/// The value in the type of the key attribute.
Result<AttributeValue> key_value(const WhereNode& term, const KeyAttribute& key, const AttributeValue& value) {
  if (key.type == KeyType::kString && value.type() == Type::kString) return value;
  if (key.type == KeyType::kNumber && value.type() == Type::kNumber) return value;
  if (key.type == KeyType::kBinary && value.type() == Type::kString)
    if (Result<std::string> bytes = decode_base64(value.string())) return AttributeValue(Bytes(*std::move(bytes)));
  const char* wanted = key.type == KeyType::kString   ? "a text in quotes"
                       : key.type == KeyType::kNumber ? "a number, without quotes"
                                                      : "base64 in quotes";
  return fail(Code::kInvalidArgument, "column {}: the key \"{}\" has the type {}; compare it with {}", term.column,
              key.name, key_type_name(key.type), wanted);
}

/// The condition of a query that a term on a key attribute is.
Result<Condition> key_condition(const WhereNode& term, const KeyAttribute& key) {
  std::vector<AttributeValue> values;
  for (const AttributeValue& value : term.values) {
    DOLMEN_TRY(values.emplace_back(), key_value(term, key, value));
  }
  const Path path(key.name);
  if (term.comparison == "=") return path == values[0];
  if (term.comparison == "<") return path < values[0];
  if (term.comparison == "<=") return path <= values[0];
  if (term.comparison == ">") return path > values[0];
  if (term.comparison == ">=") return path >= values[0];
  if (term.comparison == "BETWEEN") return path.between(values[0], values[1]);
  if (term.comparison == "begins_with") return path.begins_with(values[0]);
  return fail(Code::kInvalidArgument,
              "column {}: a query compares the sort key \"{}\" by =, <, <=, >, >=, BETWEEN or begins_with only; use "
              "\"dolmen scan\" for other conditions",
              term.column, key.name);
}

/// Takes the terms of a query out of a condition.
class QuerySplit {
 public:
  QuerySplit(std::vector<const WhereNode*> terms, const WhereKeys& keys) : terms_(std::move(terms)), keys_(keys) {}

  Result<WhereQuery> run() {
    WhereQuery query;
    for (const KeyAttribute& key : keys_.partition) {
      const WhereNode* term = take(key, [](const WhereNode& each) { return each.comparison == "="; });
      if (term == nullptr)
        return fail(Code::kInvalidArgument, "a query needs {} = VALUE, the partition key of {}{}", key.name,
                    keys_.owner, unquoted_text(key));
      DOLMEN_TRY(Condition equal, key_condition(*term, key));
      query.key = std::move(query.key) && std::move(equal);
    }
    for (const KeyAttribute& key : keys_.sort) {
      DOLMEN_TRY(const std::optional<WhereNode> term, sort_term(key));
      if (!term) break;
      DOLMEN_TRY(Condition condition, key_condition(*term, key));
      query.key = std::move(query.key) && std::move(condition);
      if (term->comparison != "=") break;
    }
    for (const WhereNode* term : terms_) {
      DOLMEN_TRY_VOID(check_filter(*term));
      query.filter = std::move(query.filter) && condition_of(*term);
    }
    return query;
  }

 private:
  /// What to do when the key is compared with something that was perhaps meant as a text.
  [[nodiscard]] std::string unquoted_text(const KeyAttribute& key) const {
    for (const WhereNode* term : terms_)
      if (term->kind == WhereNode::Kind::kLeaf && term->comparison == "=" && term->mentions.size() == 2 &&
          term->mentions.front() == key.name)
        return fmt::format("; {0} is the name of an attribute here, write \"{0}\" for a text", term->mentions.back());
    return "";
  }

  template <class Test>
  const WhereNode* take(const KeyAttribute& key, Test test) {
    const auto found =
        std::ranges::find_if(terms_, [&](const WhereNode* term) { return is_about(*term, key) && test(*term); });
    if (found == terms_.end()) return nullptr;
    const WhereNode* term = *found;
    terms_.erase(found);
    return term;
  }

  /// Two bounds that are inside are one BETWEEN.
  Result<std::optional<WhereNode>> sort_term(const KeyAttribute& key) {
    const WhereNode* first = take(key, [](const WhereNode&) { return true; });
    if (first == nullptr) return std::optional<WhereNode>();
    WhereNode term = *first;
    const WhereNode* second = take(key, [](const WhereNode&) { return true; });
    if (second == nullptr) return std::optional(std::move(term));
    const bool rising = first->comparison == ">=" && second->comparison == "<=";
    const bool falling = first->comparison == "<=" && second->comparison == ">=";
    if (!rising && !falling)
      return fail(Code::kInvalidArgument,
                  "column {}: a query takes one condition on the sort key \"{}\"; >= and <= together, or BETWEEN, make "
                  "a range",
                  second->column, key.name);
    term.comparison = "BETWEEN";
    term.values = {(rising ? first : second)->values[0], (rising ? second : first)->values[0]};
    return std::optional(std::move(term));
  }

  [[nodiscard]] Result<void> check_filter(const WhereNode& term) const {
    for (const auto* keys : {&keys_.partition, &keys_.sort})
      for (const KeyAttribute& key : *keys)
        if (const WhereNode* mention = mention_of(term, key.name))
          return fail(Code::kInvalidArgument,
                      "column {}: \"{}\" is a key of {}, which a query uses only once, by = for the partition key or "
                      "in one range for the sort key; use \"dolmen scan\" for other conditions",
                      mention->column, key.name, keys_.owner);
    return {};
  }

  std::vector<const WhereNode*> terms_;
  const WhereKeys& keys_;
};

}  // namespace

Condition Where::condition() const { return condition_of(root_); }

Result<WhereQuery> Where::query(const WhereKeys& keys) const {
  std::vector<const WhereNode*> terms;
  collect_terms(root_, terms);
  return QuerySplit(std::move(terms), keys).run();
}

bool Where::names_partition(const std::vector<KeyAttribute>& partition) const {
  std::vector<const WhereNode*> terms;
  collect_terms(root_, terms);
  return std::ranges::all_of(partition, [&](const KeyAttribute& key) {
    return std::ranges::any_of(terms,
                               [&](const WhereNode* term) { return is_about(*term, key) && term->comparison == "="; });
  });
}

}  // namespace dolmen::cli
