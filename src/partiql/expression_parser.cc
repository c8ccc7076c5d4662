#include "partiql/expression_parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"

namespace dolmen::partiql {
namespace {

/// How tightly an infix operator binds; 0 for what is no infix operator.
int precedence_of(const Token& token) {
  if (token.kind != TokenKind::kOperator) return 0;
  const std::string_view op = token.text;
  const auto is_one_of = [op](std::initializer_list<std::string_view> all) {
    return std::ranges::find(all, op) != all.end();
  };
  if (is_one_of({"union", "union all", "intersect", "intersect all", "except", "except all"})) return 5;
  if (op == "or") return 10;
  if (op == "and") return 20;
  if (is_one_of({"=", "<>", "is", "is not", "in", "not in"})) return 40;
  if (is_one_of({"<", "<=", ">", ">=", "between", "not between", "like", "not like"})) return 50;
  if (is_one_of({"+", "-", "||"})) return 60;
  if (is_one_of({"*", "/", "%"})) return 70;
  return 0;
}

constexpr int kNotPrecedence = 30;

/// Keywords that may be followed by parentheses and arguments.
bool names_function(std::string_view keyword) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"avg",  "bag",   "bit_length", "char_length", "character_length", "coalesce",     "count",     "exists",
       "list", "lower", "max",        "min",         "nullif",           "octet_length", "position",  "sexp",
       "size", "sum",   "upper",      "extract",     "date_add",         "date_diff",    "substring", "trim"});
  return std::ranges::find(kNames, keyword) != kNames.end();
}

bool names_aggregate(std::string_view keyword) {
  return keyword == "avg" || keyword == "max" || keyword == "min" || keyword == "sum" || keyword == "count";
}

struct TypeName {
  std::string_view written;
  std::string_view name;
};

/// The names of types and what messages call them.
constexpr auto kTypeNames = std::to_array<TypeName>({
    {"bool", "BOOLEAN"},
    {"boolean", "BOOLEAN"},
    {"smallint", "SMALLINT"},
    {"integer", "INTEGER"},
    {"int", "INTEGER"},
    {"int2", "SMALLINT"},
    {"int4", "INTEGER4"},
    {"int8", "INTEGER8"},
    {"integer2", "SMALLINT"},
    {"integer4", "INTEGER4"},
    {"integer8", "INTEGER8"},
    {"bigint", "INTEGER8"},
    {"float", "FLOAT"},
    {"real", "REAL"},
    {"double precision", "DOUBLE_PRECISION"},
    {"decimal", "DECIMAL"},
    {"dec", "DECIMAL"},
    {"numeric", "NUMERIC"},
    {"timestamp", "TIMESTAMP"},
    {"date", "DATE"},
    {"time", "TIME"},
    {"character", "CHARACTER"},
    {"char", "CHARACTER"},
    {"character varying", "CHARACTER_VARYING"},
    {"varchar", "CHARACTER_VARYING"},
    {"string", "STRING"},
    {"symbol", "SYMBOL"},
    {"clob", "CLOB"},
    {"blob", "BLOB"},
    {"struct", "STRUCT"},
    {"tuple", "TUPLE"},
    {"list", "LIST"},
    {"sexp", "SEXP"},
    {"bag", "BAG"},
    {"missing", "MISSING"},
    {"null", "NULL"},
});

std::string_view symbol_name(std::string_view symbol) {
  if (symbol == ")") return "RIGHT_PAREN";
  if (symbol == "]") return "RIGHT_BRACKET";
  if (symbol == "}") return "RIGHT_CURLY";
  if (symbol == ">>") return "RIGHT_DOUBLE_ANGLE_BRACKET";
  if (symbol == "(") return "LEFT_PAREN";
  if (symbol == ",") return "COMMA";
  return "COLON";
}

/// Raises a counter while something is parsed that may nest.
class Deeper {
 public:
  explicit Deeper(unsigned& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  unsigned& depth_;
};

Term leaf(TermKind kind, const Token& token) {
  Term term;
  term.kind = kind;
  term.text = token.text;
  term.position = token.position;
  return term;
}

}  // namespace

// ---- Tokens ----

bool ExpressionParser::take_symbol(std::string_view symbol) {
  if (!token().is_symbol(symbol)) return false;
  ++at_;
  return true;
}

bool ExpressionParser::take_keyword(std::string_view keyword) {
  if (!token().is_keyword(keyword)) return false;
  ++at_;
  return true;
}

bool ExpressionParser::fail(std::string_view problem) {
  problem_ = problem;
  return false;
}

bool ExpressionParser::expect_symbol(std::string_view symbol) {
  return take_symbol(symbol) || fail(std::string("Expected ").append(symbol_name(symbol)));
}

bool ExpressionParser::expect_keyword(std::string_view keyword) {
  if (take_keyword(keyword)) return true;
  std::string upper(keyword);
  std::ranges::transform(upper, upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return fail("Expected " + upper + " keyword");
}

// ---- Expressions ----

bool ExpressionParser::statement(Term& out) {
  if (!expression(out)) return false;
  if (take_symbol(";")) return at_end() || fail("Unexpected token after semicolon. (Only one query is allowed.)");
  return at_end() || fail("Unexpected token after expression");
}

bool ExpressionParser::expression(Term& out, int precedence) {
  const Deeper deeper(depth_);
  if (too_deep()) return fail("The statement is nested too deeply");
  if (!unary(out)) return false;
  while (precedence_of(token()) > 0 && precedence < precedence_of(token())) {
    const Token op = token();
    if (!infix(out, op)) return false;
  }
  return true;
}

bool ExpressionParser::infix(Term& left, const Token& op) {
  if (op.text == "between" || op.text == "not between") return between_sides(left, op);
  Term node = leaf(TermKind::kBinary, op);
  if (op.text == "is" || op.text == "is not") {
    ++at_;
    node.kind = TermKind::kIs;
    if (!type_name(node.type)) return false;
    node.children.push_back(std::move(left));
    left = std::move(node);
    return true;
  }
  Term right;
  const bool listed = (op.text == "in" || op.text == "not in") && token(1).is_symbol("(") &&
                      !token(2).is_keyword("select") && !token(2).is_keyword("values");
  if (listed) {
    if (!in_list(right)) return false;
  } else if (!right_side(right, precedence_of(op))) {
    return false;
  }
  if ((op.text == "like" || op.text == "not like") && take_keyword("escape")) {
    Term escape;
    if (!expression(escape, precedence_of(op))) return false;
  }
  const bool chains = op.text == "and" || op.text == "or";
  if (chains && left.kind == TermKind::kBinary && left.text == op.text && !left.grouped) {
    left.children.push_back(std::move(right));
    return true;
  }
  node.children.push_back(std::move(left));
  node.children.push_back(std::move(right));
  left = std::move(node);
  return true;
}

bool ExpressionParser::right_side(Term& out, int precedence) {
  if (token(1).kind == TokenKind::kEnd) return fail("Missing right-hand side expression of infix operator");
  ++at_;
  return expression(out, precedence);
}

bool ExpressionParser::between_sides(Term& left, const Token& op) {
  Term node = leaf(TermKind::kBetween, op);
  node.children.push_back(std::move(left));
  if (!right_side(node.children.emplace_back(), precedence_of(op))) return false;
  if (!token().is_operator("and")) return fail("Expected AND keyword");
  ++at_;
  if (at_end() || (token().is_symbol(";") && token(1).kind == TokenKind::kEnd))
    return fail("Expected expression after AND");
  if (!expression(node.children.emplace_back(), precedence_of(op))) return false;
  left = std::move(node);
  return true;
}

/// IN (a, b): even one member in parentheses is a list.
bool ExpressionParser::in_list(Term& out) {
  out = leaf(TermKind::kList, token(1));
  at_ += 2;
  return arguments(out.children) && expect_symbol(")");
}

bool ExpressionParser::unary(Term& out) {
  if (!token().is_operator("not") && !token().is_operator("+") && !token().is_operator("-")) return path(out);
  const Deeper deeper(depth_);
  if (too_deep()) return fail("The statement is nested too deeply");
  const Token op = token();
  ++at_;
  Term operand;
  if (op.text == "not") {
    if (!expression(operand, kNotPrecedence)) return false;
  } else {
    if (!unary(operand)) return false;
    // A sign is part of a number.
    if (operand.kind == TermKind::kNumber) {
      out = std::move(operand);
      if (op.text == "-") out.text = out.text.starts_with('-') ? out.text.substr(1) : "-" + out.text;
      return true;
    }
  }
  out = leaf(TermKind::kUnary, op);
  out.children.push_back(std::move(operand));
  return true;
}

bool ExpressionParser::path(Term& out, PathMode mode) {
  Term first;
  if (mode == PathMode::kFull) {
    if (!term(first)) return false;
  } else {
    if (!token().is_name()) return fail("Expected identifier for simple path");
    first = leaf(TermKind::kName, token());
    ++at_;
  }
  if (!token().is_symbol(".") && !token().is_symbol("[")) {
    out = std::move(first);
    return true;
  }
  out = Term();
  out.kind = TermKind::kPath;
  out.position = first.position;
  out.children.push_back(std::move(first));
  while (true) {
    if (token().is_symbol(".")) {
      if (!dot_step(out, mode)) return false;
    } else if (token().is_symbol("[")) {
      if (!index_step(out, mode)) return false;
    } else {
      return true;
    }
  }
}

bool ExpressionParser::dot_step(Term& path, PathMode mode) {
  ++at_;
  if (token().is_operator("*")) {
    if (mode == PathMode::kSimple) return fail("Invalid path dot component for simple path");
    path.children.push_back(leaf(TermKind::kAllMembers, token()));
  } else if (token().is_name()) {
    path.children.push_back(leaf(TermKind::kDotStep, token()));
  } else {
    return fail("Invalid path dot component");
  }
  ++at_;
  return true;
}

bool ExpressionParser::index_step(Term& path, PathMode mode) {
  Term step = leaf(TermKind::kIndexStep, token());
  ++at_;
  if (token().is_operator("*")) {
    step = leaf(TermKind::kAllElements, token());
    ++at_;
  } else if (!expression(step.children.emplace_back())) {
    return false;
  }
  if (!expect_symbol("]")) return false;
  if (mode == PathMode::kSimple) {
    const bool literal = !step.children.empty() &&
                         (step.children[0].kind == TermKind::kNumber || step.children[0].kind == TermKind::kString ||
                          step.children[0].kind == TermKind::kName);
    if (!literal) return fail("Invalid path component for simple path");
  }
  path.children.push_back(std::move(step));
  return true;
}

bool ExpressionParser::term(Term& out) {
  switch (token().kind) {
    case TokenKind::kOperator: return operator_term(out);
    case TokenKind::kKeyword: return keyword_term(out);
    case TokenKind::kSymbol: return bracket_term(out);
    case TokenKind::kIdentifier:
    case TokenKind::kQuotedIdentifier:
      if (token(1).is_symbol("(")) return call(out);
      out = leaf(TermKind::kName, token());
      break;
    case TokenKind::kString: out = leaf(TermKind::kString, token()); break;
    case TokenKind::kNumber: out = leaf(TermKind::kNumber, token()); break;
    case TokenKind::kTrue: out = leaf(TermKind::kTrue, token()); break;
    case TokenKind::kFalse: out = leaf(TermKind::kFalse, token()); break;
    case TokenKind::kNull: out = leaf(TermKind::kNull, token()); break;
    case TokenKind::kMissing: out = leaf(TermKind::kMissing, token()); break;
    case TokenKind::kIon: out = leaf(TermKind::kIon, token()); break;
    case TokenKind::kEnd: return fail("Unexpected term");
  }
  ++at_;
  return true;
}

bool ExpressionParser::operator_term(Term& out) {
  if (token().text == "@") {
    if (!token(1).is_name()) return fail("Identifier must follow @-operator");
    // The name of a variable in the nearest scope; there is only one.
    out = leaf(TermKind::kName, token(1));
    at_ += 2;
    return true;
  }
  return fail("Unexpected operator");
}

bool ExpressionParser::keyword_term(Term& out) {
  const std::string_view word = token().text;
  if (word == "insert into") return insert(out);
  if (word == "set" || word == "remove") return lone_action(out);
  if (word == "update" || word == "delete") return change(out);
  if (word == "select") return select(out);
  if (word == "pivot") return pivot(out);
  if (word == "from") return from_first(out);
  if (word == "create" || word == "drop" || word == "exec") return definition(out);
  if (word == "case") return case_term(out);
  if (word == "cast") return cast_term(out);
  if (word == "values") return table_values(out);
  if (word == "date" || word == "time") return date_term(out);
  if (word == "as" || word == "at" || word == "by" || word == "asc" || word == "desc" || word == "for" || word == "let")
    return fail("Unexpected term");
  if (names_function(word) && token(1).is_symbol("(")) return names_aggregate(word) ? aggregate(out) : call(out);
  return fail("Unexpected keyword");
}

bool ExpressionParser::bracket_term(Term& out) {
  const Token open = token();
  if (open.text == "?") {
    out = leaf(TermKind::kParameter, open);
    out.parameter = parameters_++;
    ++at_;
    return true;
  }
  if (open.text == "(") return group(out);
  if (open.text == "{") {
    out = leaf(TermKind::kTuple, open);
    ++at_;
    return take_symbol("}") || (tuple_members(out) && expect_symbol("}"));
  }
  if (open.text == "[" || open.text == "<<") {
    const std::string_view close = open.text == "[" ? "]" : ">>";
    out = leaf(open.text == "[" ? TermKind::kList : TermKind::kBag, open);
    ++at_;
    return take_symbol(close) || (arguments(out.children) && expect_symbol(close));
  }
  return fail("Unexpected term");
}

/// One expression in parentheses is that expression; several are a list.
bool ExpressionParser::group(Term& out) {
  Term list = leaf(TermKind::kList, token());
  ++at_;
  if (!arguments(list.children) || !expect_symbol(")")) return false;
  if (list.children.size() > 1) {
    out = std::move(list);
    return true;
  }
  // Not directly, because `out` may hold it.
  Term only = std::move(list.children.front());
  out = std::move(only);
  out.grouped = true;
  return true;
}

bool ExpressionParser::arguments(std::vector<Term>& out) {
  do {
    if (!expression(out.emplace_back())) return false;
  } while (take_symbol(","));
  return true;
}

bool ExpressionParser::tuple_members(Term& out) {
  do {
    if (!expression(out.children.emplace_back()) || !expect_symbol(":")) return false;
    if (!expression(out.children.emplace_back())) return false;
  } while (take_symbol(","));
  return true;
}

bool ExpressionParser::call(Term& out) {
  out = leaf(TermKind::kCall, token());
  at_ += 2;
  if (token().is_operator("*")) return fail(out.text + "(*) is not allowed");
  if (take_symbol(")")) return true;
  // list(...) and bag(...) are other ways to write literals.
  if (out.text == "list") out.kind = TermKind::kList;
  if (out.text == "bag") out.kind = TermKind::kBag;
  return arguments(out.children) && expect_symbol(")");
}

bool ExpressionParser::aggregate(Term& out) {
  out = leaf(TermKind::kAggregate, token());
  at_ += 2;
  constexpr std::string_view kUnaryOnly = "Aggregate functions are always unary";
  if (token().is_operator("*") && out.text == "count") {
    ++at_;
    return expect_symbol(")");
  }
  if (token().is_symbol(")")) return fail(kUnaryOnly);
  if (token().is_keyword("distinct") || token().is_keyword("all")) {
    ++at_;
    if (token().is_operator("*")) return fail(out.text + "(*) is not allowed");
  }
  if (token().is_operator("*")) return fail(out.text + "(*) is not allowed");
  if (!arguments(out.children) || !expect_symbol(")")) return false;
  return out.text == "count" || out.children.size() == 1 || fail(kUnaryOnly);
}

bool ExpressionParser::type_name(std::string& out) {
  std::string written = token().text;
  std::ranges::transform(written, written.begin(), ascii_lower);
  const auto* found = std::ranges::find(kTypeNames, written, &TypeName::written);
  if (found == kTypeNames.end() || token().kind == TokenKind::kString || token().kind == TokenKind::kQuotedIdentifier)
    return fail("Expected type name");
  ++at_;
  out = found->name;
  if (!take_symbol("(")) return true;
  std::vector<Term> sizes;
  return arguments(sizes) && expect_symbol(")");
}

bool ExpressionParser::case_term(Term& out) {
  out = leaf(TermKind::kCase, token());
  ++at_;
  // What kind of CASE it is shows in its first child.
  if (!token().is_keyword("when") && !expression(out.children.emplace_back())) return false;
  if (!token().is_keyword("when")) return fail("Expected a WHEN clause in CASE");
  Term part;
  while (take_keyword("when"))
    if (!expression(part) || !expect_keyword("then") || !expression(part)) return false;
  if (take_keyword("else") && !expression(part)) return false;
  return expect_keyword("end");
}

bool ExpressionParser::cast_term(Term& out) {
  ++at_;
  if (!token().is_symbol("(")) return fail("Missing left parenthesis after CAST");
  out = leaf(TermKind::kCast, token());
  out.text = "cast";
  ++at_;
  if (!expression(out.children.emplace_back())) return false;
  if (!take_keyword("as")) return fail("Expected AS");
  return type_name(out.type) && expect_symbol(")");
}

bool ExpressionParser::date_term(Term& out) {
  const std::string word = token().text;
  ++at_;
  if (token().kind != TokenKind::kString)
    return fail("Expected " + word + " string followed by the keyword " + (word == "date" ? "DATE" : "TIME"));
  out = leaf(TermKind::kDate, token());
  ++at_;
  return true;
}

/// VALUES (...), (...), which is a bag of lists.
bool ExpressionParser::table_values(Term& out) {
  out = leaf(TermKind::kBag, token());
  ++at_;
  do {
    if (!token().is_symbol("(")) return fail("Expected LEFT_PAREN for row value constructor");
    Term& row = out.children.emplace_back(leaf(TermKind::kList, token()));
    ++at_;
    if (!arguments(row.children) || !expect_symbol(")")) return false;
  } while (take_symbol(","));
  return true;
}

}  // namespace dolmen::partiql
