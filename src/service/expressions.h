#pragma once

#include <optional>
#include <vector>

#include "expr/binding.h"
#include "expr/syntax.h"
#include "service/requests.h"

namespace dolmen {

/// Reads the expressions of one request, which share their placeholders, in the order of the calls. Failures are
/// kValidation with DynamoDB's messages, and carry an ExpressionMistake (mistakes.h). The placeholders must outlive the
/// expressions.
class ExpressionReader {
 public:
  explicit ExpressionReader(const expr::Placeholders& placeholders) : binder_(placeholders) {}

  Result<expr::Node> key_condition(const Expression& expression);
  Result<expr::Node> filter(const Expression& expression);
  Result<expr::Node> condition(const Expression& expression);
  Result<expr::Node> search_condition(const Expression& expression);
  Result<std::vector<expr::UpdateAction>> update(const Expression& expression);
  Result<std::vector<expr::Path>> projection(const Expression& expression);

  /// Fails when none of the expressions uses one of the names or values.
  [[nodiscard]] Result<void> finish() const;

 private:
  Result<expr::Node> read_condition(const char* kind, const Expression& expression);

  expr::Binder binder_;
};

}  // namespace dolmen
