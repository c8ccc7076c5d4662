// The parameters of operations that restore tables.
#include <cmath>
#include <utility>

#include "base/fail.h"
#include "wire/backup_json.h"
#include "wire/index_json.h"
#include "wire/table_settings.h"
#include "wire/vector_index_json.h"

namespace dolmen::wire {
namespace {

/// Beyond the year 9999 nothing is a time.
constexpr double kTimeSecondsMax = 253'402'300'799.0;

std::unexpected<Error> invalid_restore(std::string_view text) {
  return fail(Code::kValidation, "Invalid Request: {}", text);
}

IndexOverride read_index_override(const Parameters& parameters) {
  IndexOverride index{.name = parameters.required_string("IndexName"), .partition_keys = {}};
  for (KeyElement& key : read_key_schema(parameters))
    (key.is_hash ? index.partition_keys : index.sort_keys).push_back(std::move(key.name));
  if (const auto projection = parameters.structure("Projection")) {
    const std::string type = projection->string("ProjectionType").value_or("ALL");
    index.projection = type == "ALL"         ? ProjectionType::kAll
                       : type == "KEYS_ONLY" ? ProjectionType::kKeysOnly
                                             : ProjectionType::kInclude;
    if (const auto names = projection->find("NonKeyAttributes"))
      for (const json::Element name : json::array_of(*names))
        index.included_attributes.emplace_back(json::string_of(name));
  }
  index.throughput = read_throughput(parameters);
  index.on_demand = read_on_demand(parameters).value_or(OnDemandThroughput{});
  return index;
}

std::optional<std::vector<IndexOverride>> read_index_overrides(const Parameters& parameters, std::string_view name) {
  const auto list = parameters.find(name);
  if (!list) return std::nullopt;
  std::vector<IndexOverride> indexes;
  for (const json::Element element : json::array_of(*list)) indexes.push_back(read_index_override(Parameters(element)));
  return indexes;
}

}  // namespace

Result<std::optional<TableTime>> read_time(const Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  if (!found) return std::nullopt;
  double seconds = 0;
  if (found->get(seconds) != simdjson::SUCCESS || !(std::abs(seconds) <= kTimeSecondsMax))
    return fail(Code::kValidation, "{} is not a time between the years 0 and 9999", name);
  return TableTime(std::chrono::milliseconds(std::llround(seconds * 1e3)));
}

Result<RestoreOverrides> read_overrides(const Parameters& parameters) {
  RestoreOverrides overrides;
  if (const auto mode = parameters.string("BillingModeOverride"))
    overrides.billing_mode = *mode == "PROVISIONED" ? BillingMode::kProvisioned : BillingMode::kPayPerRequest;
  overrides.global_indexes = read_index_overrides(parameters, "GlobalSecondaryIndexOverride");
  overrides.local_indexes = read_index_overrides(parameters, "LocalSecondaryIndexOverride");
  DOLMEN_TRY(overrides.vector_indexes, read_vector_overrides(parameters));
  if (const auto throughput = parameters.structure("ProvisionedThroughputOverride"))
    overrides.throughput = Throughput{throughput->integer("ReadCapacityUnits").value_or(0),
                                      throughput->integer("WriteCapacityUnits").value_or(0)};
  if (const auto limits = parameters.structure("OnDemandThroughputOverride"))
    overrides.on_demand =
        OnDemandThroughput{limits->integer("MaxReadRequestUnits"), limits->integer("MaxWriteRequestUnits")};
  if (const auto encryption = parameters.structure("SSESpecificationOverride")) {
    DOLMEN_TRY(overrides.encryption, read_encryption(*encryption));
  }
  return overrides;
}

Result<RestoreToPointInTime> read_restore_to_point_in_time(const Parameters& parameters) {
  RestoreToPointInTime request{.source = {}, .target = parameters.required_string("TargetTableName")};
  const std::optional<std::string> name = parameters.string("SourceTableName");
  const std::optional<std::string> arn = parameters.string("SourceTableArn");
  const bool latest = parameters.boolean("UseLatestRestorableTime", false);
  DOLMEN_TRY(request.time, read_time(parameters, "RestoreDateTime"));
  if (latest && request.time)
    return invalid_restore(
        "Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request. Please "
        "specify only one.");
  if (!latest && !request.time)
    return invalid_restore("Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both");
  if (name && arn) return fail(Code::kValidation, "Must provide exactly one of: sourceTableArn, sourceTableName");
  if (!name && !arn)
    return fail(Code::kValidation, "The parameter 'TableName' is required but was not present in the request");
  if (arn && !arn->starts_with("arn:")) return fail(Code::kValidation, "sourceTableArn is not a valid ARN");
  request.source = arn ? *arn : *name;
  DOLMEN_TRY(request.overrides, read_overrides(parameters));
  return request;
}

}  // namespace dolmen::wire
