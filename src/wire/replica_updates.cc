#include "wire/replica_updates.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/fail.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kInvalidReplicas = "One or more parameter values were invalid: ";
/// The parameters of UpdateTable that are not about replicas. Definitions of attributes alone change nothing.
constexpr std::string_view kOtherChanges[] = {"BillingMode",
                                              "ProvisionedThroughput",
                                              "GlobalSecondaryIndexUpdates",
                                              "StreamSpecification",
                                              "SSESpecification",
                                              "TableClass",
                                              "DeletionProtectionEnabled",
                                              "OnDemandThroughput",
                                              "WarmThroughput",
                                              "VectorIndexUpdates",
                                              "GlobalTableSettingsReplicationMode"};

std::unexpected<Error> refused(std::string_view text) { return fail(Code::kValidation, "{}", text); }

/// DynamoDB's list of what an update may have. A name that is there, but is not enough, is left out.
std::unexpected<Error> nothing_to_update(bool names_consistency) {
  return fail(Code::kValidation,
              "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
              "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
              "{}DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required",
              names_consistency ? "MultiRegionConsistency, " : "");
}

bool changes_more(const Parameters& parameters) {
  return std::ranges::any_of(kOtherChanges, [&](std::string_view name) { return parameters.has(name); });
}

/// What a list of updates asks for.
struct Asked {
  std::size_t created = 0;
  std::size_t deleted = 0;
  bool has_empty = false;
  /// The answer for the first region of the list, once the table is known to exist.
  std::optional<Error> refusal = std::nullopt;
};

std::string region_text(std::string_view action, const std::string& region, const std::string& own) {
  if (region == own && action != "Disassociate")
    return "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable "
           "as required.";
  if (action == "Create")
    return fmt::format(
        "Region {} is not supported. The latest version of global tables are only supported in the following regions: "
        "[{}]",
        region, own);
  return fmt::format(
      "Update global table operation failed because one or more replicas were not part of the global table. Please "
      "retry the request without these replicas: [{}].",
      region);
}

Asked read_updates(const Parameters& parameters, std::string_view list, const std::string& own) {
  Asked asked;
  const auto found = parameters.find(list);
  if (!found) return asked;
  for (const json::Element element : json::array_of(*found)) {
    const Parameters entry(element);
    bool is_empty = true;
    for (const std::string_view action : {"Create", "Update", "Delete", "Disassociate"}) {
      const auto content = entry.structure(action);
      if (!content) continue;
      is_empty = false;
      if (action == "Create") ++asked.created;
      if (action == "Delete") ++asked.deleted;
      if (!asked.refusal)
        asked.refusal = Error(Code::kValidation, region_text(action, content->required_string("RegionName"), own));
    }
    asked.has_empty = asked.has_empty || is_empty;
  }
  return asked;
}

Result<void> check_counts(const Asked& replicas, const Asked& witnesses, bool has_witnesses, bool strong) {
  if (replicas.has_empty || witnesses.has_empty)
    return refused("There are no actions specified in the Replica Update Action of the request.");
  if (has_witnesses && !strong)
    return refused("MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.");
  if (strong && replicas.created + witnesses.created != 2)
    return refused("Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.");
  if (!strong && replicas.created + replicas.deleted > 1)
    return refused("Update table operation with more than one create or delete replica actions not allowed");
  return {};
}

}  // namespace

Result<void> check_settings_replication(const Parameters& parameters) {
  if (parameters.string("GlobalTableSettingsReplicationMode") != "ENABLED_WITH_OVERRIDES") return {};
  return refused(
      "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: Only "
      "ENABLED and DISABLED settings replication are supported for a Regional Table.");
}

Result<ReplicaUpdate> read_replica_update(const Parameters& parameters, const Account& account) {
  const bool has_replicas = parameters.has("ReplicaUpdates");
  const bool has_witnesses = parameters.has("GlobalTableWitnessUpdates");
  const bool more = changes_more(parameters);
  const std::optional<std::string> consistency = parameters.string("MultiRegionConsistency");
  if (parameters.has("DisassociationProtectionEnabled")) {
    if (more || has_replicas || has_witnesses || consistency)
      return fail(Code::kValidation,
                  "{}DisassociationProtection modification must be the only operation in the request",
                  kInvalidReplicas);
    return ReplicaUpdate{.refusal =
                             Error(Code::kValidation, fmt::format("{}DisassociationProtectionEnabled can only be "
                                                                  "set for a replica of a global table",
                                                                  kInvalidReplicas))};
  }
  DOLMEN_TRY_VOID(check_settings_replication(parameters));
  if (!has_replicas && !has_witnesses) {
    if (consistency && !more) return nothing_to_update(false);
    if (consistency == "STRONG")
      return refused("Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.");
    const bool only_mode =
        parameters.has("GlobalTableSettingsReplicationMode") &&
        std::ranges::count_if(kOtherChanges, [&](std::string_view name) { return parameters.has(name); }) == 1;
    return ReplicaUpdate{.changes_nothing = only_mode};
  }
  if (has_replicas && more)
    return fail(Code::kValidation, "{}Replica modification must be the only operation in the request",
                kInvalidReplicas);
  if (more)
    return fail(Code::kValidation, "{}Requests that modify replicas or witnesses must not also modify other fields",
                kInvalidReplicas);
  if (!has_replicas && !consistency) return nothing_to_update(true);
  const Asked replicas = read_updates(parameters, "ReplicaUpdates", account.region);
  const Asked witnesses = read_updates(parameters, "GlobalTableWitnessUpdates", account.region);
  DOLMEN_TRY_VOID(check_counts(replicas, witnesses, has_witnesses, consistency == "STRONG"));
  return ReplicaUpdate{.refusal = replicas.refusal ? replicas.refusal : witnesses.refusal};
}

}  // namespace dolmen::wire
