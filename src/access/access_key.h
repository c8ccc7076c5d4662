#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/timestamp.h"

namespace dolmen::access {

/// What a key may do. Each role may do what the ones before it may.
enum class Role : std::uint8_t {
  kReadOnly,   ///< read items, tables and streams
  kReadWrite,  ///< write items
  kAdmin,      ///< create, change and delete tables, and everything else
};

std::string_view role_name(Role role);
std::optional<Role> role_of(std::string_view name);

/// One entry of an access file.
struct AccessKey {
  std::string id;
  std::string secret;
  Role role = Role::kReadOnly;
  /// Names of tables, in which * stands for any characters. None: every table.
  std::vector<std::string> tables = {};
  /// A key with a token is accepted only together with it.
  std::string session_token = {};
  std::optional<Timestamp> expires = std::nullopt;
  std::optional<Timestamp> created = std::nullopt;

  [[nodiscard]] bool is_for_all_tables() const { return tables.empty(); }
  [[nodiscard]] bool allows_table(std::string_view table) const;

  friend bool operator==(const AccessKey&, const AccessKey&) = default;
};

/// Whether a name fits a pattern in which * stands for any characters, also none.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace dolmen::access
