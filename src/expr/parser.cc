#include "expr/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/limits.h"
#include "expr/lexer.h"
#include "expr/reserved_words.h"

namespace dolmen::expr {
namespace {

constexpr std::array<std::string_view, 6> kConditionFunctions = {
    "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"};
constexpr std::array<std::string_view, 2> kUpdateFunctions = {"if_not_exists", "list_append"};
/// Words of the grammar. Unlike reserved words they cannot stand where a name is expected, in any expression.
constexpr std::array<std::string_view, 9> kKeywords = {"ADD", "AND", "BETWEEN", "DELETE", "IN",
                                                       "NOT", "OR",  "REMOVE",  "SET"};

/// What can be wrong with a text that follows the grammar, in the order in which DynamoDB reports it.
enum class Flaw : std::uint8_t { kParentheses, kReservedFirst, kFunction, kMisuse, kReserved, kSection, kOperators };

bool is_operand(const Node& node) {
  return node.kind == NodeKind::kPath || node.kind == NodeKind::kValue || node.kind == NodeKind::kPlus ||
         node.kind == NodeKind::kMinus;
}

bool is_size(const Node& node) { return node.kind == NodeKind::kFunction && node.text == "size"; }

bool is_list_append(const Node& node) { return node.kind == NodeKind::kFunction && node.text == "list_append"; }

bool is_any_keyword(const Token& token) {
  return std::ranges::any_of(kKeywords, [&](std::string_view keyword) { return is_keyword(token, keyword); });
}

/// Recursive descent over the tokens. Parse functions return false after a syntax error, which ends everything; other
/// flaws are noted and parsing goes on, because a syntax error further on is reported first.
class Parser {
 public:
  Parser(std::string_view text, bool update, TextLimits limits)
      : text_(text), tokens_(tokenize(text)), update_(update), limits_(limits) {}

  bool condition(Node& out) { return or_level(out, false) && at_end() && as_condition(out); }

  bool update(std::vector<UpdateAction>& out) {
    do {
      if (!section(out)) return false;
    } while (!is_end());
    return true;
  }

  bool projection(std::vector<Path>& out) {
    do {
      if (!path(out.emplace_back())) return false;
    } while (take_symbol(","));
    return at_end();
  }

  /// The first problem, by DynamoDB's order of kinds of problems.
  [[nodiscard]] std::optional<std::string> problem() const {
    if (syntax_error_) return syntax_error_;
    for (const auto& flaw : flaws_)
      if (flaw) return flaw;
    return std::nullopt;
  }

 private:
  const Token& token() const { return tokens_[at_]; }
  bool is_end() const { return token().kind == TokenKind::kEnd; }
  bool is_symbol(std::string_view symbol) const { return token().kind == TokenKind::kSymbol && token().text == symbol; }

  bool take_symbol(std::string_view symbol) {
    if (!is_symbol(symbol)) return false;
    ++at_;
    return true;
  }
  bool take_keyword(std::string_view keyword) {
    if (!is_keyword(token(), keyword)) return false;
    ++at_;
    return true;
  }
  bool expect_symbol(std::string_view symbol) { return take_symbol(symbol) || syntax_error(); }
  bool at_end() { return is_end() || syntax_error(); }

  /// The present token does not fit. Shows it with its neighbours, the first one with the space before it.
  bool syntax_error() {
    const char* const begin = at_ > 0 ? tokens_[at_ - 1].text.data() : text_.data();
    const std::string_view next = is_end() ? token().text : tokens_[at_ + 1].text;
    const std::string_view near(begin, static_cast<std::size_t>(next.data() + next.size() - begin));
    syntax_error_ = fmt::format("Syntax error; token: \"{}\", near: \"{}\"", is_end() ? "<EOF>" : token().text, near);
    return false;
  }

  void note(Flaw flaw, std::string message) {
    auto& slot = flaws_[static_cast<std::size_t>(flaw)];
    if (!slot) slot = std::move(message);
  }

  void count_operator() {
    if (++operators_ == limits::kExpressionOperators + 1 && limits_ == TextLimits::kDynamoDb)
      note(Flaw::kOperators, fmt::format("The expression contains too many operators; operator count: {}", operators_));
  }

  /// Parentheses and functions nest by recursion. Nothing that is valid comes near the limit: it would have redundant
  /// parentheses or too many operators.
  class Nesting {
   public:
    explicit Nesting(unsigned& depth) : depth_(++depth) {}
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    unsigned& depth_;
  };
  bool too_deep() {
    if (depth_ <= limits::kExpressionOperators + 50) return false;
    syntax_error_ = "The expression has redundant parentheses;";
    return true;
  }

  // ---- Conditions ----

  /// `bare` allows an operand alone, which inside parentheses may still become part of a comparison.
  bool or_level(Node& out, bool bare) {
    return chain(out, NodeKind::kOr, "OR", bare, [this](Node& node, bool b) {
      return chain(node, NodeKind::kAnd, "AND", b, [this](Node& inner, bool c) { return not_level(inner, c); });
    });
  }

  template <class Operand>
  bool chain(Node& out, NodeKind kind, std::string_view keyword, bool bare, Operand operand) {
    if (!operand(out, bare)) return false;
    while (is_keyword(token(), keyword)) {
      if (is_operand(out)) return syntax_error();
      ++at_;
      count_operator();
      check_condition(out);
      Node both{.kind = kind};
      both.children.push_back(std::move(out));
      if (!operand(both.children.emplace_back(), false)) return false;
      check_condition(both.children.back());
      out = std::move(both);
    }
    return true;
  }

  bool not_level(Node& out, bool bare) {
    const Nesting nesting(depth_);
    if (too_deep()) return false;
    if (!is_keyword(token(), "NOT")) return comparison(out, bare);
    ++at_;
    count_operator();
    out = Node{.kind = NodeKind::kNot};
    if (!not_level(out.children.emplace_back(), false)) return false;
    check_condition(out.children.back());
    return true;
  }

  bool comparison(Node& out, bool bare) {
    if (!operand(out)) return false;
    if (const auto comparator = take_comparator()) return binary(out, *comparator);
    if (is_keyword(token(), "BETWEEN") && (is_operand(out) || out.kind == NodeKind::kFunction)) return between(out);
    if (is_keyword(token(), "IN") && (is_operand(out) || out.kind == NodeKind::kFunction)) return in(out);
    if (is_operand(out) && !(bare && is_symbol(")"))) return syntax_error();
    return true;
  }

  std::optional<NodeKind> take_comparator() {
    constexpr std::pair<std::string_view, NodeKind> kComparators[] = {
        {"=", NodeKind::kEqual},        {"<>", NodeKind::kNotEqual}, {"<", NodeKind::kLess},
        {"<=", NodeKind::kLessOrEqual}, {">", NodeKind::kGreater},   {">=", NodeKind::kGreaterOrEqual}};
    for (const auto& [text, kind] : kComparators)
      if (is_symbol(text)) return kind;
    return std::nullopt;
  }

  bool binary(Node& out, NodeKind kind) {
    if (!is_operand(out) && out.kind != NodeKind::kFunction) return syntax_error();
    ++at_;
    count_operator();
    Node node{.kind = kind};
    node.children.push_back(std::move(out));
    if (!strict_operand(node.children.emplace_back())) return false;
    check_operands(node);
    out = std::move(node);
    return true;
  }

  bool between(Node& out) {
    ++at_;
    count_operator();
    Node node{.kind = NodeKind::kBetween};
    node.children.push_back(std::move(out));
    if (!strict_operand(node.children.emplace_back())) return false;
    if (!take_keyword("AND")) return syntax_error();
    if (!strict_operand(node.children.emplace_back())) return false;
    check_operands(node);
    out = std::move(node);
    return true;
  }

  bool in(Node& out) {
    ++at_;
    count_operator();
    Node node{.kind = NodeKind::kIn};
    node.children.push_back(std::move(out));
    if (!expect_symbol("(")) return false;
    do {
      if (!strict_operand(node.children.emplace_back())) return false;
    } while (take_symbol(","));
    if (!expect_symbol(")")) return false;
    check_operands(node);
    out = std::move(node);
    return true;
  }

  /// Something in parentheses (a condition, or an operand), a path, a value or a function.
  bool operand(Node& out) {
    if (is_symbol("(")) return parenthesised(out);
    if (token().kind == TokenKind::kValue) {
      out = Node{.kind = NodeKind::kValue, .text = std::string(token().text)};
      ++at_;
      return true;
    }
    const bool call = token().kind == TokenKind::kIdentifier && tokens_[at_ + 1].kind == TokenKind::kSymbol &&
                      tokens_[at_ + 1].text == "(" && !is_any_keyword(token());
    return call ? function(out) : path(out.path);
  }

  bool strict_operand(Node& out) {
    const std::size_t start = at_;
    if (!operand(out)) return false;
    if (is_operand(out) || out.kind == NodeKind::kFunction) return true;
    at_ = start;
    return syntax_error();
  }

  bool parenthesised(Node& out) {
    const Nesting nesting(depth_);
    if (too_deep()) return false;
    ++at_;
    if (!in_parentheses(out) || !expect_symbol(")")) return false;
    if (out.in_parentheses) note(Flaw::kParentheses, "The expression has redundant parentheses;");
    out.in_parentheses = true;
    return true;
  }

  bool in_parentheses(Node& out) {
    if (!update_) return or_level(out, true);
    return sums_ ? set_value(out) : operand(out);
  }

  bool function(Node& out) {
    const Nesting nesting(depth_);
    if (too_deep()) return false;
    count_operator();
    out = Node{.kind = NodeKind::kFunction, .text = std::string(token().text)};
    at_ += 2;
    const bool sums = std::exchange(sums_, false);
    do {
      if (!strict_operand(out.children.emplace_back())) return false;
    } while (take_symbol(","));
    sums_ = sums;
    if (!expect_symbol(")")) return false;
    check_function(out.text);
    check_operands(out);
    return true;
  }

  void check_function(std::string_view function) {
    const bool of_condition = std::ranges::count(kConditionFunctions, function) > 0;
    const bool of_update = std::ranges::count(kUpdateFunctions, function) > 0;
    if (!of_condition && !of_update)
      note(Flaw::kFunction, fmt::format("Invalid function name; function: {}", function));
    else if (update_ != of_update)
      note(Flaw::kFunction, fmt::format("The function is not allowed in {} expression; function: {}",
                                        update_ ? "an update" : "a condition", function));
  }

  void misused(const Node& node) {
    note(update_ ? Flaw::kFunction : Flaw::kMisuse,
         fmt::format("The function is not allowed to be used this way in an expression; function: {}", node.text));
  }
  /// Of all functions only size gives something to compare; in an update all but list_append give something to go on
  /// with.
  void check_operands(const Node& node) {
    for (const Node& child : node.children)
      if (update_ ? is_list_append(child) : child.kind == NodeKind::kFunction && !is_size(child)) misused(child);
  }
  void check_condition(const Node& node) {
    if (is_size(node)) misused(node);
  }
  bool as_condition(const Node& node) {
    check_condition(node);
    return true;
  }

  // ---- Paths ----

  bool path(Path& out) {
    if (!name(out)) return false;
    for (;;) {
      if (take_symbol(".")) {
        if (!name(out)) return false;
      } else if (take_symbol("[")) {
        if (!index(out)) return false;
      } else {
        return true;
      }
    }
  }

  bool name(Path& out) {
    if (token().kind != TokenKind::kIdentifier && token().kind != TokenKind::kName) return syntax_error();
    if (is_any_keyword(token())) return syntax_error();
    if (token().kind == TokenKind::kIdentifier && is_reserved_word(token().text))
      note(update_ ? Flaw::kReservedFirst : Flaw::kReserved,
           fmt::format("Attribute name is a reserved keyword; reserved keyword: {}", token().text));
    out.parts.emplace_back(std::string(token().text));
    ++at_;
    return true;
  }

  bool index(Path& out) {
    if (token().kind != TokenKind::kInteger) return syntax_error();
    std::uint32_t value = 0;
    const std::string_view digits = token().text;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) {
      syntax_error_ = fmt::format("List index is not within the allowable range; index: [{}]", digits);
      return false;
    }
    out.parts.emplace_back(value);
    ++at_;
    return expect_symbol("]");
  }

  // ---- Updates ----

  bool section(std::vector<UpdateAction>& out) {
    for (const Section section : {Section::kSet, Section::kRemove, Section::kAdd, Section::kDelete}) {
      if (!take_keyword(section_text(section))) continue;
      if (std::exchange(sections_[static_cast<std::size_t>(section)], true))
        note(Flaw::kSection,
             fmt::format("The \"{}\" section can only be used once in an update expression;", section_text(section)));
      do {
        UpdateAction& action = out.emplace_back(UpdateAction{.section = section});
        if (!update_action(action)) return false;
      } while (take_symbol(","));
      return true;
    }
    return syntax_error();
  }

  bool update_action(UpdateAction& action) {
    if (!path(action.path)) return false;
    switch (action.section) {
      case Section::kRemove: return true;
      case Section::kSet: return expect_symbol("=") && set_value(action.operand);
      case Section::kAdd:
      case Section::kDelete: break;
    }
    if (token().kind != TokenKind::kValue) return syntax_error();
    count_operator();
    return operand(action.operand);
  }

  /// One operand, or two with a sign between them; neither is such a sum itself.
  bool set_value(Node& out) {
    if (!operand(out)) return false;
    const bool plus = is_symbol("+");
    if (!plus && !is_symbol("-")) return true;
    if (out.kind == NodeKind::kPlus || out.kind == NodeKind::kMinus) return syntax_error();
    ++at_;
    count_operator();
    Node node{.kind = plus ? NodeKind::kPlus : NodeKind::kMinus};
    node.children.push_back(std::move(out));
    const bool sums = std::exchange(sums_, false);
    if (!operand(node.children.emplace_back())) return false;
    sums_ = sums;
    check_operands(node);
    out = std::move(node);
    return true;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  bool update_;
  TextLimits limits_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  unsigned operators_ = 0;
  /// Whether parentheses in an update may hold a sum: not those of an operand.
  bool sums_ = true;
  std::array<bool, 4> sections_{};
  std::optional<std::string> syntax_error_;
  std::array<std::optional<std::string>, 7> flaws_;
};

Result<void> check_length(std::string_view text, TextLimits limits) {
  if (text.empty()) return fail(Code::kValidation, "The expression can not be empty;");
  if (text.size() > limits::kExpressionBytes && limits == TextLimits::kDynamoDb)
    return fail(Code::kValidation, "Expression size has exceeded the maximum allowed size; expression size: {}",
                text.size());
  return {};
}

std::unexpected<Error> failed(const Parser& parser) { return fail(Code::kValidation, "{}", *parser.problem()); }

}  // namespace

Result<Node> parse_condition(std::string_view text, TextLimits limits) {
  DOLMEN_TRY_VOID(check_length(text, limits));
  Parser parser(text, false, limits);
  Node condition;
  parser.condition(condition);
  if (parser.problem()) return failed(parser);
  return condition;
}

Result<std::vector<UpdateAction>> parse_update(std::string_view text, TextLimits limits) {
  DOLMEN_TRY_VOID(check_length(text, limits));
  Parser parser(text, true, limits);
  std::vector<UpdateAction> actions;
  parser.update(actions);
  if (parser.problem()) return failed(parser);
  return actions;
}

Result<std::vector<Path>> parse_projection(std::string_view text, TextLimits limits) {
  DOLMEN_TRY_VOID(check_length(text, limits));
  Parser parser(text, false, limits);
  std::vector<Path> paths;
  parser.projection(paths);
  if (parser.problem()) return failed(parser);
  return paths;
}

}  // namespace dolmen::expr
