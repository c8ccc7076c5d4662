#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"
#include "expr/syntax.h"
#include "partiql/syntax.h"

namespace dolmen::partiql {

/// Makes the conditions and updates of expressions out of what a statement says. Failures are kValidation in DynamoDB's
/// words.
class Lowering {
 public:
  using Values = std::vector<std::unique_ptr<const AttributeValue>>;

  /// Values are added to `values`, to which the trees point.
  Lowering(std::span<const AttributeValue> parameters, Values& values) : parameters_(parameters), values_(values) {}

  /// The condition of a WHERE clause.
  Result<expr::Node> where(const Term& term);

  /// An action of SET or REMOVE.
  Result<expr::UpdateAction> action(const ActionSyntax& action);

  /// The value of an attribute of an INSERT.
  Result<AttributeValue> inserted(const Term& term) const;

 private:
  // conditions.cc
  Result<expr::Node> condition(const Term& term);
  Result<expr::Node> connective(const Term& term);
  Result<expr::Node> negation(const Term& term);
  Result<expr::Node> comparison(const Term& term);
  Result<expr::Node> membership(const Term& term);
  Result<expr::Node> between(const Term& term);
  Result<expr::Node> type_test(const Term& term);
  Result<expr::Node> call(const Term& term);
  Result<expr::Node> operand(const Term& term);
  Result<void> operands(const Term& term, expr::Node& node);
  Result<expr::Node> checked(expr::Node node);
  expr::Node value(AttributeValue value);
  Result<void> count_operator();

  // updates.cc
  Result<expr::Node> assigned(const Term& term);
  Result<expr::Node> assigned_call(const Term& term);
  Result<expr::Node> assigned_operator(const Term& term);
  Result<expr::UpdateAction> set_change(const ActionSyntax& action, const expr::Path& target);

  std::span<const AttributeValue> parameters_;
  Values& values_;
  unsigned operators_ = 0;
};

}  // namespace dolmen::partiql
