#include "partiql/parser.h"

#include <utility>

#include "base/fail.h"
#include "expr/text_cache.h"
#include "partiql/expression_parser.h"

namespace dolmen::partiql {
namespace {

std::unexpected<Error> not_well_formed(std::string_view detail) {
  return fail(Code::kValidation, "Statement wasn't well formed, can't be processed: {}", detail);
}

bool changes_data(const Term& term) { return term.kind == TermKind::kInsert || term.kind == TermKind::kChange; }

bool changes_data_inside(const Term& term);

bool changes_data_inside(const SelectSyntax& select) {
  for (const ColumnSyntax& column : select.columns)
    if (changes_data_inside(column.term)) return true;
  return changes_data_inside(select.source.term) || (select.where && changes_data_inside(*select.where));
}

bool changes_data_inside(const ChangeSyntax& change) {
  for (const ActionSyntax& action : change.actions)
    if (action.kind == ActionSyntax::Kind::kSet && changes_data_inside(action.value)) return true;
  return (change.source && changes_data_inside(change.source->term)) ||
         (change.where && changes_data_inside(*change.where));
}

/// Whether the term is, or has in it, a statement that changes data.
bool changes_data_inside(const Term& term) {
  if (changes_data(term)) return true;
  for (const Term& child : term.children)
    if (changes_data_inside(child)) return true;
  return term.select && changes_data_inside(*term.select);
}

bool changes_data_below(const Term& root) {
  if (root.kind == TermKind::kInsert) return changes_data_inside(root.insert->value);
  if (root.kind == TermKind::kChange) return changes_data_inside(*root.change);
  return changes_data_inside(root);
}

}  // namespace

Result<Syntax> parse(std::string_view text) {
  std::optional<std::vector<Token>> tokens = tokenize(text);
  if (!tokens) return not_well_formed("");
  ExpressionParser parser(std::move(*tokens));
  Syntax syntax;
  if (!parser.statement(syntax.root)) return not_well_formed(parser.problem());
  if (changes_data_below(syntax.root))
    return not_well_formed("Keyword null only expected at the top level in the query");
  syntax.parameters = parser.parameters();
  return syntax;
}

Result<std::shared_ptr<const Syntax>> cached_syntax(std::string_view text) {
  static expr::TextCache<Syntax> cache(parse);
  return cache.get(text);
}

}  // namespace dolmen::partiql
