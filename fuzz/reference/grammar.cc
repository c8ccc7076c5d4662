#include "fuzz/reference/grammar.h"

#include <algorithm>
#include <set>

#include "expr/reserved_words.h"
#include "fuzz/reference/rules.h"

namespace dolmen::reference {
namespace {

constexpr std::size_t kTextMax = 4096;
constexpr int kOperatorsMax = 300;
constexpr std::size_t kPathMax = 32;
/// Anything deeper has redundant parentheses or too many operators.
constexpr int kNestingMax = 400;

bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }
bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

std::string upper(std::string text) {
  for (char& c : text)
    if ('a' <= c && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// Words, placeholders, numbers and signs; nothing when a character is not part of any of them.
std::optional<std::vector<std::string>> split(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    std::size_t length = 1;
    const char first = text[0];
    if (std::string_view(" \t\r\n").find(first) != std::string_view::npos) {
      text.remove_prefix(1);
      continue;
    }
    const bool placeholder = first == '#' || first == ':';
    if (is_letter(first) || placeholder) {
      while (length < text.size() && is_word(text[length])) ++length;
      if (placeholder && length == 1) return std::nullopt;
    } else if (is_digit(first)) {
      while (first != '0' && length < text.size() && is_digit(text[length])) ++length;
    } else if (text.starts_with("<>") || text.starts_with("<=") || text.starts_with(">=")) {
      length = 2;
    } else if (std::string_view("()[].,+-=<>").find(first) == std::string_view::npos) {
      return std::nullopt;
    }
    pieces.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return pieces;
}

bool is_keyword(const std::string& piece) {
  static const std::set<std::string> kKeywords = {"AND", "OR",     "NOT", "BETWEEN", "IN",
                                                  "SET", "REMOVE", "ADD", "DELETE"};
  return kKeywords.contains(upper(piece));
}

/// Reads from `pieces_`. A member that returns nothing may have advanced; a caller that tries another form goes back
/// first.
class Reader {
 public:
  Reader(const Request& request, bool update)
      : request_(request), operand_function_(update ? "if_not_exists" : "size") {
    auto pieces = split(request.text);
    int depth = 0;
    int deepest = 0;
    for (const std::string& piece : pieces.value_or(std::vector<std::string>{})) {
      depth += piece == "(" ? 1 : piece == ")" ? -1 : 0;
      deepest = std::max(depth, deepest);
    }
    readable_ = pieces && !request.text.empty() && request.text.size() <= kTextMax && deepest <= kNestingMax;
    if (readable_) pieces_ = std::move(*pieces);
  }

  std::optional<Term> whole_condition() {
    auto term = either();
    return fine() ? term : std::nullopt;
  }

  std::optional<std::vector<Steps>> whole_projection() {
    std::vector<Steps> paths;
    do {
      auto path = document_path();
      if (!path) return std::nullopt;
      paths.push_back(std::move(*path));
    } while (take(","));
    if (!fine()) return std::nullopt;
    return paths;
  }

  std::optional<std::vector<Term>> whole_update() {
    std::vector<Term> actions;
    std::set<std::string> sections;
    do {
      const std::string section = upper(next());
      static const std::set<std::string> kSections = {"SET", "REMOVE", "ADD", "DELETE"};
      if (!kSections.contains(section) || !sections.insert(section).second) return std::nullopt;
      ++at_;
      do {
        auto one = action(section);
        if (!one) return std::nullopt;
        actions.push_back(std::move(*one));
      } while (take(","));
    } while (at_ < pieces_.size());
    if (!fine()) return std::nullopt;
    return actions;
  }

 private:
  [[nodiscard]] const std::string& next(std::size_t ahead = 0) const {
    static const std::string kNothing;
    return at_ + ahead < pieces_.size() ? pieces_[at_ + ahead] : kNothing;
  }
  bool take(std::string_view sign) {
    if (next() != sign) return false;
    ++at_;
    return true;
  }
  bool take_keyword(std::string_view keyword) {
    if (upper(next()) != keyword) return false;
    ++at_;
    return true;
  }

  /// After reading: nothing is left, the operators are not too many, and every placeholder was used.
  [[nodiscard]] bool fine() const {
    return readable_ && at_ == pieces_.size() && operators() <= kOperatorsMax &&
           used_names_.size() == request_.names.size() && used_values_.size() == request_.values.size();
  }

  /// Counted in the text: every sign and keyword that compares, connects or computes, every function, and in updates
  /// every operand of ADD and DELETE. BETWEEN is counted by its AND.
  [[nodiscard]] int operators() const {
    int count = added_operators_;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const std::string word = upper(pieces_[i]);
      const bool call = is_letter(word[0]) && !is_keyword(word) && i + 1 < pieces_.size() && pieces_[i + 1] == "(";
      static const std::set<std::string> kCounted = {
          "=", "<>", "<", "<=", ">", ">=", "+", "-", "IN", "OR", "NOT", "AND"};
      if (call || kCounted.contains(word)) ++count;
    }
    return count;
  }

  // ---- Conditions ----

  std::optional<Term> either() {
    return joined("OR", [this] { return both(); });
  }
  std::optional<Term> both() {
    return joined("AND", [this] { return negation(); });
  }

  template <class Inner>
  std::optional<Term> joined(const std::string& word, Inner inner) {
    auto term = inner();
    while (term && take_keyword(word)) {
      auto right = inner();
      if (!right) return std::nullopt;
      Term all{.what = word};
      all.parts.push_back(std::move(*term));
      all.parts.push_back(std::move(*right));
      term = std::move(all);
    }
    return term;
  }

  std::optional<Term> negation() {
    if (!take_keyword("NOT")) return condition();
    auto inner = negation();
    if (!inner) return std::nullopt;
    return Term{.what = "NOT", .parts = {std::move(*inner)}};
  }

  std::optional<Term> condition() {
    const std::size_t start = at_;
    if (auto term = comparison()) return term;
    at_ = start;
    if (auto term = call(); term && is_condition_function(term->what)) return term;
    at_ = start;
    if (!take("(")) return std::nullopt;
    auto term = either();
    return term && take(")") ? in_parentheses(std::move(*term)) : std::nullopt;
  }

  std::optional<Term> comparison() {
    auto left = operand();
    if (!left) return std::nullopt;
    Term term{.what = upper(next()), .parts = {std::move(*left)}};
    ++at_;
    bool good = false;
    if (term.what == "BETWEEN") {
      good = append_operand(term) && take_keyword("AND") && append_operand(term);
    } else if (term.what == "IN") {
      good = take("(") && append_operands(term);
    } else {
      static const std::set<std::string> kComparators = {"=", "<>", "<", "<=", ">", ">="};
      good = kComparators.contains(term.what) && append_operand(term);
    }
    if (!good || !good_operands(term)) return std::nullopt;
    return term;
  }

  // ---- Operands ----

  std::optional<Term> operand() {
    if (take("(")) {
      auto inner = operand();
      return inner && take(")") ? in_parentheses(std::move(*inner)) : std::nullopt;
    }
    if (next().starts_with(":")) return value();
    if (next(1) == "(") {
      auto term = call();
      return term && term->what == operand_function_ ? term : std::nullopt;
    }
    auto path = document_path();
    if (!path) return std::nullopt;
    return Term{.what = "path", .path = std::move(*path)};
  }

  static std::optional<Term> in_parentheses(Term term) {
    if (++term.parentheses > 1) return std::nullopt;
    return term;
  }

  bool append_operand(Term& term) {
    auto more = operand();
    if (more) term.parts.push_back(std::move(*more));
    return more.has_value();
  }

  bool append_operands(Term& term) {
    do {
      if (!append_operand(term)) return false;
    } while (take(","));
    return take(")");
  }

  std::optional<Term> value() {
    const AttributeValue* found = request_.values.find(next());
    if (found == nullptr) return std::nullopt;
    used_values_.insert(next());
    ++at_;
    return Term{.what = "value", .value = *found};
  }

  std::optional<Term> call() {
    Term term{.what = next()};
    ++at_;
    if (!is_function(term.what) || !take("(") || !append_operands(term) || !good_operands(term)) return std::nullopt;
    return term;
  }

  std::optional<Steps> document_path() {
    Steps path;
    do {
      if (!name(path)) return std::nullopt;
      while (take("[")) {
        const std::string index = next();
        if (index.empty() || !is_digit(index[0]) || index.size() > 10 || std::stoll(index) > 2147483647)
          return std::nullopt;
        path.push_back({.is_index = true, .text = index});
        ++at_;
        if (!take("]")) return std::nullopt;
      }
    } while (take("."));
    if (path.size() > kPathMax) return std::nullopt;
    return path;
  }

  bool name(Steps& path) {
    std::string word = next();
    ++at_;
    if (word.starts_with("#")) {
      const auto found = request_.names.find(word);
      if (found == request_.names.end()) return false;
      used_names_.insert(word);
      word = found->second;
    } else if (word.empty() || !is_letter(word[0]) || is_keyword(word) || expr::is_reserved_word(word)) {
      return false;
    }
    path.push_back({.text = word});
    return true;
  }

  // ---- Updates ----

  std::optional<Term> action(const std::string& section) {
    auto path = document_path();
    if (!path) return std::nullopt;
    Term term{.what = section, .path = std::move(*path)};
    if (section == "REMOVE") return term;
    // The = of a SET was counted but is not an operator; an operand of ADD or DELETE was not counted but is one.
    added_operators_ += section == "SET" ? -1 : 1;
    if (section == "SET" && !take("=")) return std::nullopt;
    if (section != "SET" && !next().starts_with(":")) return std::nullopt;
    auto right = section == "SET" ? assigned() : value();
    if (!right) return std::nullopt;
    term.parts.push_back(std::move(*right));
    if (!good_operands(term)) return std::nullopt;
    return term;
  }

  /// A sum, an operand or list_append, optionally in parentheses.
  std::optional<Term> assigned() {
    const std::size_t start = at_;
    if (auto term = sum()) return term;
    at_ = start;
    if (auto term = operand()) return term;
    at_ = start;
    if (auto term = call(); term && term->what == "list_append") return term;
    at_ = start;
    if (!take("(")) return std::nullopt;
    auto inner = assigned();
    return inner && take(")") ? in_parentheses(std::move(*inner)) : std::nullopt;
  }

  std::optional<Term> sum() {
    auto left = operand();
    if (!left) return std::nullopt;
    Term term{.what = next(), .parts = {std::move(*left)}};
    if ((!take("+") && !take("-")) || !append_operand(term) || !good_operands(term)) return std::nullopt;
    return term;
  }

  const Request& request_;
  /// The one function that can be an operand of others.
  const std::string operand_function_;
  std::vector<std::string> pieces_;
  std::size_t at_ = 0;
  bool readable_ = false;
  int added_operators_ = 0;
  std::set<std::string> used_names_;
  std::set<std::string> used_values_;
};

}  // namespace

std::optional<Term> read_condition(const Request& request) { return Reader(request, false).whole_condition(); }

std::optional<std::vector<Steps>> read_projection(const Request& request) {
  auto paths = Reader(request, false).whole_projection();
  return paths && all_apart(*paths) ? paths : std::nullopt;
}

std::optional<std::vector<Term>> read_update(const Request& request) {
  auto actions = Reader(request, true).whole_update();
  if (!actions) return std::nullopt;
  std::vector<Steps> paths;
  for (const Term& action : *actions) paths.push_back(action.path);
  return all_apart(paths) ? actions : std::nullopt;
}

}  // namespace dolmen::reference
