#pragma once

#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// Tables that an embedded store keeps for itself. Their names have a colon, which no name of DynamoDB's can have, so
/// no client can reach them; they are not listed.
inline constexpr std::string_view kDocumentsTable = "dolmen:documents";

inline constexpr std::string_view kContractsTable = "dolmen:contracts";

inline constexpr bool is_internal_table(std::string_view name) {
  return name == kDocumentsTable || name == kContractsTable;
}

/// Fails with kValidation, as for any name that DynamoDB does not allow, when the table is not for users.
Result<void> check_for_users(std::string_view table);

}  // namespace dolmen
