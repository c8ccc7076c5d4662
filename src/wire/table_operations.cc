// CreateTable, UpdateTable, DescribeTable, DeleteTable, ListTables.
#include <fmt/format.h>
#include <utility>

#include "base/fail.h"
#include "value/json.h"
#include "wire/operation.h"
#include "wire/policy_parameters.h"
#include "wire/replica_updates.h"
#include "wire/response_json.h"
#include "wire/table_json.h"

namespace dolmen::wire {
namespace {

Done<TableDescription> encoded_table(std::string_view member, Done<std::string> done) {
  const auto encode = [member](const TableDescription& table) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    append_table_description(object.member(member), table);
    object.end();
    return body;
  };
  return encoded<TableDescription>(encode, std::move(done));
}

Result<void> create_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY_VOID(check_settings_replication(parameters));
  DOLMEN_TRY(TableDefinition definition, read_table_definition(parameters));
  if (const auto policy = parameters.string("ResourcePolicy")) {
    const std::string arn =
        fmt::format("arn:aws:dynamodb:{}:{}:table/{}", backend.account.region, backend.account.id, definition.name);
    DOLMEN_TRY(definition.resource_policy, read_policy(*policy, backend, arn, false));
  }
  backend.service.start(CreateTable{}, std::move(definition), encoded_table("TableDescription", std::move(done)));
  return {};
}

Result<void> describe_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string name, read_table_name(parameters, backend));
  backend.service.start(DescribeTable{}, {.table = std::move(name)}, encoded_table("Table", std::move(done)));
  return {};
}

Result<void> update_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string name, read_table_name(parameters, backend));
  DOLMEN_TRY(ReplicaUpdate replicas, read_replica_update(parameters, backend.account));
  if (replicas.refusal || replicas.changes_nothing) {
    // Whether the table exists decides first.
    auto answer = [refusal = std::move(replicas.refusal),
                   done = encoded_table("TableDescription", std::move(done))](Result<TableDescription> table) mutable {
      if (table && refusal) return done(std::unexpected(*std::move(refusal)));
      done(std::move(table));
    };
    backend.service.start(DescribeTable{}, {.table = std::move(name)}, std::move(answer));
    return {};
  }
  DOLMEN_TRY(TableUpdate update, read_table_update(parameters, std::move(name)));
  backend.service.start(UpdateTable{}, std::move(update), encoded_table("TableDescription", std::move(done)));
  return {};
}

Result<void> delete_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string name, read_table_name(parameters, backend));
  backend.service.start(DeleteTable{}, {.table = std::move(name)}, encoded_table("TableDescription", std::move(done)));
  return {};
}

Result<void> list_tables(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  ListTablesRequest request{.after = parameters.string("ExclusiveStartTableName")};
  if (const auto limit = parameters.integer("Limit")) request.limit = static_cast<int>(*limit);
  const auto encode = [](const TableNamePage& page) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    std::string& names = object.member("TableNames");
    append_array(names, page.names, [&](const std::string& name) { json::append_string(names, name); });
    if (page.last_name) json::append_string(object.member("LastEvaluatedTableName"), *page.last_name);
    object.end();
    return body;
  };
  backend.service.start(ListTableNames{}, std::move(request), encoded<TableNamePage>(encode, std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> table_operations() {
  static const WireOperation kAll[] = {
      {CreateTable::kInfo, create_table, {"GlobalTableSourceArn"}},
      {UpdateTable::kInfo, update_table},
      {DescribeTable::kInfo, describe_table},
      {DeleteTable::kInfo, delete_table},
      {ListTableNames::kInfo, list_tables},
  };
  return kAll;
}

}  // namespace dolmen::wire
