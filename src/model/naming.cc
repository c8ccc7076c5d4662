#include "model/naming.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"

namespace dolmen {

namespace {

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
char to_small(char c) { return is_capital(c) ? static_cast<char>(c + ('a' - 'A')) : c; }
char to_capital(char c) { return is_small(c) ? static_cast<char>(c - ('a' - 'A')) : c; }

bool is_camel_case(std::string_view name) {
  if (name == "PK" || name == "SK") return true;
  return !name.empty() && is_small(name[0]) &&
         std::ranges::all_of(name, [](char c) { return is_small(c) || is_capital(c) || is_digit(c); });
}

bool is_snake_case(std::string_view name) {
  if (name.empty() || !is_small(name[0]) || name.back() == '_') return false;
  if (name.find("__") != std::string_view::npos) return false;
  return std::ranges::all_of(name, [](char c) { return is_small(c) || is_digit(c) || c == '_'; });
}

/// "emailHash", "email_hash" and "Email-Hash" are the words "email" and "hash"; "userID" is "user" and "id".
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool in_word = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_small(c) && !is_capital(c) && !is_digit(c)) {
      in_word = false;
      continue;
    }
    const bool after_small = i > 0 && (is_small(name[i - 1]) || is_digit(name[i - 1]));
    const bool before_small = i + 1 < name.size() && is_small(name[i + 1]) && i > 0 && is_capital(name[i - 1]);
    if (!in_word || (is_capital(c) && (after_small || before_small))) words.emplace_back();
    in_word = true;
    words.back().push_back(to_small(c));
  }
  return words;
}

}  // namespace

bool follows_convention(std::string_view name, NamingConvention convention) {
  switch (convention) {
    case NamingConvention::kCamelCase:
    case NamingConvention::kDynamorm: return is_camel_case(name);
    case NamingConvention::kSnakeCase: return is_snake_case(name);
    case NamingConvention::kNone: break;
  }
  return true;
}

std::string suggested_name(std::string_view name, NamingConvention convention) {
  std::string out;
  for (std::string& word : words_of(name)) {
    if (!out.empty() && convention != NamingConvention::kSnakeCase) word[0] = to_capital(word[0]);
    if (!out.empty() && convention == NamingConvention::kSnakeCase) out.push_back('_');
    out.append(word);
  }
  return follows_convention(out, convention) ? out : std::string();
}

std::string_view convention_name(NamingConvention convention) {
  switch (convention) {
    case NamingConvention::kCamelCase: return "camelCase";
    case NamingConvention::kSnakeCase: return "snake_case";
    case NamingConvention::kDynamorm: return "dynamorm";
    case NamingConvention::kNone: break;
  }
  return "none";
}

}  // namespace dolmen
