#include "access/access_key.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dolmen::access {
namespace {

constexpr std::array<std::pair<Role, std::string_view>, 3> kRoles{
    {{Role::kReadOnly, "read-only"}, {Role::kReadWrite, "read-write"}, {Role::kAdmin, "admin"}}};

}  // namespace

std::string_view role_name(Role role) {
  return std::ranges::find(kRoles, role, &decltype(kRoles)::value_type::first)->second;
}

std::optional<Role> role_of(std::string_view name) {
  const auto* const found = std::ranges::find(kRoles, name, &decltype(kRoles)::value_type::second);
  return found == kRoles.end() ? std::nullopt : std::optional(found->first);
}

bool AccessKey::allows_table(std::string_view table) const {
  return tables.empty() ||
         std::ranges::any_of(tables, [&](const std::string& pattern) { return matches(pattern, table); });
}

bool matches(std::string_view pattern, std::string_view name) {
  // Where to go on when what follows the latest star does not fit: the star takes one more character.
  std::size_t after_star = std::string_view::npos;
  std::size_t retry_at = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      retry_at = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (after_star != std::string_view::npos) {
      p = after_star;
      n = ++retry_at;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace dolmen::access
