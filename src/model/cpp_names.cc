#include "model/cpp_names.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "model/naming.h"

namespace dolmen {

namespace {

/// The name by a convention, with what stands in for a name in front where it would begin with a digit.
std::string by_convention(std::string_view name, std::string_view otherwise, NamingConvention convention) {
  if (std::string good = suggested_name(name, convention); !good.empty()) return good;
  return suggested_name(fmt::format("{} {}", otherwise, name), convention);
}

}  // namespace

std::string cpp_snake_case(std::string_view name, std::string_view otherwise) {
  return by_convention(name, otherwise, NamingConvention::kSnakeCase);
}

std::string cpp_pascal_case(std::string_view name, std::string_view otherwise) {
  if (!name.empty() && is_capital(name[0]) && std::ranges::all_of(name, is_letter_or_digit)) return std::string(name);
  std::string camel = by_convention(name, otherwise, NamingConvention::kCamelCase);
  camel[0] = static_cast<char>(camel[0] - ('a' - 'A'));
  return camel;
}

}  // namespace dolmen
