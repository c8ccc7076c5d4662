#include "cli/run_words.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <utility>

#include "base/ascii.h"

namespace dolmen::cli {

int run_words(MakeProgram make_program, const std::vector<std::string>& words) {
  std::vector<const char*> arguments{"dolmen"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const int code = make_program()->run(static_cast<int>(arguments.size()), arguments.data(), std::cout, std::cerr);
  std::cout.flush();
  std::fflush(stdout);
  return code;
}

LineWords split_line(const std::string& line) {
  LineWords split;
  bool in_word = false;
  char quote = 0;
  std::string word;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool escapes = c == '\\' && quote != '\'';
    if (escapes && i + 1 == line.size()) {
      split.is_open = true;
    } else if (escapes && (quote == 0 || line[i + 1] == '"' || line[i + 1] == '\\')) {
      // Inside double quotes a backslash keeps its meaning for JSON, unless it stands before a quote or a backslash.
      word.push_back(line[++i]);
      in_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) split.words.push_back(std::exchange(word, {}));
      in_word = false;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      in_word = true;
    } else if (quote == c) {
      quote = 0;
    } else {
      word.push_back(c);
      in_word = true;
    }
  }
  if (in_word) split.words.push_back(std::move(word));
  if (quote != 0) split.is_open = true;
  return split;
}

bool is_statement(const std::string& line) {
  static constexpr std::array<std::string_view, 5> kFirstWords{"SELECT", "INSERT", "UPDATE", "DELETE", "EXISTS"};
  const std::size_t begin = std::min(line.find_first_not_of(" \t\n"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t\n(", begin), line.size());
  const std::string_view word = std::string_view(line).substr(begin, end - begin);
  return std::ranges::any_of(kFirstWords, [&](std::string_view each) { return equals_ignoring_case(word, each); });
}

}  // namespace dolmen::cli
