#include "wire/demand.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/arn.h"
#include "value/json_reader.h"

namespace dolmen::wire {
namespace {

/// The table in a name, or in the ARN of a table or of what is below one: an index, a stream, a shard iterator.
std::string table_in(std::string_view name_or_arn) {
  constexpr std::string_view kTable = "table/";
  const Arn arn = split_arn(name_or_arn);
  if (!arn.is_whole()) return std::string(name_or_arn);
  std::string_view resource = arn.resource();
  if (resource.starts_with(kTable)) resource.remove_prefix(kTable.size());
  return std::string(resource.substr(0, resource.find('/')));
}

/// The tables of the actions of a transaction: [{"Put": {"TableName": ...}}, ...].
void add_tables_of_actions(json::Element actions, std::vector<std::string>& tables) {
  for (const json::Element action : json::array_of(actions))
    for (const auto& [kind, content] : json::object_of(action))
      if (content.is_object())
        if (const auto table = Parameters(content).string("TableName")) tables.push_back(table_in(*table));
}

}  // namespace

access::Demand demand_of(const OperationInfo& operation, const Parameters& parameters) {
  access::Demand demand{.action = std::string("dynamodb:").append(operation.name),
                        .role = access::role_needed(operation)};
  std::vector<std::string>& tables = demand.tables;
  for (const std::string_view name : {"TableName", "ResourceArn", "StreamArn", "ShardIterator", "BackupArn",
                                      "SourceTableName", "SourceTableArn", "TargetTableName"})
    if (const auto text = parameters.string(name)) tables.push_back(table_in(*text));
  if (const auto requests = parameters.find("RequestItems"))
    for (const auto& [table, content] : json::object_of(*requests)) tables.push_back(table_in(table));
  if (const auto actions = parameters.find("TransactItems")) add_tables_of_actions(*actions, tables);
  return demand;
}

}  // namespace dolmen::wire
