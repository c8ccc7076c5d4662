#include "wire/table_name.h"

#include <vector>

#include "base/fail.h"
#include "service/table_rules.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kTable = "table/";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::unexpected<Error> malformed(std::string_view arn) {
  return fail(Code::kValidation, "1 validation error detected: Invalid resource type in '{}'", arn);
}

}  // namespace

Result<std::string> table_name_of(std::string_view name_or_arn, const Account& account) {
  if (!looks_like_arn(name_or_arn)) return std::string(name_or_arn);
  const std::vector<std::string_view> parts = split(name_or_arn, ':');
  if (parts.size() != 6 || parts[2] != "dynamodb" || !parts[5].starts_with(kTable)) return malformed(name_or_arn);
  if (parts[3] != account.region)
    return fail(Code::kValidation, "1 validation error detected: Invalid AWS region in '{}'", name_or_arn);
  if (parts[4] != account.id) return fail(Code::kAccessDenied, "Access is denied");
  const std::string name(parts[5].substr(kTable.size()));
  if (name.find('/') != std::string::npos) return malformed(name_or_arn);
  DOLMEN_TRY_VOID(check_table_name(name));
  return name;
}

}  // namespace dolmen::wire
