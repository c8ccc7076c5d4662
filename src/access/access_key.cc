#include "access/access_key.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/wildcard.h"

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

bool matches(std::string_view pattern, std::string_view name) { return matches_wildcard(pattern, name); }

}  // namespace dolmen::access
