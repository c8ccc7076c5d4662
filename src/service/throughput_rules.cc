#include "service/throughput_rules.h"

#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/limits.h"

namespace dolmen {
namespace {

constexpr std::string_view kInvalidThroughput = "One or more parameter values were invalid: ";

using Units = std::pair<std::string_view, std::optional<std::int64_t>>;

/// The place of a limit for requests, in DynamoDB's words.
std::string limit_place(std::string_view index) {
  return index.empty() ? std::string("table") : fmt::format("index : {}", index);
}

std::string warm_place(std::string_view index) {
  return index.empty() ? std::string("table") : fmt::format("index {}", index);
}

std::unexpected<Error> above_account(std::string_view name, std::string_view what, std::string_view place,
                                     std::string_view region) {
  const bool reads = name.find("Read") != std::string_view::npos;
  return fail(Code::kLimitExceeded,
              "Subscriber limit exceeded: Requested {} for {} for {} exceeds TableMax{}CapacityUnits of the account in "
              "region {}",
              name, what, place, reads ? "Read" : "Write", region);
}

}  // namespace

WarmThroughput usual_warm(BillingMode mode, const Throughput& throughput) {
  if (mode == BillingMode::kPayPerRequest) return kOnDemandWarm;
  return {.read_units = throughput.read_units, .write_units = throughput.write_units};
}

Result<void> check_throughput_bounds(const Throughput& throughput) {
  for (const auto& [name, units] :
       {std::pair("ReadCapacityUnits", throughput.read_units), std::pair("WriteCapacityUnits", throughput.write_units)})
    if (units > limits::kCapacityUnitsMax)
      return fail(Code::kValidation, "Given value {} for {} is out of bounds", units, name);
  return {};
}

Result<void> check_on_demand_range(const OnDemandThroughput& on_demand, std::string_view index, bool update) {
  for (const auto& [name, units] : {Units("MaxReadRequestUnits", on_demand.max_read_units),
                                    Units("MaxWriteRequestUnits", on_demand.max_write_units)})
    if (units && *units < 1 && !(update && *units == -1))
      return fail(Code::kValidation, "{}Requested {} for OnDemandThroughput for {} is outside of valid range",
                  kInvalidThroughput, name, limit_place(index));
  return {};
}

Result<void> refuse_on_demand(const OnDemandThroughput& on_demand, bool update) {
  for (const auto& [name, units] : {Units("MaxReadRequestUnits", on_demand.max_read_units),
                                    Units("MaxWriteRequestUnits", on_demand.max_write_units)})
    if (units)
      return fail(Code::kValidation,
                  "{}{} for OnDemandThroughput cannot be specified when {}table BillingMode is "
                  "PROVISIONED{}",
                  kInvalidThroughput, name, update ? "the " : "", update ? "" : ".");
  return {};
}

Result<void> check_new_warm(const WarmThroughput& warm, BillingMode mode, const Throughput& throughput,
                            std::string_view index) {
  const WarmThroughput least = usual_warm(mode, throughput);
  const auto lower = [&](std::string_view name, std::string_view units) -> Result<void> {
    if (mode == BillingMode::kPayPerRequest)
      return fail(Code::kValidation,
                  "{}Requested {} for WarmThroughput for {} is lower than initial throughput for OnDemand. See: "
                  "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
                  "on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
                  kInvalidThroughput, name, warm_place(index));
    return fail(Code::kValidation, "{}Requested {} for WarmThroughput for {} is lower than {} of ProvisionedThroughput",
                kInvalidThroughput, name, warm_place(index), units);
  };
  if (warm.read_units < least.read_units) return lower("ReadUnitsPerSecond", "ReadCapacityUnits");
  if (warm.write_units < least.write_units) return lower("WriteUnitsPerSecond", "WriteCapacityUnits");
  return {};
}

Result<void> check_account_throughput(const Throughput& throughput, std::string_view index, std::string_view region) {
  for (const auto& [name, units] :
       {std::pair("ReadCapacityUnits", throughput.read_units), std::pair("WriteCapacityUnits", throughput.write_units)})
    if (units > limits::kTableCapacityUnits)
      return fail(Code::kLimitExceeded,
                  "The requested {}{}, {}, is above the per {} maximum for the account in {}. Per {} maximum: {}. "
                  "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
                  name, index.empty() ? std::string() : fmt::format(" for index {}", index), units,
                  index.empty() ? "table" : "index", region, index.empty() ? "table" : "index",
                  limits::kTableCapacityUnits);
  return {};
}

Result<void> check_account_on_demand(const OnDemandThroughput& on_demand, std::string_view index,
                                     std::string_view region) {
  for (const auto& [name, units] : {Units("MaxReadRequestUnits", on_demand.max_read_units),
                                    Units("MaxWriteRequestUnits", on_demand.max_write_units)})
    if (units > limits::kTableCapacityUnits)
      return above_account(name, "OnDemandThroughput", limit_place(index), region);
  return {};
}

Result<void> check_account_warm(const WarmThroughputUpdate& warm, std::string_view index, std::string_view region) {
  for (const auto& [name, units] :
       {Units("ReadUnitsPerSecond", warm.read_units), Units("WriteUnitsPerSecond", warm.write_units)})
    if (units > limits::kTableCapacityUnits) return above_account(name, "WarmThroughput", warm_place(index), region);
  return {};
}

Result<void> check_account_limits(const IndexDefinition& index, std::string_view region) {
  DOLMEN_TRY_VOID(check_account_throughput(index.throughput, index.name, region));
  DOLMEN_TRY_VOID(check_account_on_demand(index.on_demand, index.name, region));
  if (!index.warm) return {};
  return check_account_warm({index.warm->read_units, index.warm->write_units}, index.name, region);
}

Result<void> check_account_limits(const TableDefinition& definition, std::string_view region) {
  DOLMEN_TRY_VOID(check_account_throughput(definition.throughput, {}, region));
  DOLMEN_TRY_VOID(check_account_on_demand(definition.on_demand, {}, region));
  if (definition.warm)
    DOLMEN_TRY_VOID(check_account_warm({definition.warm->read_units, definition.warm->write_units}, {}, region));
  for (const IndexDefinition& index : definition.global_indexes) DOLMEN_TRY_VOID(check_account_limits(index, region));
  return {};
}

}  // namespace dolmen
