#include "partiql/statement.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/fail.h"
#include "base/limits.h"
#include "expr/path_rules.h"
#include "partiql/conditions.h"
#include "partiql/literal.h"
#include "partiql/path.h"
#include "service/table_rules.h"

namespace dolmen::partiql {
namespace {

constexpr std::string_view kOneTable = "Only select from a single table or index is supported.";
constexpr std::string_view kEmptyComponent = "Path component cannot be an empty string";

/// A table, or an index of one.
struct SourceName {
  std::string table;
  std::optional<std::string> index;
};

Result<void> check_source_name(const SourceName& name) {
  if (name.table.empty() || (name.index && name.index->empty())) return fail(Code::kValidation, "{}", kEmptyComponent);
  const bool fits = name.table.size() >= dolmen::limits::kTableNameMin &&
                    name.table.size() <= dolmen::limits::kTableNameMax &&
                    std::ranges::all_of(name.table, is_name_character);
  if (!fits)
    return fail(Code::kValidation,
                "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.");
  return {};
}

Result<SourceName> source_name(const Term& term) {
  SourceName name;
  if (term.kind == TermKind::kName) {
    name.table = term.text;
  } else if (term.kind == TermKind::kPath && term.children.front().kind == TermKind::kName) {
    if (term.children.size() > 2)
      return fail(Code::kValidation, "A path may contain at most 2 components in the FROM clause");
    name.table = term.children.front().text;
    const Term& step = term.children.back();
    if (step.kind == TermKind::kDotStep) {
      name.index = step.text;
    } else if (step.kind == TermKind::kIndexStep && step.children.front().kind == TermKind::kString) {
      name.index = step.children.front().text;
    } else if (step.kind == TermKind::kAllMembers) {
      return fail(Code::kValidation, "Unpivot path component like a.*.b are not supported{}", at_text(step.position));
    } else {
      return fail(Code::kValidation, "Invalid list expression in source.");
    }
  } else {
    return fail(Code::kValidation, "Unexpected from source");
  }
  DOLMEN_TRY_VOID(check_source_name(name));
  return name;
}

Result<SourceName> source_name(const SourceSyntax& source) {
  if (source.several) return fail(Code::kValidation, "{}", kOneTable);
  if (source.aliased) return fail(Code::kValidation, "Aliasing is not supported");
  return source_name(source.term);
}

/// The name of the node that the root of a statement is, which is none of the known statements.
std::string node_name(const Term& root) {
  switch (root.kind) {
    case TermKind::kName: return "VariableReference";
    case TermKind::kPath: return "Path";
    case TermKind::kParameter: return "Parameter";
    case TermKind::kMissing: return "LiteralMissing";
    case TermKind::kList:
    case TermKind::kBag: return "Seq";
    case TermKind::kTuple: return "Struct";
    case TermKind::kCase: return root.children.empty() ? "SearchedCase" : "SimpleCase";
    case TermKind::kCast: return "Typed";
    case TermKind::kIs: return "IsType";
    case TermKind::kAggregate: return "CallAgg";
    case TermKind::kDate: return "Date";
    case TermKind::kDefinition: return root.text;
    default: return "Literal";
  }
}

bool is_exists(const Term& root) {
  return root.kind == TermKind::kCall && root.text == "exists" && root.children.size() == 1 &&
         root.children.front().kind == TermKind::kSelect;
}

/// The operator applications among the expressions.
bool is_operation(const Term& root) {
  return root.kind == TermKind::kUnary || root.kind == TermKind::kBinary || root.kind == TermKind::kBetween ||
         root.kind == TermKind::kCall;
}

std::string capitals(std::string_view words) {
  std::string upper(words);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

class Preparation {
 public:
  explicit Preparation(std::span<const AttributeValue> parameters)
      : statement_(std::make_shared<Statement>()), lowering_(parameters, statement_->values) {}

  Result<std::shared_ptr<const Statement>> select(const SelectSyntax& syntax, StatementKind kind) {
    statement_->kind = kind;
    DOLMEN_TRY_VOID(take_source(source_name(syntax.source)));
    if (syntax.distinct) return fail(Code::kValidation, "Unsupported token in expression: DISTINCT");
    if (syntax.value) return fail(Code::kValidation, "Select projection doesn't support value or pivot keywords");
    DOLMEN_TRY_VOID(take_columns(syntax));
    if (syntax.group) return fail(Code::kValidation, "Unsupported clause: GROUP BY");
    if (syntax.having) return fail(Code::kValidation, "Unsupported clause: HAVING{}", at_text(syntax.having->position));
    if (syntax.limit) return fail(Code::kValidation, "Unsupported clause: LIMIT{}", at_text(syntax.limit->position));
    DOLMEN_TRY_VOID(take_where(syntax.where));
    take_order(syntax);
    return statement_;
  }

  Result<std::shared_ptr<const Statement>> insert(const InsertSyntax& syntax) {
    statement_->kind = StatementKind::kInsert;
    if (!syntax.has_value) return fail(Code::kValidation, "Unsupported operation: InsertOp");
    if (syntax.target.kind != TermKind::kName)
      return fail(Code::kValidation,
                  "FROM clause may only contain a single table name in data manipulation statements{}",
                  at_text(syntax.target.position));
    if (syntax.at)
      return fail(Code::kValidation, "AT is not supported in insert statements.{}", at_text(syntax.position));
    if (syntax.on_conflict) return fail(Code::kValidation, "Unsupported clause: ON CONFLICT");
    DOLMEN_TRY_VOID(take_source(source_name(syntax.target)));
    if (syntax.value.kind != TermKind::kTuple)
      return fail(Code::kValidation,
                  "Unsupported format in item expression. Please use struct format {{...}} to express item values for "
                  "insert statement.{}",
                  at_text(syntax.value.position));
    DOLMEN_TRY_VOID(take_item(syntax.value));
    DOLMEN_TRY_VOID(take_returning(syntax.returning));
    return statement_;
  }

  Result<std::shared_ptr<const Statement>> change(const ChangeSyntax& syntax) {
    statement_->kind = syntax.deletes ? StatementKind::kDelete : StatementKind::kUpdate;
    if (!syntax.source) return fail(Code::kValidation, "{}", kOneTable);
    DOLMEN_TRY_VOID(check_actions(syntax));
    DOLMEN_TRY_VOID(take_source(source_name(*syntax.source)));
    if (statement_->index) return fail(Code::kValidation, "This operation is not supported on an index");
    DOLMEN_TRY_VOID(take_actions(syntax));
    if (!syntax.where)
      return fail(Code::kValidation, "Where clause does not contain a mandatory equality on all key attributes");
    DOLMEN_TRY_VOID(take_where(syntax.where));
    DOLMEN_TRY_VOID(take_returning(syntax.returning));
    return statement_;
  }

 private:
  Result<void> take_source(Result<SourceName> name) {
    if (!name) return std::unexpected(std::move(name).error());
    statement_->table = std::move(name->table);
    statement_->index = std::move(name->index);
    return {};
  }

  Result<void> take_columns(const SelectSyntax& syntax) {
    statement_->star = syntax.star;
    std::set<std::string, std::less<>> names;
    for (const ColumnSyntax& column : syntax.columns) {
      if (column.aliased) return fail(Code::kValidation, "Aliasing is not supported");
      const Term& term = column.term;
      if (term.kind == TermKind::kPath && term.children.back().kind == TermKind::kAllMembers)
        return fail(Code::kValidation, "Changing item's hierarchy while reading isn't supported");
      DOLMEN_TRY(expr::Path path, path_of(term));
      std::string name = column_name(path);
      if (!names.insert(name).second)
        return fail(Code::kValidation, "Duplicate identifiers in select clause: {}", name);
      statement_->columns.push_back({std::move(path), std::move(name)});
    }
    std::vector<const expr::Path*> paths;
    for (const Column& column : statement_->columns) paths.push_back(&column.path);
    return expr::check_apart(paths);
  }

  Result<void> take_where(const std::optional<Term>& where) {
    if (!where) return {};
    DOLMEN_TRY(statement_->where, lowering_.where(*where));
    return {};
  }

  void take_order(const SelectSyntax& syntax) {
    for (const OrderSyntax& order : syntax.order) {
      if (order.term.kind != TermKind::kName && !statement_->bad_order)
        statement_->bad_order =
            "Argument to ORDER BY must be of type VariableReference. Type: " + term_name(order.term);
      statement_->order.push_back({order.term.text, order.descending});
    }
  }

  Result<void> take_item(const Term& tuple) {
    for (std::size_t i = 0; i < tuple.children.size(); i += 2) {
      const Term& key = tuple.children[i];
      // The rules for the names of attributes are those of every tuple.
      Term alone;
      alone.kind = TermKind::kTuple;
      alone.children = {key, Term()};
      DOLMEN_TRY_VOID(literal_value(alone));
      if (statement_->item.contains(key.text))
        return fail(Code::kValidation, "Duplicate keys in tuple. Key: {} under root{}", key.text,
                    at_text(key.position));
      DOLMEN_TRY(AttributeValue value, lowering_.inserted(tuple.children[i + 1]));
      statement_->item.set(key.text, std::move(value));
    }
    return {};
  }

  static Result<void> check_actions(const ChangeSyntax& syntax) {
    const auto inserts = [](const ActionSyntax& action) { return action.kind == ActionSyntax::Kind::kInsert; };
    if (std::ranges::none_of(syntax.actions, inserts)) return {};
    if (syntax.actions.size() > 1)
      return fail(Code::kValidation, "Only SET and REMOVE are supported in update expressions at this time");
    return fail(Code::kValidation, "Unsupported FROM ... WHERE ... clause in INSERT statement.{}",
                at_text(syntax.position));
  }

  Result<void> take_actions(const ChangeSyntax& syntax) {
    for (const ActionSyntax& written : syntax.actions) {
      DOLMEN_TRY(expr::UpdateAction action, lowering_.action(written));
      statement_->actions.push_back(std::move(action));
    }
    std::vector<const expr::Path*> paths;
    for (const expr::UpdateAction& action : statement_->actions) paths.push_back(&action.path);
    return expr::check_apart(paths);
  }

  Result<void> take_returning(const std::optional<ReturningSyntax>& returning) {
    if (!returning) return {};
    if (returning->elements.size() > 1)
      return fail(Code::kValidation, "Invalid syntax with multiple returning elements in RETURNING clause");
    const ReturningSyntax::Element& element = returning->elements.front();
    if (!element.star)
      return fail(Code::kValidation, "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause");
    statement_->returning_words = capitals(element.words);
    if (element.words == "all old") statement_->returning = ReturnValues::kAllOld;
    if (element.words == "all new") statement_->returning = ReturnValues::kAllNew;
    if (element.words == "modified old") statement_->returning = ReturnValues::kUpdatedOld;
    if (element.words == "modified new") statement_->returning = ReturnValues::kUpdatedNew;
    return {};
  }

  std::shared_ptr<Statement> statement_;
  Lowering lowering_;
};

const SelectSyntax* select_of(const Term& root) {
  if (root.kind == TermKind::kSelect) return root.select.get();
  return is_exists(root) ? root.children.front().select.get() : nullptr;
}

}  // namespace

std::optional<Target> target_of(const Syntax& syntax) {
  const Term& root = syntax.root;
  const auto target = [](StatementKind kind, Result<SourceName> name) -> std::optional<Target> {
    if (!name) return std::nullopt;
    return Target{.kind = kind, .table = std::move(name->table), .index = std::move(name->index)};
  };
  if (const SelectSyntax* select = select_of(root))
    return target(root.kind == TermKind::kSelect ? StatementKind::kSelect : StatementKind::kExists,
                  source_name(select->source));
  if (root.kind == TermKind::kInsert) return target(StatementKind::kInsert, source_name(root.insert->target));
  if (root.kind == TermKind::kChange && root.change->source)
    return target(root.change->deletes ? StatementKind::kDelete : StatementKind::kUpdate,
                  source_name(*root.change->source));
  return std::nullopt;
}

Result<std::shared_ptr<const Statement>> prepare(const Syntax& syntax, std::span<const AttributeValue> parameters,
                                                 Place place) {
  const Term& root = syntax.root;
  const bool exists = is_exists(root);
  if (place == Place::kAlone && (exists || is_operation(root)))
    return fail(Code::kValidation, "EXISTS can only be used in ExecuteTransaction write requests.");
  if (!exists && is_operation(root)) return fail(Code::kValidation, "Unsupported operation in transaction.");
  const SelectSyntax* const select = select_of(root);
  if (select == nullptr && root.kind != TermKind::kInsert && root.kind != TermKind::kChange)
    return fail(Code::kValidation, "Unsupported operation: {}", node_name(root));
  if (parameters.size() != syntax.parameters)
    return fail(Code::kValidation, "Number of parameters in request and statement don't match.");
  Preparation preparation(parameters);
  if (select != nullptr) return preparation.select(*select, exists ? StatementKind::kExists : StatementKind::kSelect);
  return root.kind == TermKind::kInsert ? preparation.insert(*root.insert) : preparation.change(*root.change);
}

bool begins_as_read(std::string_view text) {
  const std::optional<std::vector<Token>> tokens = tokenize(text);
  if (!tokens) return false;
  const auto first = std::ranges::find_if_not(*tokens, [](const Token& token) { return token.is_symbol("("); });
  return first->is_keyword("select");
}

}  // namespace dolmen::partiql
