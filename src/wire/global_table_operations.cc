// Global tables of the first version, and the auto scaling of replicas. A store with one region has neither, so these
// operations check their parameters and are then refused as AWS refuses them for a table without replicas.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

Done<GlobalTableResponse> passed_on(Done<std::string> done) {
  return encoded<GlobalTableResponse>(
      [](const GlobalTableResponse& response) -> Result<std::string> { return response.json; }, std::move(done));
}

/// Names that are too short or too long have words of their own here.
Result<std::string> read_global_table_name(const Parameters& parameters) {
  const std::string name = parameters.required_string("GlobalTableName");
  if (name.size() < limits::kTableNameMin || name.size() > limits::kTableNameMax)
    return fail(Code::kValidation, "TableName must be at least {} characters long and at most {} characters long",
                limits::kTableNameMin, limits::kTableNameMax);
  return name;
}

template <class Op>
Result<void> global_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string name, read_global_table_name(parameters));
  backend.service.start(Op{}, {.table = std::move(name), .json = parameters.text()}, passed_on(std::move(done)));
  return {};
}

Result<void> list_global_tables(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(ListGlobalTables{}, {.table = {}, .json = parameters.text()}, passed_on(std::move(done)));
  return {};
}

/// Adds what the settings lack, in DynamoDB's order.
void add_missing(const std::optional<Parameters>& settings, std::vector<std::string>& missing) {
  if (!settings || settings->boolean("AutoScalingDisabled", false)) return;
  for (const char* name : {"MaximumUnits", "ScalingPolicyUpdate", "MinimumUnits"})
    if (!settings->has(name) && std::ranges::find(missing, name) == missing.end()) missing.emplace_back(name);
}

/// The same for the settings in each element of a list.
template <class Add>
void for_each_element(const Parameters& parameters, std::string_view list, Add add) {
  if (const auto found = parameters.find(list))
    for (const json::Element element : json::array_of(*found)) add(Parameters(element));
}

Result<void> describe_auto_scaling(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string table, read_table_name(parameters, backend));
  backend.service.start(DescribeTableReplicaAutoScaling{}, {.table = std::move(table), .json = parameters.text()},
                        passed_on(std::move(done)));
  return {};
}

Result<void> update_auto_scaling(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string table, read_table_name(parameters, backend));
  GlobalTableRequest request{.table = std::move(table), .json = parameters.text()};
  const auto add_write_settings = [&](const Parameters& from) {
    add_missing(from.structure("ProvisionedWriteCapacityAutoScalingUpdate"), request.missing);
  };
  add_write_settings(parameters);
  for_each_element(parameters, "GlobalSecondaryIndexUpdates", add_write_settings);
  for_each_element(parameters, "ReplicaUpdates", [&](const Parameters& replica) {
    add_missing(replica.structure("ReplicaProvisionedReadCapacityAutoScalingUpdate"), request.missing);
    for_each_element(replica, "ReplicaGlobalSecondaryIndexUpdates", [&](const Parameters& index) {
      add_missing(index.structure("ProvisionedReadCapacityAutoScalingUpdate"), request.missing);
    });
  });
  backend.service.start(UpdateTableReplicaAutoScaling{}, std::move(request), passed_on(std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> global_table_operations() {
  static const WireOperation kAll[] = {
      {CreateGlobalTable::kInfo, global_table<CreateGlobalTable>},
      {DescribeGlobalTable::kInfo, global_table<DescribeGlobalTable>},
      {DescribeGlobalTableSettings::kInfo, global_table<DescribeGlobalTableSettings>},
      {ListGlobalTables::kInfo, list_global_tables},
      {UpdateGlobalTable::kInfo, global_table<UpdateGlobalTable>},
      {UpdateGlobalTableSettings::kInfo, global_table<UpdateGlobalTableSettings>},
      {DescribeTableReplicaAutoScaling::kInfo, describe_auto_scaling},
      {UpdateTableReplicaAutoScaling::kInfo, update_auto_scaling},
  };
  return kAll;
}

}  // namespace dolmen::wire
