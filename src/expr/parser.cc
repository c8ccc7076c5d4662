#include "expr/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
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

constexpr std::uint32_t kListIndexMax = std::numeric_limits<std::int32_t>::max();

bool is_sum(const Node& node) { return node.kind == NodeKind::kPlus || node.kind == NodeKind::kMinus; }

bool is_plain_operand(const Node& node) { return node.kind == NodeKind::kPath || node.kind == NodeKind::kValue; }

/// Recursive descent over the tokens. Parse functions return false after a syntax error, which ends the parsing. Other
/// flaws are recorded and parsing continues, because a syntax error further on takes precedence.
class Parser {
 public:
  Parser(std::string_view text, bool update, TextLimits limits)
      : text_(text), tokens_(tokenize(text)), update_(update), limits_(limits) {}

  bool condition(Node& out) {
    if (!or_level(out, false) || !at_end()) return false;
    check_condition(out);
    return true;
  }

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
    if (redundant_parentheses_) return std::string(kRedundantParentheses);
    if (first_in_text_) return first_in_text_->message;
    if (repeated_section_) return repeated_section_;
    return too_many_operators_;
  }

 private:
  static constexpr std::string_view kRedundantParentheses = "The expression has redundant parentheses;";

  /// A wrong name, function or index. The first one in the text is reported.
  struct TextFlaw {
    std::size_t position;
    std::string message;
  };

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

  /// Records that the current token does not fit, and shows it with its neighbours.
  bool syntax_error() {
    const char* const begin = at_ > 0 ? tokens_[at_ - 1].text.data() : text_.data();
    const std::string_view next = is_end() ? token().text : tokens_[at_ + 1].text;
    const std::string_view near(begin, static_cast<std::size_t>(next.data() + next.size() - begin));
    syntax_error_ = fmt::format("Syntax error; token: \"{}\", near: \"{}\"", is_end() ? "<EOF>" : token().text, near);
    return false;
  }

  void note(std::size_t position, std::string message) {
    if (!first_in_text_ || position < first_in_text_->position) first_in_text_ = {position, std::move(message)};
  }

  void count_operator() {
    if (++operators_ == limits::kExpressionOperators + 1 && limits_ == TextLimits::kDynamoDb)
      too_many_operators_ = fmt::format("The expression contains too many operators; operator count: {}", operators_);
  }

  /// Parentheses and functions nest by recursion. No valid expression comes near the limit: it would need redundant
  /// parentheses, unknown functions or too many operators.
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
    syntax_error_ = first_in_text_        ? first_in_text_->message
                    : too_many_operators_ ? *too_many_operators_
                                          : std::string(kRedundantParentheses);
    return true;
  }

  // ---- Conditions ----

  /// `bare` allows a single operand, which inside parentheses may still become part of a comparison.
  bool or_level(Node& out, bool bare) {
    return chain(out, NodeKind::kOr, bare, [this](Node& node, bool b) {
      return chain(node, NodeKind::kAnd, b, [this](Node& inner, bool c) { return not_level(inner, c); });
    });
  }

  /// All members of a chain are children of one node, so that a long chain does not make a deep tree.
  template <class Operand>
  bool chain(Node& out, NodeKind kind, bool bare, Operand operand) {
    Node all{.kind = kind, .position = position()};
    if (!operand(all.children.emplace_back(), bare)) return false;
    while (take_keyword(operator_text(all))) {
      count_operator();
      if (!operand(all.children.emplace_back(), false)) return false;
    }
    if (all.children.size() == 1) {
      out = Node(std::move(all.children.front()));
      return true;
    }
    for (const Node& child : all.children) check_condition(child);
    out = std::move(all);
    return true;
  }

  bool not_level(Node& out, bool bare) {
    const Nesting nesting(depth_);
    if (too_deep()) return false;
    if (!is_keyword(token(), "NOT")) return comparison(out, bare);
    out = Node{.kind = NodeKind::kNot, .position = position()};
    ++at_;
    count_operator();
    if (!not_level(out.children.emplace_back(), false)) return false;
    check_condition(out.children.back());
    return true;
  }

  bool comparison(Node& out, bool bare) {
    // Only here can parentheses hold a condition as well as an operand.
    const auto inner = [this](Node& node) { return or_level(node, true); };
    if (!(is_symbol("(") ? parenthesised(out, inner) : operand(out))) return false;
    const bool alone = is_plain_operand(out);
    if (alone || out.kind == NodeKind::kFunction) {
      if (const auto comparator = comparator_here()) return binary(out, *comparator);
      if (is_keyword(token(), "BETWEEN")) return between(out);
      if (is_keyword(token(), "IN")) return in(out);
    }
    return !alone || (bare && is_symbol(")")) || syntax_error();
  }

  std::optional<NodeKind> comparator_here() const {
    constexpr std::pair<std::string_view, NodeKind> kComparators[] = {
        {"=", NodeKind::kEqual},        {"<>", NodeKind::kNotEqual}, {"<", NodeKind::kLess},
        {"<=", NodeKind::kLessOrEqual}, {">", NodeKind::kGreater},   {">=", NodeKind::kGreaterOrEqual}};
    for (const auto& [text, kind] : kComparators)
      if (is_symbol(text)) return kind;
    return std::nullopt;
  }

  /// A node with its first operand. Moves past the operator.
  Node begin_operator(NodeKind kind, Node& first) {
    ++at_;
    count_operator();
    Node node{.kind = kind, .position = first.position};
    node.children.push_back(std::move(first));
    return node;
  }

  bool binary(Node& out, NodeKind kind) {
    Node node = begin_operator(kind, out);
    if (!operand(node.children.emplace_back())) return false;
    check_operands(node);
    out = std::move(node);
    return true;
  }

  bool between(Node& out) {
    Node node = begin_operator(NodeKind::kBetween, out);
    if (!operand(node.children.emplace_back())) return false;
    if (!take_keyword("AND")) return syntax_error();
    if (!operand(node.children.emplace_back())) return false;
    check_operands(node);
    out = std::move(node);
    return true;
  }

  bool in(Node& out) {
    Node node = begin_operator(NodeKind::kIn, out);
    if (!expect_symbol("(") || !operands(node)) return false;
    out = std::move(node);
    return true;
  }

  // ---- Operands ----

  /// A path, a value or a function, optionally in parentheses.
  bool operand(Node& out) {
    if (is_symbol("(")) return parenthesised(out, [this](Node& inner) { return operand(inner); });
    out = Node{.position = position()};
    if (token().kind == TokenKind::kValue) {
      out.kind = NodeKind::kValue;
      out.text = token().text;
      ++at_;
      return true;
    }
    const bool call = token().kind == TokenKind::kIdentifier && tokens_[at_ + 1].kind == TokenKind::kSymbol &&
                      tokens_[at_ + 1].text == "(";
    return call ? function(out) : path(out.path);
  }

  template <class Inner>
  bool parenthesised(Node& out, Inner inner) {
    const Nesting nesting(depth_);
    if (too_deep()) return false;
    ++at_;
    if (!inner(out) || !expect_symbol(")")) return false;
    if (out.in_parentheses) redundant_parentheses_ = true;
    out.in_parentheses = true;
    return true;
  }

  /// The rest of a list of operands after the opening parenthesis.
  bool operands(Node& node) {
    do {
      if (!operand(node.children.emplace_back())) return false;
    } while (take_symbol(","));
    check_operands(node);
    return expect_symbol(")");
  }

  bool function(Node& out) {
    const Nesting nesting(depth_);
    if (too_deep()) return false;
    count_operator();
    out.kind = NodeKind::kFunction;
    out.text = token().text;
    check_function(out);
    at_ += 2;
    return operands(out);
  }

  void check_function(const Node& node) {
    const bool of_conditions = std::ranges::count(kConditionFunctions, node.text) > 0;
    const bool of_updates = std::ranges::count(kUpdateFunctions, node.text) > 0;
    if (!of_conditions && !of_updates) {
      note(node.position, fmt::format("Invalid function name; function: {}", node.text));
    } else if (of_updates != update_) {
      note(node.position, fmt::format("The function is not allowed in {} expression; function: {}",
                                      update_ ? "an update" : "a condition", node.text));
    }
  }

  void misused(const Node& node) {
    note(node.position,
         fmt::format("The function is not allowed to be used this way in an expression; function: {}", node.text));
  }
  /// In each kind of expression the result of only one function can be an operand.
  void check_operands(const Node& node) {
    for (const Node& child : node.children)
      if (child.kind == NodeKind::kFunction && child.text != (update_ ? "if_not_exists" : "size")) misused(child);
  }
  void check_condition(const Node& node) {
    if (node.kind == NodeKind::kFunction && node.text == "size") misused(node);
  }

  // ---- Paths ----

  bool path(Path& out) {
    const std::size_t start = at_;
    if (!name(out)) return false;
    for (;;) {
      if (take_symbol(".")) {
        if (!name(out)) return false;
      } else if (take_symbol("[")) {
        if (!index(out)) return false;
      } else {
        break;
      }
    }
    if (out.parts.size() > limits::kNestingLevels)
      note(start, fmt::format("The document path has too many nesting levels; nesting levels: {}", out.parts.size()));
    return true;
  }

  bool name(Path& out) {
    if (token().kind != TokenKind::kIdentifier && token().kind != TokenKind::kName) return syntax_error();
    if (token().kind == TokenKind::kIdentifier && is_reserved_word(token().text))
      note(at_, fmt::format("Attribute name is a reserved keyword; reserved keyword: {}", token().text));
    out.parts.emplace_back(std::string(token().text));
    ++at_;
    return true;
  }

  bool index(Path& out) {
    if (token().kind != TokenKind::kInteger) return syntax_error();
    std::uint32_t value = 0;
    const std::string_view digits = token().text;
    const bool fits = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{};
    if (!fits || value > kListIndexMax)
      note(at_, fmt::format("List index is not within the allowable range; index: [{}]", digits));
    out.parts.emplace_back(value);
    ++at_;
    return expect_symbol("]");
  }

  // ---- Updates ----

  bool section(std::vector<UpdateAction>& out) {
    for (const Section section : {Section::kSet, Section::kRemove, Section::kAdd, Section::kDelete}) {
      if (!take_keyword(section_text(section))) continue;
      if (std::exchange(sections_[static_cast<std::size_t>(section)], true) && !repeated_section_)
        repeated_section_ =
            fmt::format("The \"{}\" section can only be used once in an update expression;", section_text(section));
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

  /// One operand, or two with a sign between them, optionally in parentheses.
  bool set_value(Node& out) {
    const auto inner = [this](Node& node) { return set_value(node); };
    if (!(is_symbol("(") ? parenthesised(out, inner) : operand(out))) return false;
    const bool plus = is_symbol("+");
    if (is_sum(out) || (!plus && !is_symbol("-"))) return true;
    Node node = begin_operator(plus ? NodeKind::kPlus : NodeKind::kMinus, out);
    if (!operand(node.children.emplace_back())) return false;
    check_operands(node);
    out = std::move(node);
    return true;
  }

  [[nodiscard]] std::uint32_t position() const { return static_cast<std::uint32_t>(at_); }

  std::string_view text_;
  std::vector<Token> tokens_;
  bool update_;
  TextLimits limits_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  unsigned operators_ = 0;
  std::array<bool, 4> sections_{};
  std::optional<std::string> syntax_error_;
  bool redundant_parentheses_ = false;
  std::optional<TextFlaw> first_in_text_;
  std::optional<std::string> repeated_section_;
  std::optional<std::string> too_many_operators_;
};

/// DynamoDB states the size of an expression that is too long only for conditions.
Result<void> check_length(std::string_view text, TextLimits limits, bool tell_size) {
  if (text.empty()) return fail(Code::kValidation, "The expression can not be empty;");
  if (text.size() <= limits::kExpressionBytes || limits == TextLimits::kNone) return {};
  return fail(Code::kValidation, "Expression size has exceeded the maximum allowed size;{}",
              tell_size ? fmt::format(" expression size: {}", text.size()) : "");
}

std::unexpected<Error> failed(const Parser& parser) { return fail(Code::kValidation, "{}", *parser.problem()); }

}  // namespace

Result<Node> parse_condition(std::string_view text, TextLimits limits) {
  DOLMEN_TRY_VOID(check_length(text, limits, true));
  Parser parser(text, false, limits);
  Node condition;
  parser.condition(condition);
  if (parser.problem()) return failed(parser);
  return condition;
}

Result<std::vector<UpdateAction>> parse_update(std::string_view text, TextLimits limits) {
  DOLMEN_TRY_VOID(check_length(text, limits, false));
  Parser parser(text, true, limits);
  std::vector<UpdateAction> actions;
  parser.update(actions);
  if (parser.problem()) return failed(parser);
  return actions;
}

Result<std::vector<Path>> parse_projection(std::string_view text, TextLimits limits) {
  DOLMEN_TRY_VOID(check_length(text, limits, false));
  Parser parser(text, false, limits);
  std::vector<Path> paths;
  parser.projection(paths);
  if (parser.problem()) return failed(parser);
  return paths;
}

}  // namespace dolmen::expr
