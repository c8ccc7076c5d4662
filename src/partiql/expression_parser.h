#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partiql/limits.h"
#include "partiql/syntax.h"

namespace dolmen::partiql {

/// Operator precedence over the tokens of a statement; a statement is an expression too. Parse functions return false
/// after the first problem, which ends the parsing. The functions for statements are in statement_parser.cc.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  /// A whole statement, up to the end of the text.
  bool statement(Term& out);

  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::size_t parameters() const { return parameters_; }

 private:
  enum class PathMode : std::uint8_t { kFull, kSimple };

  // ---- Tokens ----
  [[nodiscard]] const Token& token(std::size_t ahead = 0) const {
    const std::size_t at = at_ + ahead;
    return at < tokens_.size() ? tokens_[at] : tokens_.back();
  }
  [[nodiscard]] bool at_end() const { return token().kind == TokenKind::kEnd; }
  bool take_symbol(std::string_view symbol);
  bool take_keyword(std::string_view keyword);
  bool fail(std::string_view problem);
  bool expect_symbol(std::string_view symbol);
  bool expect_keyword(std::string_view keyword);

  // ---- Expressions ----
  bool expression(Term& out, int precedence = -1);
  bool infix(Term& left, const Token& op);
  bool right_side(Term& out, int precedence);
  bool between_sides(Term& left, const Token& op);
  bool in_list(Term& out);
  bool unary(Term& out);
  bool path(Term& out, PathMode mode = PathMode::kFull);
  bool dot_step(Term& path, PathMode mode);
  bool index_step(Term& path, PathMode mode);
  bool term(Term& out);
  bool operator_term(Term& out);
  bool keyword_term(Term& out);
  bool bracket_term(Term& out);
  bool group(Term& out);
  bool call(Term& out);
  bool aggregate(Term& out);
  bool arguments(std::vector<Term>& out);
  bool tuple_members(Term& out);
  bool type_name(std::string& out);
  bool case_term(Term& out);
  bool cast_term(Term& out);
  bool date_term(Term& out);
  bool table_values(Term& out);

  // ---- Statements ----
  bool select(Term& out);
  bool pivot(Term& out);
  bool select_list(SelectSyntax& select);
  bool column(SelectSyntax& select);
  bool check_column_path(const Term& path, SelectSyntax& select);
  bool after_projection(SelectSyntax& select);
  bool order_by(SelectSyntax& select);
  bool group_by(SelectSyntax& select);
  bool let_clause();
  bool source(SourceSyntax& out, int precedence);
  bool joined_sources(SourceSyntax& out, int precedence);
  bool aliases(bool& aliased);
  bool alias(std::string_view keyword, bool keyword_is_optional, bool& aliased);
  bool insert(Term& out);
  bool on_conflict(InsertSyntax& insert);
  bool change(Term& out);
  bool from_first(Term& out);
  bool lone_action(Term& out);
  bool actions(ChangeSyntax& change);
  bool set_action(ChangeSyntax& change);
  bool optional_where(std::optional<Term>& where);
  bool optional_returning(std::optional<ReturningSyntax>& returning);
  bool definition(Term& out);
  bool create(Term& out);
  bool drop(Term& out);
  bool exec(Term& out);
  bool expect_name(std::string_view problem);

  [[nodiscard]] bool too_deep() const { return depth_ > limits::kStatementNesting; }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t parameters_ = 0;
  unsigned depth_ = 0;
  std::string problem_;
};

/// The precedence of everything in a SELECT: only UNION, INTERSECT and EXCEPT bind less tightly.
inline constexpr int kSelectPrecedence = 6;

}  // namespace dolmen::partiql
