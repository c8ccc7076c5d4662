#include "partiql/write_plan.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "partiql/source.h"

namespace dolmen::partiql {
namespace {

using expr::Node;
using expr::NodeKind;

Node existence(std::string_view function, const std::string& attribute) {
  Node node{.kind = NodeKind::kFunction, .text = std::string(function)};
  node.children.push_back({.kind = NodeKind::kPath, .path = {{attribute}}});
  return node;
}

std::unexpected<Error> no_whole_key() {
  return fail(Code::kValidation, Reason::kKeyMismatch,
              "Where clause does not contain a mandatory equality on all key attributes");
}

std::unexpected<Error> other_type(const KeyAttribute& key) {
  return fail(Code::kValidation, Reason::kKeyMismatch,
              "Key attribute's data type should match its data type in table's schema: Key {}", key.name);
}

/// The parts of a condition that must all hold.
void collect_conjuncts(const Node& node, std::vector<const Node*>& out) {
  if (node.kind != NodeKind::kAnd) {
    out.push_back(&node);
    return;
  }
  for (const Node& child : node.children) collect_conjuncts(child, out);
}

/// A key attribute and the value that it must have.
struct KeyEquality {
  const std::string* name = nullptr;
  const AttributeValue* value = nullptr;
};

KeyEquality equality_of(const Node& node) {
  if (node.kind != NodeKind::kEqual) return {};
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const Node& path = node.children[side];
    const Node& value = node.children[1 - side];
    if (path.kind == NodeKind::kPath && !path.path.is_nested() && value.kind == NodeKind::kValue)
      return {&path.path.attribute(), value.value};
  }
  return {};
}

class WritePlanner {
 public:
  WritePlanner(const std::shared_ptr<const Statement>& statement, const TableDefinition& table)
      : statement_(statement), table_(table) {
    keys_.push_back(&table.partition_key);
    if (table.sort_key) keys_.push_back(&*table.sort_key);
  }

  Result<WriteRequest> insert() {
    if (statement_->returning) return fail(Code::kValidation, "RETURNING is not supported in INSERT");
    for (const KeyAttribute* key : keys_) {
      const AttributeValue* value = statement_->item.find(key->name);
      if (value == nullptr)
        return fail(Code::kValidation, Reason::kKeyMismatch, "Key attribute should be present in the item: Key {}",
                    key->name);
      if (type_name(value->type()) != key_type_name(key->type)) return other_type(*key);
    }
    WriteRequest request{.kind = WriteKind::kPut, .table = statement_->table, .item = encode_item(statement_->item)};
    request.condition = bound_condition(existence("attribute_not_exists", table_.partition_key.name));
    return request;
  }

  Result<WriteRequest> change() {
    if (statement_->kind == StatementKind::kDelete && statement_->returning &&
        statement_->returning != ReturnValues::kAllOld)
      return fail(Code::kValidation,
                  "Invalid returning clause: RETURNING {} *. Only RETURNING ALL OLD * is allowed in DELETE statements.",
                  statement_->returning_words);
    DOLMEN_TRY_VOID(find_key());
    const std::string& hash = table_.partition_key.name;
    WriteRequest request{.table = statement_->table, .item = encode_item(key_)};
    request.return_values = statement_->returning.value_or(ReturnValues::kNone);
    request.limit_statement = false;
    if (statement_->kind == StatementKind::kUpdate) {
      request.kind = WriteKind::kUpdate;
      rest_.insert(rest_.begin(), existence("attribute_exists", hash));
      auto update = std::make_shared<BoundExpression>();
      update->actions = statement_->actions;
      update->values = statement_;
      request.update = Expression{.text = {}, .generated = false, .bound = std::move(update)};
      request.condition = bound_condition(all_of_rest());
      return request;
    }
    request.kind = WriteKind::kDelete;
    if (rest_.empty()) return request;
    Node either{.kind = NodeKind::kOr};
    either.children.push_back(existence("attribute_not_exists", hash));
    either.children.push_back(all_of_rest());
    request.condition = bound_condition(std::move(either));
    return request;
  }

  Result<WriteRequest> check() {
    constexpr std::string_view kForm = "EXISTS() must contain a single item read with additional condition";
    if (!statement_->where) return fail(Code::kValidation, "{}", kForm);
    first_value_wins_ = true;
    if (Result<void> found = find_key(); !found) {
      if (key_.size() == keys_.size()) return std::unexpected(std::move(found).error());
      return fail(Code::kValidation, "{}", kForm);
    }
    if (rest_.empty()) return fail(Code::kValidation, "{}", kForm);
    WriteRequest request{.kind = WriteKind::kCheck, .table = statement_->table, .item = encode_item(key_)};
    request.condition = bound_condition(all_of_rest());
    return request;
  }

 private:
  /// Takes the equalities on keys out of the condition.
  Result<void> find_key() {
    std::vector<const Node*> conjuncts;
    collect_conjuncts(*statement_->where, conjuncts);
    for (const Node* node : conjuncts) {
      const KeyEquality equality = equality_of(*node);
      const bool of_key = equality.name != nullptr && std::ranges::any_of(keys_, [&](const KeyAttribute* key) {
                            return key->name == *equality.name;
                          });
      if (!of_key) {
        rest_.push_back(*node);
        continue;
      }
      const AttributeValue* before = key_.find(*equality.name);
      if (before == nullptr) {
        key_.set(*equality.name, *equality.value);
      } else if (*before != *equality.value) {
        if (!first_value_wins_)
          return fail(Code::kValidation, Reason::kKeyMismatch,
                      "Multiple conditions on same key {}. Only single item Update/Insert/Delete are supported",
                      *equality.name);
        rest_.push_back(*node);
      }
    }
    if (key_.size() != keys_.size()) return no_whole_key();
    return check_key();
  }

  [[nodiscard]] Result<void> check_key() const {
    for (const KeyAttribute* key : keys_) {
      const Type type = key_.at(key->name).type();
      if (type != Type::kString && type != Type::kNumber && type != Type::kBinary)
        return fail(Code::kValidation, Reason::kKeyMismatch,
                    "Key value must be of type S, N, or B. Key name: {}, Key type: {}", key->name, type_name(type));
      if (type_name(type) != key_type_name(key->type)) return other_type(*key);
    }
    return {};
  }

  Node all_of_rest() {
    if (rest_.size() == 1) return std::move(rest_.front());
    Node all{.kind = NodeKind::kAnd};
    all.children = std::move(rest_);
    return all;
  }

  [[nodiscard]] Expression bound_condition(Node condition) const {
    auto bound = std::make_shared<BoundExpression>();
    bound->condition = std::move(condition);
    bound->values = statement_;
    return Expression{.text = {}, .generated = false, .bound = std::move(bound)};
  }

  std::shared_ptr<const Statement> statement_;
  const TableDefinition& table_;
  std::vector<const KeyAttribute*> keys_;
  Item key_;
  std::vector<Node> rest_;
  bool first_value_wins_ = false;
};

}  // namespace

Result<WriteRequest> plan_write(const std::shared_ptr<const Statement>& statement, const TableDefinition& table) {
  WritePlanner planner(statement, table);
  if (statement->kind == StatementKind::kInsert) return planner.insert();
  return statement->kind == StatementKind::kExists ? planner.check() : planner.change();
}

}  // namespace dolmen::partiql
