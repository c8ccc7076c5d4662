// The functions of ExpressionParser for statements.
#include <algorithm>
#include <memory>
#include <utility>

#include "partiql/expression_parser.h"

namespace dolmen::partiql {
namespace {

Term statement_term(TermKind kind, const Token& token) {
  Term term;
  term.kind = kind;
  term.text = token.text;
  term.position = token.position;
  return term;
}

}  // namespace

// ---- SELECT ----

bool ExpressionParser::select(Term& out) {
  out = statement_term(TermKind::kSelect, token());
  auto made = std::make_shared<SelectSyntax>();
  made->position = token().position;
  ++at_;
  if (take_keyword("distinct")) {
    made->distinct = true;
  } else {
    take_keyword("all");
  }
  if (take_keyword("value")) {
    made->value = true;
    if (!expression(made->columns.emplace_back().term)) return false;
  } else if (!select_list(*made)) {
    return false;
  }
  if (!after_projection(*made)) return false;
  out.select = std::move(made);
  return true;
}

bool ExpressionParser::pivot(Term& out) {
  out = statement_term(TermKind::kSelect, token());
  auto made = std::make_shared<SelectSyntax>();
  made->position = token().position;
  made->value = true;
  ++at_;
  if (!expression(made->columns.emplace_back().term) || !expect_keyword("at")) return false;
  if (!expression(made->columns.emplace_back().term) || !after_projection(*made)) return false;
  out.select = std::move(made);
  return true;
}

bool ExpressionParser::select_list(SelectSyntax& select) {
  std::size_t stars = 0;
  std::size_t count = 0;
  do {
    ++count;
    if (token().is_operator("*")) {
      ++at_;
      ++stars;
    } else if (!column(select)) {
      return false;
    }
  } while (take_symbol(","));
  if (stars > 0 && count > 1)
    return fail("Other expressions may not be present in the select list when '*' is used without dot notation.");
  select.star = stars > 0;
  return true;
}

bool ExpressionParser::column(SelectSyntax& select) {
  ColumnSyntax& column = select.columns.emplace_back();
  if (!expression(column.term)) return false;
  if (column.term.kind == TermKind::kPath && !check_column_path(column.term, select)) return false;
  return alias("as", true, column.aliased);
}

bool ExpressionParser::check_column_path(const Term& path, SelectSyntax& /*select*/) {
  constexpr std::string_view kInvalid = "Invalid use of * in select list";
  const auto is_kind = [](TermKind kind) { return [kind](const Term& step) { return step.kind == kind; }; };
  if (std::ranges::any_of(path.children, is_kind(TermKind::kAllElements))) return fail(kInvalid);
  const auto last = path.children.end() - 1;
  if (std::any_of(path.children.begin(), last, is_kind(TermKind::kAllMembers))) return fail(kInvalid);
  if (last->kind == TermKind::kAllMembers && std::ranges::any_of(path.children, is_kind(TermKind::kIndexStep)))
    return fail("Cannot use [] and * together in SELECT list expression");
  return true;
}

bool ExpressionParser::after_projection(SelectSyntax& select) {
  if (!take_keyword("from")) return fail("Expected FROM after SELECT list");
  if (!source(select.source, kSelectPrecedence)) return false;
  if (token().is_keyword("let") && !let_clause()) return false;
  if (take_keyword("where") && !expression(select.where.emplace(), kSelectPrecedence)) return false;
  if (take_keyword("order") && !order_by(select)) return false;
  if (take_keyword("group") && !group_by(select)) return false;
  if (take_keyword("having") && !expression(select.having.emplace(), kSelectPrecedence)) return false;
  if (take_keyword("limit") && !expression(select.limit.emplace(), kSelectPrecedence)) return false;
  return true;
}

bool ExpressionParser::order_by(SelectSyntax& select) {
  if (!take_keyword("by")) return fail("Expected BY");
  do {
    OrderSyntax& order = select.order.emplace_back();
    if (!expression(order.term)) return false;
    if (take_keyword("desc")) {
      order.descending = true;
    } else {
      take_keyword("asc");
    }
  } while (take_symbol(","));
  return true;
}

bool ExpressionParser::group_by(SelectSyntax& select) {
  select.group = true;
  take_keyword("partial");
  if (!take_keyword("by")) return fail("Expected BY");
  do {
    Term key;
    bool aliased = false;
    if (!expression(key, kSelectPrecedence) || !alias("as", true, aliased)) return false;
  } while (take_symbol(","));
  if (!take_keyword("group")) return true;
  return expect_keyword("as") && expect_name("Expected identifier for GROUP name");
}

bool ExpressionParser::let_clause() {
  ++at_;
  do {
    Term value;
    if (!expression(value)) return false;
    if (!take_keyword("as")) return fail("Expected AS following LET expr");
    if (!expect_name("Expected identifier for AS-alias")) return false;
  } while (take_symbol(","));
  return true;
}

bool ExpressionParser::expect_name(std::string_view problem) {
  if (!token().is_name()) return fail(problem);
  ++at_;
  return true;
}

bool ExpressionParser::alias(std::string_view keyword, bool keyword_is_optional, bool& aliased) {
  if (take_keyword(keyword)) {
    aliased = true;
    std::string upper(keyword);
    for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
    return expect_name("Expected identifier for " + upper + "-alias");
  }
  if (!keyword_is_optional || !token().is_name()) return true;
  ++at_;
  aliased = true;
  return true;
}

bool ExpressionParser::aliases(bool& aliased) {
  return alias("as", true, aliased) && alias("at", false, aliased) && alias("by", false, aliased);
}

bool ExpressionParser::source(SourceSyntax& out, int precedence) {
  ++depth_;
  if (too_deep()) return fail("The statement is nested too deeply");
  const bool subquery =
      token(1).kind == TokenKind::kString || token(1).kind == TokenKind::kNumber || token(1).is_keyword("select");
  if (take_keyword("unpivot")) {
    out.several = true;
    if (!expression(out.term, precedence)) return false;
  } else if (token().is_symbol("(") && !subquery) {
    ++at_;
    if (!source(out, precedence) || !expect_symbol(")")) return false;
  } else if (!expression(out.term, precedence)) {
    return false;
  }
  --depth_;
  return aliases(out.aliased) && joined_sources(out, precedence);
}

bool ExpressionParser::joined_sources(SourceSyntax& out, int precedence) {
  const auto is_join = [](const Token& token) {
    return token.kind == TokenKind::kKeyword && (token.text == "join" || token.text.ends_with(" join"));
  };
  while (token().is_symbol(",") || is_join(token())) {
    const bool on_clause = is_join(token()) && token().text.find("cross") == std::string::npos;
    ++at_;
    out.several = true;
    Term right;
    bool aliased = false;
    if (!expression(right, precedence) || !aliases(aliased)) return false;
    if (!on_clause) continue;
    if (!take_keyword("on")) return fail("Expected 'ON'");
    if (!expression(right, precedence)) return false;
  }
  return true;
}

// ---- INSERT, UPDATE, DELETE ----

bool ExpressionParser::insert(Term& out) {
  out = statement_term(TermKind::kInsert, token());
  auto made = std::make_shared<InsertSyntax>();
  made->position = token().position;
  // The place is that of INSERT, without INTO.
  made->position.length = 6;
  ++at_;
  if (!path(made->target, PathMode::kSimple)) return false;
  made->has_value = take_keyword("value");
  if (!expression(made->value)) return false;
  if (made->has_value) {
    if (take_keyword("at")) {
      Term position;
      made->at = true;
      if (!expression(position)) return false;
    }
    if (!on_conflict(*made) || !optional_returning(made->returning)) return false;
  }
  out.insert = std::move(made);
  return true;
}

bool ExpressionParser::on_conflict(InsertSyntax& insert) {
  if (!take_keyword("on conflict")) return true;
  constexpr std::string_view kInvalid = "invalid ON CONFLICT syntax";
  insert.on_conflict = true;
  if (!take_keyword("where")) return fail(kInvalid);
  Term condition;
  if (!expression(condition)) return false;
  return take_keyword("do nothing") || fail(kInvalid);
}

/// UPDATE and DELETE, whose source is a path and comes before what is done.
bool ExpressionParser::change(Term& out) {
  out = statement_term(TermKind::kChange, token());
  auto made = std::make_shared<ChangeSyntax>();
  made->position = token().position;
  made->deletes = token().is_keyword("delete");
  ++at_;
  if (made->deletes && !take_keyword("from")) return fail("Expected FROM after DELETE");
  SourceSyntax& source = made->source.emplace();
  if (!path(source.term, PathMode::kSimple) || !aliases(source.aliased)) return false;
  if (!made->deletes && !actions(*made)) return false;
  if (!optional_where(made->where) || !optional_returning(made->returning)) return false;
  out.change = std::move(made);
  return true;
}

bool ExpressionParser::from_first(Term& out) {
  out = statement_term(TermKind::kChange, token());
  auto made = std::make_shared<ChangeSyntax>();
  made->position = token().position;
  made->from_first = true;
  ++at_;
  if (!source(made->source.emplace(), -1)) return false;
  if (!optional_where(made->where) || !actions(*made) || !optional_returning(made->returning)) return false;
  out.change = std::move(made);
  return true;
}

/// SET or REMOVE without a table.
bool ExpressionParser::lone_action(Term& out) {
  out = statement_term(TermKind::kChange, token());
  auto made = std::make_shared<ChangeSyntax>();
  made->position = token().position;
  if (token().is_keyword("set")) {
    if (!set_action(*made)) return false;
  } else {
    ++at_;
    if (!path(made->actions.emplace_back(ActionSyntax{.kind = ActionSyntax::Kind::kRemove, .target = {}, .value = {}})
                  .target,
              PathMode::kSimple))
      return false;
  }
  out.change = std::move(made);
  return true;
}

bool ExpressionParser::actions(ChangeSyntax& change) {
  while (true) {
    if (token().is_keyword("set")) {
      if (!set_action(change)) return false;
    } else if (take_keyword("remove")) {
      ActionSyntax& action = change.actions.emplace_back();
      action.kind = ActionSyntax::Kind::kRemove;
      if (!path(action.target, PathMode::kSimple)) return false;
    } else if (token().is_keyword("insert into")) {
      Term inserted;
      if (!insert(inserted)) return false;
      change.actions.emplace_back().kind = ActionSyntax::Kind::kInsert;
    } else {
      return !change.actions.empty() || fail("Expected data manipulation");
    }
  }
}

bool ExpressionParser::set_action(ChangeSyntax& change) {
  ++at_;
  do {
    ActionSyntax& action = change.actions.emplace_back();
    if (!path(action.target, PathMode::kSimple)) return false;
    if (!token().is_operator("=")) return fail("Expected '='");
    ++at_;
    if (!expression(action.value)) return false;
  } while (take_symbol(","));
  return true;
}

bool ExpressionParser::optional_where(std::optional<Term>& where) {
  return !take_keyword("where") || expression(where.emplace());
}

bool ExpressionParser::optional_returning(std::optional<ReturningSyntax>& returning) {
  if (!take_keyword("returning")) return true;
  returning.emplace();
  do {
    const Token& words = token();
    const bool known = words.is_keyword("all old") || words.is_keyword("all new") || words.is_keyword("modified old") ||
                       words.is_keyword("modified new");
    if (!known) return fail("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
    ReturningSyntax::Element& element = returning->elements.emplace_back();
    element.words = words.text;
    ++at_;
    if (token().is_operator("*")) {
      element.star = true;
      ++at_;
      continue;
    }
    Term column;
    if (!expression(column)) return false;
    if (column.kind == TermKind::kPath) {
      if (column.children.size() > 2) return fail("More than two paths in RETURNING columns.");
    } else if (column.kind == TermKind::kCall || !column.children.empty() || column.kind == TermKind::kParameter) {
      return fail("Unsupported syntax in RETURNING columns.");
    }
  } while (take_symbol(","));
  return true;
}

// ---- What is never carried out ----

bool ExpressionParser::definition(Term& out) {
  if (token().is_keyword("create")) return create(out);
  return token().is_keyword("drop") ? drop(out) : exec(out);
}

bool ExpressionParser::create(Term& out) {
  out = statement_term(TermKind::kDefinition, token());
  ++at_;
  if (take_keyword("table")) {
    out.text = "CreateTable";
    return expect_name("Expected identifier!");
  }
  if (!take_keyword("index")) return fail("Unexpected token following CREATE");
  out.text = "CreateIndex";
  if (!take_keyword("on")) return fail("Expected ON");
  if (!expect_name("Index target must be an identifier")) return false;
  if (!take_symbol("(")) return fail("Expected parenthesis for keys");
  do {
    Term key;
    if (!path(key, PathMode::kSimple)) return false;
  } while (take_symbol(","));
  return expect_symbol(")");
}

bool ExpressionParser::drop(Term& out) {
  out = statement_term(TermKind::kDefinition, token());
  ++at_;
  if (take_keyword("table")) {
    out.text = "DropTable";
    return expect_name("Expected identifier!");
  }
  if (!take_keyword("index")) return fail("Unexpected token following DROP");
  out.text = "DropIndex";
  if (!expect_name("Expected identifier!")) return false;
  if (!take_keyword("on")) return fail("Expected ON");
  return expect_name("Table target must be an identifier");
}

bool ExpressionParser::exec(Term& out) {
  out = statement_term(TermKind::kDefinition, token());
  out.text = "Exec";
  ++at_;
  if (at_end()) return fail("No stored procedure provided");
  ++at_;
  if (at_end()) return true;
  if (token().is_symbol("(")) return fail("Unexpected LEFT_PAREN found following stored procedure call");
  std::vector<Term> given;
  return arguments(given);
}

}  // namespace dolmen::partiql
