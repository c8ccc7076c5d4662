// Settings of CreateTable of which only the default is supported.
#include <string_view>

#include "base/fail.h"
#include "wire/table_json.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

std::unexpected<Error> not_supported(std::string_view name) {
  return fail(Code::kUnsupported, "CreateTable does not support the parameter {} yet", name);
}

Result<void> check_stream(const Parameters& stream) {
  if (stream.boolean("StreamEnabled", false)) return not_supported("StreamSpecification");
  if (stream.has("StreamViewType"))
    return fail(Code::kValidation,
                "{}Table is being created with a stream disabled, UpdateViewType should not be specified", kInvalid);
  return {};
}

Result<void> check_encryption(const Parameters& encryption) {
  if (encryption.boolean("Enabled", false)) return not_supported("SSESpecification");
  for (const std::string_view name : {"SSEType", "KMSMasterKeyId"})
    if (encryption.has(name))
      return fail(Code::kValidation, "{}{} can not be specified if Enabled is false", kInvalid, name);
  return {};
}

Result<void> check_table_class(std::string_view table_class) {
  if (table_class == "STANDARD") return {};
  if (table_class == "STANDARD_INFREQUENT_ACCESS") return not_supported("TableClass");
  return fail(Code::kValidation,
              "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, "
              "STANDARD_INFREQUENT_ACCESS].");
}

}  // namespace

Result<void> check_table_settings(const Parameters& parameters) {
  if (const auto stream = parameters.structure("StreamSpecification")) DOLMEN_TRY_VOID(check_stream(*stream));
  if (const auto encryption = parameters.structure("SSESpecification")) DOLMEN_TRY_VOID(check_encryption(*encryption));
  if (const auto tags = parameters.find("Tags"); tags && json::array_of(*tags).size() > 0) return not_supported("Tags");
  if (const auto table_class = parameters.string("TableClass")) DOLMEN_TRY_VOID(check_table_class(*table_class));
  return {};
}

}  // namespace dolmen::wire
