#include "service/backup_rules.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "service/table_rules.h"

namespace dolmen {
namespace {

constexpr std::size_t kBackupNameMin = 3;
constexpr std::size_t kBackupNameMax = 255;
constexpr int kBackupPageMax = 100;

template <class... Parts>
std::unexpected<Error> invalid_request(fmt::format_string<Parts...> text, Parts&&... parts) {
  return fail(Code::kValidation, "Invalid Request: {}", fmt::format(text, std::forward<Parts>(parts)...));
}

std::unexpected<Error> out_of_range(std::string_view value, std::string_view where, std::string_view rule) {
  return fail(Code::kValidation, "1 validation error detected: Value '{}' at '{}' failed to satisfy constraint: {}",
              value, where, rule);
}

std::vector<std::string> names_of(const std::vector<KeyAttribute>& keys) {
  std::vector<std::string> names;
  for (const KeyAttribute& key : keys) names.push_back(key.name);
  return names;
}

bool is_same_index(const IndexDefinition& index, const IndexOverride& asked) {
  auto included = index.included_attributes;
  auto wanted = asked.included_attributes;
  std::ranges::sort(included);
  std::ranges::sort(wanted);
  return names_of(index.partition_keys) == asked.partition_keys && names_of(index.sort_keys) == asked.sort_keys &&
         index.projection == asked.projection && included == wanted;
}

/// The indexes of the source that are asked for, with their new names.
Result<std::vector<IndexDefinition>> chosen_indexes(const std::vector<IndexDefinition>& source,
                                                    const std::vector<IndexOverride>& asked) {
  std::vector<IndexDefinition> chosen;
  for (const IndexOverride& one : asked) {
    const auto found =
        std::ranges::find_if(source, [&](const IndexDefinition& index) { return is_same_index(index, one); });
    if (found == source.end())
      return invalid_request(
          "Index {} does not match a secondary index that existed in the source table and cannot be created during the "
          "restore operation",
          one.name);
    IndexDefinition index = *found;
    index.name = one.name;
    if (one.throughput) index.throughput = *one.throughput;
    if (one.on_demand != OnDemandThroughput{}) index.on_demand = one.on_demand;
    chosen.push_back(std::move(index));
  }
  return chosen;
}

/// Everything but the name and the types of search attributes, which a request does not have.
bool is_same_vector_index(const VectorIndexDefinition& index, const VectorIndexDefinition& asked) {
  VectorIndexDefinition other = asked;
  other.name = index.name;
  const auto by_name = [](const SearchAttribute& a, const SearchAttribute& b) { return a.name < b.name; };
  std::vector<SearchAttribute> search = index.search;
  std::ranges::sort(search, by_name);
  std::ranges::sort(other.search, by_name);
  const bool same_search = std::ranges::equal(
      search, other.search, [](const auto& a, const auto& b) { return a.name == b.name && a.role == b.role; });
  other.search = index.search;
  auto included = index.included_attributes;
  std::ranges::sort(included);
  std::ranges::sort(other.included_attributes);
  const bool same_included = included == other.included_attributes;
  other.included_attributes = index.included_attributes;
  return same_search && same_included && other == index;
}

Result<std::vector<VectorIndexDefinition>> chosen_vector_indexes(const std::vector<VectorIndexDefinition>& source,
                                                                 const std::vector<VectorIndexDefinition>& asked) {
  std::vector<VectorIndexDefinition> chosen;
  for (const VectorIndexDefinition& one : asked) {
    const auto found = std::ranges::find_if(
        source, [&](const VectorIndexDefinition& index) { return is_same_vector_index(index, one); });
    if (found == source.end())
      return invalid_request(
          "Index {} does not match a vector index that existed in the source table and cannot be created during the "
          "restore operation",
          one.name);
    chosen.push_back(*found);
    chosen.back().name = one.name;
  }
  return chosen;
}

Result<void> check_index_throughput(const RestoreOverrides& overrides, BillingMode mode, bool switches) {
  if (!overrides.global_indexes) return {};
  for (const IndexOverride& index : *overrides.global_indexes) {
    if (mode == BillingMode::kPayPerRequest && index.throughput)
      return invalid_request(
          "Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST for index {}",
          index.name);
    if (mode == BillingMode::kProvisioned && switches && !index.throughput)
      return invalid_request("Must specify provisioned throughput for index {}", index.name);
  }
  return {};
}

Result<void> check_billing(const TableDefinition& source, const RestoreOverrides& overrides) {
  const BillingMode mode = overrides.billing_mode.value_or(source.billing_mode);
  const bool provisioned = mode == BillingMode::kProvisioned;
  if (overrides.billing_mode == BillingMode::kPayPerRequest && overrides.throughput)
    return invalid_request("Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST");
  if (overrides.throughput && !provisioned)
    return invalid_request("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
  if (overrides.billing_mode == BillingMode::kProvisioned && !overrides.throughput)
    return invalid_request("Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
  if (overrides.on_demand && provisioned)
    return invalid_request(
        "Cannot override MaxReadRequestUnits for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST");
  for (const auto& units : {overrides.on_demand ? overrides.on_demand->max_read_units : std::nullopt,
                            overrides.on_demand ? overrides.on_demand->max_write_units : std::nullopt})
    if (units && *units < 1 && *units != -1)
      return invalid_request("Requested MaxReadRequestUnits for OnDemandThroughput is outside of valid range");
  return check_index_throughput(overrides, mode, mode != source.billing_mode);
}

void apply_billing(TableDefinition& table, const RestoreOverrides& overrides) {
  const BillingMode mode = overrides.billing_mode.value_or(table.billing_mode);
  const bool switches = mode != table.billing_mode;
  table.billing_mode = mode;
  if (switches) table.throughput = {};
  if (overrides.throughput) table.throughput = *overrides.throughput;
  if (mode == BillingMode::kProvisioned) table.on_demand = {};
  if (overrides.on_demand) table.on_demand = *overrides.on_demand;
  for (auto* units : {&table.on_demand.max_read_units, &table.on_demand.max_write_units})
    if (*units == -1) units->reset();
  for (IndexDefinition& index : table.global_indexes) {
    if (mode == BillingMode::kPayPerRequest) index.throughput = {};
    if (mode == BillingMode::kProvisioned) index.on_demand = {};
  }
}

}  // namespace

Result<void> check_point_in_time_change(const PointInTimeChange& change) {
  if (change.period_days && (*change.period_days < 1 || *change.period_days > kRecoveryDaysMax))
    return out_of_range(
        std::to_string(*change.period_days), "pointInTimeRecoverySpecification.recoveryPeriodInDays",
        fmt::format("Member must have value {} than or equal to {}", *change.period_days < 1 ? "greater" : "less",
                    *change.period_days < 1 ? 1 : kRecoveryDaysMax));
  if (!change.enabled && change.period_days)
    return invalid_request("Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.");
  return {};
}

Result<void> check_backup_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  };
  if (!std::ranges::all_of(name, is_allowed))
    return out_of_range(name, "backupName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  if (name.size() >= kBackupNameMin && name.size() <= kBackupNameMax) return {};
  return out_of_range(name, "backupName",
                      name.size() < kBackupNameMin ? "Member must have length greater than or equal to 3"
                                                   : "Member must have length less than or equal to 255");
}

Result<void> check_backup_list(const ListBackupsOptions& options) {
  if (options.limit && (*options.limit < 1 || *options.limit > kBackupPageMax))
    return out_of_range(std::to_string(*options.limit), "limit",
                        *options.limit < 1 ? "Member must have value greater than or equal to 1"
                                           : "Member must have value less than or equal to 100");
  if (options.from && options.until && *options.from > *options.until)
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Time range lower bound must be less than or equal to upper "
                "bound");
  return {};
}

Result<TableDefinition> restored_definition(TableDefinition source, std::string target,
                                            const RestoreOverrides& overrides) {
  DOLMEN_TRY_VOID(check_billing(source, overrides));
  if (overrides.billing_mode == BillingMode::kProvisioned && source.billing_mode == BillingMode::kPayPerRequest &&
      !overrides.global_indexes && !source.global_indexes.empty())
    return invalid_request("Must specify provisioned throughput for index {}", source.global_indexes.front().name);
  TableDefinition table = std::move(source);
  table.name = std::move(target);
  if (overrides.global_indexes) {
    DOLMEN_TRY(table.global_indexes, chosen_indexes(table.global_indexes, *overrides.global_indexes));
  }
  if (overrides.local_indexes) {
    DOLMEN_TRY(table.local_indexes, chosen_indexes(table.local_indexes, *overrides.local_indexes));
  }
  if (overrides.vector_indexes) {
    DOLMEN_TRY(table.vector_indexes, chosen_vector_indexes(table.vector_indexes, *overrides.vector_indexes));
  }
  apply_billing(table, overrides);
  if (overrides.encryption) table.kms_key = overrides.encryption->kms_key;
  table.stream.reset();
  table.ttl.reset();
  table.tags.clear();
  table.deletion_protection = false;
  table.table_class.reset();
  table.warm.reset();
  for (IndexDefinition& index : table.global_indexes) index.warm.reset();
  DOLMEN_TRY_VOID(check_table_definition(table));
  return table;
}

}  // namespace dolmen
