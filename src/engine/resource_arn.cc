#include "engine/resource_arn.h"

#include <algorithm>

#include "base/arn.h"
#include "base/fail.h"
#include "base/limits.h"
#include "base/unicode.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";
constexpr std::string_view kTablePart = "table/";

Result<Arn> parse_arn(std::string_view text) {
  if (!text.starts_with("arn:")) return fail(Code::kValidation, "{}ARNs must start with 'arn:': {}", kInvalid, text);
  // What is missing after so many parts; the first colon is there.
  constexpr std::string_view kMissing[] = {"",
                                           "",
                                           "Second colon partition not found",
                                           "Third colon vendor not found",
                                           "Fourth colon (region/namespace delimiter) not found",
                                           "Fifth colon (namespace/relative-id delimiter) not found"};
  const Arn arn = split_arn(text);
  if (!arn.is_whole()) return fail(Code::kValidation, "{}{}: {}", kInvalid, kMissing[arn.count], text);
  return arn;
}

Result<void> check_length(std::string_view arn) {
  const std::size_t length = utf16_length(arn);
  if (length >= 1 && length <= limits::kResourceArnMax) return {};
  return fail(Code::kValidation,
              "1 validation error detected: Value '{}' at 'resourceArn' failed to satisfy constraint: Member must have "
              "length {} than or equal to {}",
              arn, length < 1 ? "greater" : "less", length < 1 ? 1 : limits::kResourceArnMax);
}

}  // namespace

std::unexpected<Error> no_resource(std::string_view arn) {
  return fail(Code::kTableNotFound, "Requested resource not found: ResourceArn: {} not found", arn);
}

Result<std::string> table_of_resource(std::string_view arn, const ArnOwner& owner) {
  DOLMEN_TRY_VOID(check_length(arn));
  DOLMEN_TRY(const Arn split, parse_arn(arn));
  const std::string_view resource = split.resource();
  const std::size_t slashes = static_cast<std::size_t>(std::ranges::count(resource, '/'));
  const std::string_view name = resource.substr(std::min(kTablePart.size(), resource.size()));
  const std::string_view below = name.substr(std::min(name.find('/'), name.size()));
  // Backups are below their table, too.
  if (split.service() != "dynamodb" || !resource.starts_with(kTablePart) || below.starts_with("/backup/"))
    return fail(Code::kValidation, "{}Provided Arn is not a DynamoDB resource arn: {}", kInvalid, arn);
  const bool stream = below.starts_with("/stream/") && slashes == 3;
  if (slashes > 1 && !stream)
    return fail(Code::kValidation,
                "{}Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {}",
                kInvalid, arn);
  if (split.region() != owner.region)
    return fail(Code::kValidation, "Invalid TableArn: Invalid ResourceArn provided as input {}", arn);
  if (split.account() != owner.account) return fail(Code::kAccessDenied, "Access is denied");
  if (stream) return no_resource(arn);
  return std::string(name);
}

}  // namespace dolmen::engine
