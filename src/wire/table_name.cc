#include "wire/table_name.h"

#include "base/arn.h"
#include "base/fail.h"
#include "service/table_rules.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kTable = "table/";

std::unexpected<Error> malformed(std::string_view arn) {
  return fail(Code::kValidation, "1 validation error detected: Invalid resource type in '{}'", arn);
}

}  // namespace

Result<std::string> table_name_of(std::string_view name_or_arn, const Account& account) {
  if (!looks_like_arn(name_or_arn)) return std::string(name_or_arn);
  const Arn arn = split_arn(name_or_arn);
  const bool names_table = arn.is_whole() && arn.service() == "dynamodb" && arn.resource().starts_with(kTable) &&
                           !arn.resource().contains(':');
  if (!names_table) return malformed(name_or_arn);
  if (arn.region() != account.region)
    return fail(Code::kValidation, "1 validation error detected: Invalid AWS region in '{}'", name_or_arn);
  if (arn.account() != account.id) return fail(Code::kAccessDenied, "Access is denied");
  const std::string name(arn.resource().substr(kTable.size()));
  if (name.contains('/')) return malformed(name_or_arn);
  DOLMEN_TRY_VOID(check_table_name(name));
  return name;
}

}  // namespace dolmen::wire
