#include "service/internal_tables.h"

#include "base/fail.h"

namespace dolmen {

Result<void> check_for_users(std::string_view table) {
  if (!is_internal_table(table)) return {};
  return fail(
      Code::kValidation,
      "1 validation error detected: Value '{}' at 'tableName' failed to satisfy constraint: Member must satisfy "
      "regular expression pattern: [a-zA-Z0-9_.-]+",
      table);
}

}  // namespace dolmen
