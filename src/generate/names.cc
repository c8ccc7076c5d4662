#include "generate/names.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/ascii.h"
#include "model/naming.h"

namespace dolmen::generate {

namespace {

/// The name by a convention, with what stands in for a name in front where it would begin with a digit.
std::string by_convention(std::string_view name, std::string_view otherwise, NamingConvention convention) {
  if (std::string good = suggested_name(name, convention); !good.empty()) return good;
  return suggested_name(fmt::format("{} {}", otherwise, name), convention);
}

char capital(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }

/// What Go writes in capitals.
constexpr auto kInitialisms =
    std::to_array<std::string_view>({"api", "arn", "cpu", "dns", "gsi", "html", "http", "https", "id",   "ip", "json",
                                     "lsi", "pk",  "sk",  "sql", "ttl", "uri",  "url",  "utf8",  "uuid", "xml"});
static_assert(std::ranges::is_sorted(kInitialisms));

}  // namespace

std::string snake_case(std::string_view name, std::string_view otherwise) {
  return by_convention(name, otherwise, NamingConvention::kSnakeCase);
}

std::string upper_case(std::string_view name, std::string_view otherwise) {
  std::string out = snake_case(name, otherwise);
  std::ranges::transform(out, out.begin(), capital);
  return out;
}

std::string pascal_case(std::string_view name, std::string_view otherwise) {
  if (!name.empty() && is_capital(name[0]) && std::ranges::all_of(name, is_letter_or_digit)) return std::string(name);
  std::string camel = camel_case(name, otherwise);
  camel[0] = capital(camel[0]);
  return camel;
}

std::string camel_case(std::string_view name, std::string_view otherwise) {
  return by_convention(name, otherwise, NamingConvention::kCamelCase);
}

std::string go_name(std::string_view name, std::string_view otherwise) {
  const std::string words = snake_case(name, otherwise);
  std::string out;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('_', at), words.size());
    std::string word = words.substr(at, end - at);
    if (std::ranges::binary_search(kInitialisms, word))
      std::ranges::transform(word, word.begin(), capital);
    else
      word[0] = capital(word[0]);
    out += word;
    at = end + 1;
  }
  return out;
}

std::string Scope::take(std::string name) {
  if (std::ranges::binary_search(reserved_, name)) name.push_back('_');
  std::string free = name;
  for (int number = 2; !taken_.insert(free).second; ++number)
    free = fmt::format("{}{}{}", name, name.ends_with('_') ? "" : "_", number);
  return free;
}

}  // namespace dolmen::generate
