#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/ascii.h"
#include "base/fail.h"
#include "base/limits.h"
#include "cli/where.h"
#include "cli/where_lexer.h"
#include "config/node.h"

namespace dolmen::cli {
namespace {

using TokenKind = WhereTokenKind;
using Node = Where::Node;

/// Parentheses and NOTs inside each other.
constexpr unsigned kWhereDepth = 64;

constexpr std::array<std::string_view, 6> kWhereFunctions{
    "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"};

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), ascii_lower);
  return text;
}

/// A side of a comparison: a value, or what an item has.
struct WhereSide {
  std::optional<Operand> operand = std::nullopt;
  AttributeValue value = nullptr;
  /// When the side is a whole attribute.
  std::string attribute = {};
  std::string mentions = {};
};

struct NamedPath {
  Path path;
  std::string root;
  bool whole = true;
};

class WhereParser {
 public:
  explicit WhereParser(std::vector<WhereToken> tokens) : tokens_(std::move(tokens)) {}

  Result<Node> whole_condition() {
    DOLMEN_TRY(Node root, any_of(kWhereDepth));
    DOLMEN_TRY_VOID(end("AND, OR or the end"));
    return root;
  }

  Result<std::vector<Path>> paths() {
    std::vector<Path> all;
    do {
      DOLMEN_TRY(NamedPath next, path());
      all.push_back(std::move(next.path));
    } while (take(","));
    DOLMEN_TRY_VOID(end("a comma or the end"));
    return all;
  }

 private:
  [[nodiscard]] const WhereToken& now() const { return tokens_[at_]; }
  [[nodiscard]] bool at(std::string_view symbol) const {
    return now().kind == TokenKind::kSymbol && now().text == symbol;
  }
  [[nodiscard]] bool at_word(std::string_view upper) const {
    return now().kind == TokenKind::kWord && equals_ignoring_case(now().text, upper);
  }
  bool take(std::string_view symbol) { return at(symbol) && (++at_, true); }
  bool take_word(std::string_view upper) { return at_word(upper) && (++at_, true); }

  [[nodiscard]] std::unexpected<Error> expected(std::string_view what) const {
    const std::string found = now().kind == TokenKind::kEnd    ? "the end"
                              : now().kind == TokenKind::kText ? fmt::format("the text \"{}\"", now().text)
                                                               : fmt::format("\"{}\"", now().text);
    return fail(Code::kInvalidArgument, "column {}: expected {}, found {}", now().column, what, found);
  }

  Result<void> need(std::string_view symbol) {
    return take(symbol) ? Result<void>() : expected(fmt::format("\"{}\"", symbol));
  }
  Result<void> end(std::string_view what) const {
    return now().kind == TokenKind::kEnd ? Result<void>() : expected(what);
  }

  Result<Node> joined(Node::Kind kind, std::string_view word, unsigned depth) {
    Node node{.kind = kind, .column = now().column};
    do {
      DOLMEN_TRY(node.parts.emplace_back(), kind == Node::Kind::kOr ? all_of(depth) : negation(depth));
    } while (take_word(word));
    if (node.parts.size() > 1) return node;
    Node only = std::move(node.parts.front());
    return only;
  }
  Result<Node> any_of(unsigned depth) { return joined(Node::Kind::kOr, "OR", depth); }
  Result<Node> all_of(unsigned depth) { return joined(Node::Kind::kAnd, "AND", depth); }

  Result<Node> negation(unsigned depth) {
    const std::size_t column = now().column;
    if (depth == 0)
      return fail(Code::kInvalidArgument, "column {}: more than {} levels of parentheses", column, kWhereDepth);
    if (take_word("NOT")) {
      DOLMEN_TRY(Node inner, negation(depth - 1));
      return negated(std::move(inner), column);
    }
    if (!take("(")) return comparison();
    DOLMEN_TRY(Node inner, any_of(depth - 1));
    DOLMEN_TRY_VOID(need(")"));
    return inner;
  }

  static Node negated(Node inner, std::size_t column) {
    Node node{.kind = Node::Kind::kNot, .column = column};
    node.parts.push_back(std::move(inner));
    return node;
  }

  [[nodiscard]] bool at_function(std::string_view name) const {
    return now().kind == TokenKind::kWord && tokens_[at_ + 1].text == "(" &&
           tokens_[at_ + 1].kind == TokenKind::kSymbol && (name.empty() || in_lower_case(now().text) == name);
  }

  Result<Node> comparison() {
    const std::size_t column = now().column;
    if (at_function("") && !at_function("size") && !at_word("NOT")) return call();
    DOLMEN_TRY(WhereSide left, side());
    const bool inverted = take_word("NOT");
    if (take_word("BETWEEN") || at_word("IN")) {
      DOLMEN_TRY(Node node, at_word("IN") ? membership(std::move(left)) : between(std::move(left)));
      node.column = column;
      return inverted ? negated(std::move(node), column) : node;
    }
    if (inverted) return expected("BETWEEN or IN after NOT");
    return compared(std::move(left), column);
  }

  Result<Node> compared(WhereSide left, std::size_t column) {
    static constexpr std::array<std::string_view, 8> kComparators{"=", "==", "<>", "!=", "<", "<=", ">", ">="};
    if (now().kind != TokenKind::kSymbol || std::ranges::find(kComparators, now().text) == kComparators.end())
      return expected("a comparison such as =, <, BETWEEN or IN");
    std::string word = now().text == "==" ? "=" : now().text == "!=" ? "<>" : now().text;
    ++at_;
    DOLMEN_TRY(WhereSide right, side());
    if (!left.operand && !right.operand)
      return fail(Code::kInvalidArgument, "column {}: two values are compared; one side must be an attribute", column);
    if (!left.operand) {
      std::swap(left, right);
      word = word.starts_with('<') && word != "<>" ? ">" + word.substr(1)
             : word.starts_with('>')               ? "<" + word.substr(1)
                                                   : word;
    }
    Node leaf = leaf_of(left, word, column);
    if (right.operand) {
      leaf.attribute.clear();
      leaf.mentions.push_back(right.mentions);
      leaf.condition = compare_operands(*left.operand, word, *right.operand);
    } else {
      leaf.values = {right.value};
      leaf.condition = compare_operands(*left.operand, word, right.value);
    }
    return leaf;
  }

  template <class Right>
  static Condition compare_operands(const Operand& left, std::string_view word, const Right& right) {
    if (word == "=") return left == right;
    if (word == "<>") return left != right;
    if (word == "<") return left < right;
    if (word == "<=") return left <= right;
    if (word == ">") return left > right;
    return left >= right;
  }

  static Node leaf_of(const WhereSide& left, std::string comparison, std::size_t column) {
    return {.attribute = left.attribute,
            .comparison = std::move(comparison),
            .mentions = {left.mentions},
            .column = column};
  }

  Result<Node> between(WhereSide left) {
    if (!left.operand) return expected("an attribute before BETWEEN");
    Node leaf = leaf_of(left, "BETWEEN", now().column);
    DOLMEN_TRY(leaf.values.emplace_back(), value());
    if (!take_word("AND")) return expected("AND and the upper bound");
    DOLMEN_TRY(leaf.values.emplace_back(), value());
    leaf.condition = left.operand->between(leaf.values[0], leaf.values[1]);
    return leaf;
  }

  Result<Node> membership(WhereSide left) {
    if (!left.operand) return expected("an attribute before IN");
    const std::size_t column = now().column;
    ++at_;
    Node leaf = leaf_of(left, "IN", column);
    DOLMEN_TRY_VOID(need("("));
    do {
      DOLMEN_TRY(leaf.values.emplace_back(), value());
    } while (take(","));
    DOLMEN_TRY_VOID(need(")"));
    if (leaf.values.size() > limits::kInOperands)
      return fail(Code::kInvalidArgument, "column {}: IN has {} values; at most {} are allowed", column,
                  leaf.values.size(), limits::kInOperands);
    leaf.condition = left.operand->in(leaf.values);
    return leaf;
  }

  Result<Node> call() {
    const WhereToken name = now();
    const std::string function = in_lower_case(name.text);
    if (std::ranges::find(kWhereFunctions, function) == kWhereFunctions.end()) {
      const std::string_view near = config::nearest_name(function, kWhereFunctions, 4);
      return fail(Code::kInvalidArgument, "column {}: \"{}\" is not a function{}", name.column, name.text,
                  near.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", near));
    }
    at_ += 2;
    DOLMEN_TRY(const NamedPath named, path());
    Node leaf{.attribute = named.whole ? named.root : "",
              .comparison = function,
              .mentions = {named.root},
              .column = name.column};
    if (!function.starts_with("attribute_") || function == "attribute_type") {
      DOLMEN_TRY_VOID(need(","));
      const std::size_t column = now().column;
      DOLMEN_TRY(leaf.values.emplace_back(), value());
      if (function == "attribute_type") {
        DOLMEN_TRY(leaf.condition, type_check(named.path, leaf.values.front(), column));
      }
    }
    if (function == "attribute_exists") leaf.condition = named.path.exists();
    if (function == "attribute_not_exists") leaf.condition = named.path.not_exists();
    if (function == "begins_with") leaf.condition = named.path.begins_with(leaf.values.front());
    if (function == "contains") leaf.condition = named.path.contains(leaf.values.front());
    DOLMEN_TRY_VOID(need(")"));
    return leaf;
  }

  static Result<Condition> type_check(const Path& path, const AttributeValue& wanted, std::size_t column) {
    const std::string* name = wanted.get_if<std::string>();
    for (int type = 0; name != nullptr && type <= static_cast<int>(Type::kBinarySet); ++type)
      if (type_name(static_cast<Type>(type)) == *name) return path.is(static_cast<Type>(type));
    return fail(Code::kInvalidArgument,
                "column {}: a type is \"S\", \"N\", \"B\", \"BOOL\", \"NULL\", \"L\", \"M\", "
                "\"SS\", \"NS\" or \"BS\"",
                column);
  }

  Result<WhereSide> side() {
    if (at_function("size")) {
      at_ += 2;
      DOLMEN_TRY(const NamedPath named, path());
      DOLMEN_TRY_VOID(need(")"));
      return WhereSide{.operand = named.path.size(), .mentions = named.root};
    }
    if (is_value()) {
      DOLMEN_TRY(AttributeValue literal, value());
      return WhereSide{.value = std::move(literal)};
    }
    DOLMEN_TRY(NamedPath named, path());
    return WhereSide{
        .operand = named.path, .attribute = named.whole ? named.root : "", .mentions = std::move(named.root)};
  }

  [[nodiscard]] bool is_value() const {
    return now().kind == TokenKind::kText || now().kind == TokenKind::kNumber || at_word("TRUE") || at_word("FALSE") ||
           at_word("NULL");
  }

  Result<AttributeValue> value() {
    if (!is_value()) {
      if (now().kind == TokenKind::kWord) return expected("a value (a text stands in quotes)");
      return expected("a value");
    }
    const WhereToken token = now();
    ++at_;
    if (token.kind == TokenKind::kText) return AttributeValue(token.text);
    if (token.kind == TokenKind::kNumber) {
      Result<Number> number = Number::parse(token.text);
      if (!number)
        return fail(Code::kInvalidArgument, "column {}: \"{}\" is not a number that can be stored", token.column,
                    token.text);
      return AttributeValue(*std::move(number));
    }
    return equals_ignoring_case(token.text, "NULL") ? AttributeValue(nullptr)
                                                    : AttributeValue(equals_ignoring_case(token.text, "TRUE"));
  }

  Result<std::string> name() {
    static constexpr std::array<std::string_view, 8> kKeywords{"AND", "OR",   "NOT",   "BETWEEN",
                                                               "IN",  "TRUE", "FALSE", "NULL"};
    const bool is_keyword = std::ranges::any_of(kKeywords, [&](std::string_view word) { return at_word(word); });
    if (is_keyword || (now().kind != TokenKind::kWord && now().kind != TokenKind::kName))
      return expected("the name of an attribute");
    return tokens_[at_++].text;
  }

  Result<NamedPath> path() {
    DOLMEN_TRY(const std::string root, name());
    NamedPath named{.path = Path(root), .root = root};
    while (true) {
      if (take(".")) {
        DOLMEN_TRY(std::string member, name());
        named.path = named.path[std::move(member)];
      } else if (take("[")) {
        std::uint32_t index = 0;
        const std::string& text = now().text;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
        if (now().kind != TokenKind::kNumber || error != std::errc{} || stop != text.data() + text.size())
          return expected("the number of an element");
        ++at_;
        DOLMEN_TRY_VOID(need("]"));
        named.path = named.path[index];
      } else {
        return named;
      }
      named.whole = false;
    }
  }

  std::vector<WhereToken> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Where> Where::parse(std::string_view text) {
  DOLMEN_TRY(std::vector<WhereToken> tokens, where_tokens(text));
  DOLMEN_TRY(Node root, WhereParser(std::move(tokens)).whole_condition());
  return Where(std::move(root));
}

Result<std::vector<Path>> parse_where_paths(std::string_view text) {
  DOLMEN_TRY(std::vector<WhereToken> tokens, where_tokens(text));
  return WhereParser(std::move(tokens)).paths();
}

Result<Path> parse_where_path(std::string_view text) {
  DOLMEN_TRY(const std::vector<Path> paths, parse_where_paths(text));
  if (paths.size() > 1) return fail(Code::kInvalidArgument, "\"{}\" names more than one attribute", text);
  return paths.front();
}

}  // namespace dolmen::cli
