#pragma once

#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// Internal tables of an embedded store. Their names contain a colon, which DynamoDB does not allow in names, so no
/// client can reach them. They are not listed.
inline constexpr std::string_view kDocumentsTable = "dolmen:documents";

inline constexpr std::string_view kContractsTable = "dolmen:contracts";

inline constexpr bool is_internal_table(std::string_view name) {
  return name == kDocumentsTable || name == kContractsTable;
}

/// Fails with kValidation, as for any name that DynamoDB does not allow, when the table is internal.
Result<void> check_for_users(std::string_view table);

}  // namespace dolmen
