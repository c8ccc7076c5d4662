#include "cli/shell_completion.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/ascii.h"
#include "cli/run_words.h"

namespace dolmen::cli {
namespace {

constexpr std::array<std::string_view, 26> kKeywords{
    "SELECT", "INSERT", "UPDATE", "DELETE",  "FROM", "INTO",   "VALUE",     "WHERE",      "AND",
    "OR",     "NOT",    "IN",     "BETWEEN", "SET",  "REMOVE", "ORDER",     "BY",         "ASC",
    "DESC",   "IS",     "NULL",   "MISSING", "LIST", "EXISTS", "RETURNING", "begins_with"};

/// The words of shell_completions, gathered.
class Candidates {
 public:
  explicit Candidates(const std::string& word) : word_(word) {}

  void add(const std::string& candidate) {
    if (candidate.starts_with(word_)) found_.insert(candidate);
  }
  /// A keyword is completed in the case in which it was begun.
  void add_keyword(std::string_view keyword) {
    if (keyword.size() < word_.size() || !equals_ignoring_case(keyword.substr(0, word_.size()), word_)) return;
    std::string text(keyword);
    if (!word_.empty() && !is_capital(word_.front())) std::ranges::transform(text, text.begin(), ascii_lower);
    found_.insert(text);
  }
  [[nodiscard]] std::vector<std::string> words() const { return {found_.begin(), found_.end()}; }

 private:
  const std::string& word_;
  std::set<std::string> found_;
};

/// The parts of a line that could be names: words without quotes and other marks.
std::set<std::string> names_in(const std::string& line) {
  std::set<std::string> names;
  std::string name;
  for (const char c : line + " ") {
    if (is_letter_or_digit(c) || c == '_' || c == '-' || c == '.') {
      name.push_back(c);
    } else {
      if (!name.empty()) names.insert(name);
      name.clear();
    }
  }
  return names;
}

void add_attributes(Candidates& candidates, const Vocabulary& vocabulary, const std::string& before) {
  const std::set<std::string> named = names_in(before);
  for (const std::string& table : vocabulary.tables())
    if (named.contains(table))
      for (const std::string& attribute : vocabulary.attributes(table)) candidates.add(attribute);
}

const VerbInfo::OptionInfo* option_named(const VerbInfo& verb, const std::string& name) {
  const auto found = std::ranges::find(verb.options, name, &VerbInfo::OptionInfo::name);
  return found == verb.options.end() ? nullptr : &*found;
}

void add_choices(Candidates& candidates, const std::string& choices) {
  for (std::size_t at = 0; at <= choices.size();) {
    const std::size_t end = std::min(choices.find('|', at), choices.size());
    candidates.add(choices.substr(at, end - at));
    at = end + 1;
  }
}

void add_for_verb(Candidates& candidates, const VerbInfo& program, const Vocabulary& vocabulary,
                  const std::vector<std::string>& words, const std::string& before) {
  const VerbInfo* verb = &program;
  std::size_t next = 0;
  for (; next < words.size(); ++next) {
    const auto below = std::ranges::find(verb->verbs, words[next], &VerbInfo::name);
    if (below == verb->verbs.end()) break;
    verb = &*below;
  }
  if (!verb->verbs.empty()) {
    for (const VerbInfo& below : verb->verbs) candidates.add(below.name);
    return;
  }
  const VerbInfo::OptionInfo* option = words.empty() ? nullptr : option_named(*verb, words.back());
  if (option != nullptr && option->takes_value && option->value.find('|') != std::string::npos)
    return add_choices(candidates, option->value);
  for (const VerbInfo::OptionInfo& each : verb->options) candidates.add(each.name);
  for (const std::string& table : vocabulary.tables()) candidates.add(table);
  add_attributes(candidates, vocabulary, before);
}

}  // namespace

std::vector<std::string> shell_completions(const VerbInfo& program, const Vocabulary& vocabulary,
                                           const std::string& before, const std::string& word) {
  Candidates candidates(word);
  const std::string earlier = before.substr(0, before.size() - std::min(word.size(), before.size()));
  if (is_statement(earlier)) {
    for (const std::string_view keyword : kKeywords) candidates.add_keyword(keyword);
    for (const std::string& table : vocabulary.tables()) candidates.add(table);
    add_attributes(candidates, vocabulary, before);
    return candidates.words();
  }
  const std::vector<std::string> words = split_line(earlier).words;
  if (words.empty()) {
    for (const std::string_view keyword : {"SELECT", "INSERT", "UPDATE", "DELETE"}) candidates.add_keyword(keyword);
    candidates.add("exit");
  }
  add_for_verb(candidates, program, vocabulary, words, before);
  return candidates.words();
}

}  // namespace dolmen::cli
