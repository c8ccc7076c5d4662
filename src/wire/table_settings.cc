#include "wire/table_settings.h"

#include <string_view>

#include "base/fail.h"
#include "service/throughput_rules.h"
#include "wire/tag_parameters.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kInvalidSetting = "One or more parameter values were invalid: ";

/// The key that AWS keeps for the tables of an account.
constexpr std::string_view kAccountKey = "alias/aws/dynamodb";

Result<std::optional<StreamView>> read_new_stream(const Parameters& stream) {
  const std::optional<std::string> view = stream.string("StreamViewType");
  const bool enabled = stream.boolean("StreamEnabled", false);
  if (enabled && !view)
    return fail(Code::kValidation, "{}Table is being created with a stream enabled, UpdateViewType is required",
                kInvalidSetting);
  if (!enabled && view)
    return fail(Code::kValidation,
                "{}Table is being created with a stream disabled, UpdateViewType should not be specified",
                kInvalidSetting);
  return enabled ? stream_view_of(*view) : std::nullopt;
}

}  // namespace

Result<TableClass> read_table_class(std::string_view name) {
  if (const std::optional<TableClass> found = table_class_of(name)) return *found;
  return fail(Code::kValidation,
              "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, "
              "STANDARD_INFREQUENT_ACCESS].");
}

Result<std::optional<EncryptionUpdate>> read_encryption(const Parameters& specification) {
  const std::optional<std::string> type = specification.string("SSEType");
  const std::optional<std::string> key = specification.string("KMSMasterKeyId");
  if (specification.has("Enabled") && !specification.boolean("Enabled", false)) {
    if (type || key)
      return fail(Code::kValidation, "{}{} can not be specified if Enabled is false", kInvalidSetting,
                  type ? "SSEType" : "KMSMasterKeyId");
    return EncryptionUpdate{};
  }
  if (type == "AES256") return fail(Code::kValidation, "{}SSEType AES256 is not supported", kInvalidSetting);
  if (key && !type)
    return fail(Code::kValidation, "{}SSEType KMS is required if KMSMasterKeyId is specified", kInvalidSetting);
  if (!type && !specification.has("Enabled")) return std::nullopt;
  return EncryptionUpdate{.kms_key = key.value_or(std::string(kAccountKey))};
}

std::optional<Throughput> read_throughput(const Parameters& parameters) {
  const std::optional<Parameters> throughput = parameters.structure("ProvisionedThroughput");
  if (!throughput) return std::nullopt;
  return Throughput{throughput->integer("ReadCapacityUnits").value_or(0),
                    throughput->integer("WriteCapacityUnits").value_or(0)};
}

std::optional<OnDemandThroughput> read_on_demand(const Parameters& parameters) {
  const std::optional<Parameters> limits = parameters.structure("OnDemandThroughput");
  if (!limits) return std::nullopt;
  return OnDemandThroughput{limits->integer("MaxReadRequestUnits"), limits->integer("MaxWriteRequestUnits")};
}

std::optional<WarmThroughputUpdate> read_warm(const Parameters& parameters) {
  const std::optional<Parameters> warm = parameters.structure("WarmThroughput");
  if (!warm) return std::nullopt;
  return WarmThroughputUpdate{warm->integer("ReadUnitsPerSecond"), warm->integer("WriteUnitsPerSecond")};
}

std::optional<WarmThroughput> read_new_warm(const Parameters& parameters, BillingMode mode,
                                            const Throughput& throughput) {
  const std::optional<WarmThroughputUpdate> asked = read_warm(parameters);
  if (!asked || *asked == WarmThroughputUpdate{}) return std::nullopt;
  const WarmThroughput usual = usual_warm(mode, throughput);
  return WarmThroughput{asked->read_units.value_or(usual.read_units), asked->write_units.value_or(usual.write_units)};
}

Result<void> read_table_settings(const Parameters& parameters, TableDefinition& definition) {
  if (const auto stream = parameters.structure("StreamSpecification")) {
    DOLMEN_TRY(definition.stream, read_new_stream(*stream));
  }
  if (const auto specification = parameters.structure("SSESpecification")) {
    DOLMEN_TRY(const std::optional<EncryptionUpdate> encryption, read_encryption(*specification));
    if (encryption) definition.kms_key = encryption->kms_key;
  }
  DOLMEN_TRY(definition.tags, read_new_tags(parameters));
  if (const auto table_class = parameters.string("TableClass")) {
    DOLMEN_TRY(definition.table_class, read_table_class(*table_class));
  }
  definition.on_demand = read_on_demand(parameters).value_or(OnDemandThroughput{});
  definition.warm = read_new_warm(parameters, definition.billing_mode, definition.throughput);
  definition.deletion_protection = parameters.boolean("DeletionProtectionEnabled", false);
  return {};
}

}  // namespace dolmen::wire
