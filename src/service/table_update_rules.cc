#include "service/table_update_rules.h"

#include <algorithm>
#include <set>

#include "base/fail.h"
#include "service/table_rules.h"
#include "service/throughput_rules.h"
#include "service/vector_rules.h"

namespace dolmen {
namespace {

constexpr std::string_view kInvalidUpdate = "One or more parameter values were invalid: ";

std::unexpected<Error> invalid_update(std::string_view text) {
  return fail(Code::kValidation, "{}{}", kInvalidUpdate, text);
}

bool is_empty(const WarmThroughputUpdate& warm) { return !warm.read_units && !warm.write_units; }
bool is_empty(const OnDemandThroughput& limits) { return !limits.max_read_units && !limits.max_write_units; }

/// The number of settings that a request names.
std::size_t settings_in(const TableUpdate& update) {
  const bool named[] = {update.billing_mode.has_value(), update.throughput.has_value(),
                        !update.indexes.empty(),         !update.vector_indexes.empty(),
                        update.stream.has_value(),       update.encryption.has_value(),
                        update.table_class.has_value(),  update.deletion_protection.has_value(),
                        update.on_demand.has_value(),    update.warm.has_value()};
  return static_cast<std::size_t>(std::ranges::count(named, true));
}

Result<void> check_something_asked(const TableUpdate& update) {
  if (settings_in(update) > 0) return {};
  return fail(Code::kValidation,
              "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
              "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
              "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is "
              "required");
}

Result<void> check_entries(const TableUpdate& update) {
  std::set<std::string_view> names;
  for (const IndexChange& change : update.indexes)
    if (!names.insert(name_of(change)).second)
      return fail(Code::kValidation,
                  "{}Only one global secondary index update per index is allowed simultaneously. Index: {}",
                  kInvalidUpdate, name_of(change));
  return {};
}

/// Settings that must be changed alone. Of several, DynamoDB names the first of this order.
Result<void> check_alone(const TableUpdate& update) {
  if (settings_in(update) == 1) return {};
  const std::pair<bool, std::string_view> settings[] = {
      {update.encryption.has_value(), "Server-Side Encryption modification"},
      {update.table_class.has_value(), "TableClass modification"},
      {update.deletion_protection.has_value(), "DeletionProtection modification"}};
  for (const auto& [named, what] : settings)
    if (named) return fail(Code::kValidation, "{}{} must be the only operation in the request", kInvalidUpdate, what);
  if (update.on_demand && (update.stream || update.warm))
    return invalid_update("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
  if (update.warm) {
    const bool creates = std::ranges::any_of(
        update.indexes, [](const IndexChange& change) { return std::holds_alternative<CreateIndex>(change); });
    return invalid_update(creates ? "Create global secondary index cannot be specified when updating WarmThroughput"
                                  : "WarmThroughput must be the only operation in the request");
  }
  if (update.on_demand && settings_in(update) > (update.billing_mode ? 2U : 1U))
    return invalid_update("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
  return {};
}

Result<void> check_combinations(const TableUpdate& update) {
  DOLMEN_TRY_VOID(check_alone(update));
  if (update.stream && (update.throughput || update.billing_mode == BillingMode::kProvisioned))
    return invalid_update("You cannot modify stream status while updating table IOPS");
  DOLMEN_TRY_VOID(check_vector_changes(update));
  const auto listed = std::ranges::count_if(update.indexes, changes_index_list) + std::ssize(update.vector_indexes);
  if (listed > 0 && update.throughput)
    return invalid_update("You cannot create or delete index while updating table IOPS");
  if (listed > 0 && update.stream)
    return invalid_update("You cannot create or delete index while changing stream status");
  if (listed > 1) return one_online_index();
  return {};
}

Result<void> check_new_index(const IndexDefinition& index) {
  DOLMEN_TRY_VOID(check_global_index(index));
  DOLMEN_TRY_VOID(check_throughput_bounds(index.throughput));
  return check_on_demand_range(index.on_demand, index.name, false);
}

Result<void> check_index_update(const UpdateIndex& update) {
  if (update.warm && is_empty(*update.warm))
    return fail(Code::kValidation,
                "{}WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for "
                "index: {}",
                kInvalidUpdate, update.name);
  if (!update.throughput && !(update.on_demand && !is_empty(*update.on_demand)) && !update.warm)
    return fail(Code::kValidation,
                "{}At least one of ProvisionedThroughput, OnDemandThroughput or WarmThroughput is required for index: "
                "{}",
                kInvalidUpdate, update.name);
  if (update.throughput) DOLMEN_TRY_VOID(check_throughput_bounds(*update.throughput));
  if (update.on_demand) DOLMEN_TRY_VOID(check_on_demand_range(*update.on_demand, update.name, true));
  return {};
}

Result<void> check_indexes_of(const TableUpdate& update) {
  for (const IndexChange& change : update.indexes) {
    if (const auto* created = std::get_if<CreateIndex>(&change)) DOLMEN_TRY_VOID(check_new_index(created->definition));
    if (const auto* updated = std::get_if<UpdateIndex>(&change)) DOLMEN_TRY_VOID(check_index_update(*updated));
  }
  return {};
}

Result<void> check_stream(const StreamUpdate& stream) {
  if (stream.enabled && !stream.view)
    return invalid_update("If stream is being enabled then UpdateViewType is required");
  if (!stream.enabled && stream.view)
    return invalid_update("If stream is being disabled, then UpdateViewType must not be specified");
  return {};
}

Result<void> check_billing(const TableUpdate& update) {
  if (update.billing_mode == BillingMode::kProvisioned && !update.throughput)
    return invalid_update("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  if (update.billing_mode == BillingMode::kPayPerRequest && update.throughput)
    return invalid_update("ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST");
  if (!update.throughput) return {};
  if (update.throughput->read_units < 1 || update.throughput->write_units < 1)
    return invalid_update("ReadCapacityUnits and WriteCapacityUnits must both be at least 1");
  return check_throughput_bounds(*update.throughput);
}

}  // namespace

std::string_view name_of(const IndexChange& change) {
  if (const auto* created = std::get_if<CreateIndex>(&change)) return created->definition.name;
  if (const auto* updated = std::get_if<UpdateIndex>(&change)) return updated->name;
  return std::get<DeleteIndex>(change).name;
}

bool changes_index_list(const IndexChange& change) { return !std::holds_alternative<UpdateIndex>(change); }

std::unexpected<Error> one_online_index() {
  return fail(Code::kLimitExceeded,
              "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table");
}

void drop_empty_settings(TableUpdate& update) {
  if (settings_in(update) > 1 && update.on_demand && is_empty(*update.on_demand)) update.on_demand.reset();
  if (settings_in(update) > 1 && update.warm && is_empty(*update.warm)) update.warm.reset();
}

Result<void> check_no_empty_setting(const TableUpdate& update) {
  if (update.warm && is_empty(*update.warm))
    return invalid_update(
        "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified");
  if (update.on_demand && is_empty(*update.on_demand))
    return invalid_update(
        "OnDemandThroughput must have at least one of MaxReadRequestUnits or MaxWriteRequestUnits specified");
  return {};
}

Result<void> check_table_update(const TableUpdate& update) {
  DOLMEN_TRY_VOID(check_table_name(update.table));
  DOLMEN_TRY_VOID(check_something_asked(update));
  DOLMEN_TRY_VOID(check_entries(update));
  DOLMEN_TRY_VOID(check_combinations(update));
  DOLMEN_TRY_VOID(check_indexes_of(update));
  if (update.stream) DOLMEN_TRY_VOID(check_stream(*update.stream));
  DOLMEN_TRY_VOID(check_billing(update));
  if (update.on_demand) return check_on_demand_range(*update.on_demand, {}, true);
  return {};
}

}  // namespace dolmen
