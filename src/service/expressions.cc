#include "service/expressions.h"

#include <fmt/format.h>

#include "expr/cache.h"
#include "expr/parser.h"
#include "service/mistakes.h"

namespace dolmen {
namespace {

std::unexpected<Error> mistake(const Error& error, std::string message) {
  return std::unexpected(
      Error(error.code(), std::move(message), std::shared_ptr<const ErrorPayload>(new ExpressionMistake)));
}

/// Adds the name of the wrong expression to the error.
template <class T>
Result<T> labelled(const char* kind, Result<T> result) {
  if (result) return result;
  return mistake(result.error(), fmt::format("Invalid {}: {}", kind, result.error().message()));
}

/// A copy of the tree, into which a request's names and values are put.
template <class Tree>
Result<Tree> parsed_text(const Expression& expression, Result<std::shared_ptr<const Tree>> (*cached)(std::string_view),
                         Result<Tree> (*parse)(std::string_view, expr::TextLimits)) {
  if (expression.generated) return parse(expression.text, expr::TextLimits::kNone);
  DOLMEN_TRY(const std::shared_ptr<const Tree> shared, cached(expression.text));
  return *shared;
}

}  // namespace

Result<expr::Node> ExpressionReader::read_condition(const char* kind, const Expression& expression) {
  if (expression.bound) return expression.bound->condition;
  DOLMEN_TRY(expr::Node parsed, labelled(kind, parsed_text(expression, expr::cached_condition, expr::parse_condition)));
  return labelled(kind, binder_.condition(std::move(parsed)));
}

Result<expr::Node> ExpressionReader::key_condition(const Expression& expression) {
  return read_condition("KeyConditionExpression", expression);
}

Result<expr::Node> ExpressionReader::filter(const Expression& expression) {
  return read_condition("FilterExpression", expression);
}

Result<expr::Node> ExpressionReader::condition(const Expression& expression) {
  return read_condition("ConditionExpression", expression);
}

Result<expr::Node> ExpressionReader::search_condition(const Expression& expression) {
  return read_condition("SearchConditionExpression", expression);
}

Result<std::vector<expr::UpdateAction>> ExpressionReader::update(const Expression& expression) {
  constexpr const char* kKind = "UpdateExpression";
  if (expression.bound) return expression.bound->actions;
  DOLMEN_TRY(auto parsed, labelled(kKind, parsed_text(expression, expr::cached_update, expr::parse_update)));
  return labelled(kKind, binder_.update(std::move(parsed)));
}

Result<std::vector<expr::Path>> ExpressionReader::projection(const Expression& expression) {
  constexpr const char* kKind = "ProjectionExpression";
  if (expression.bound) return expression.bound->paths;
  DOLMEN_TRY(auto parsed, labelled(kKind, parsed_text(expression, expr::cached_projection, expr::parse_projection)));
  return labelled(kKind, binder_.projection(std::move(parsed)));
}

Result<void> ExpressionReader::finish() const {
  const Result<void> checked = binder_.check_all_used();
  return checked ? checked : mistake(checked.error(), checked.error().message());
}

}  // namespace dolmen
