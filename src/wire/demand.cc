#include "wire/demand.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/arn.h"
#include "base/ascii.h"
#include "base/limits.h"
#include "partiql/parser.h"
#include "partiql/statement.h"
#include "value/json_reader.h"

namespace dolmen::wire {
namespace {

using access::PolicyResource;

/// The table in a name, or in the ARN of a table or of what is below one: an index, a stream, a shard iterator.
PolicyResource resource_in(std::string_view name_or_arn) {
  constexpr std::string_view kTable = "table/";
  constexpr std::string_view kStream = "/stream/";
  if (!name_or_arn.contains(':')) return {.table = std::string(name_or_arn)};
  const Arn arn = split_arn(name_or_arn);
  if (!arn.is_whole()) return {.table = std::string(name_or_arn)};
  std::string_view path = arn.resource();
  if (path.starts_with(kTable)) path.remove_prefix(kTable.size());
  const std::size_t table_end = std::min(path.find('/'), path.size());
  PolicyResource resource{.table = std::string(path.substr(0, table_end))};
  path.remove_prefix(table_end);
  // An iterator is the ARN of its stream, a bar, and the place.
  if (path.starts_with(kStream)) resource.stream = path.substr(kStream.size(), path.find('|') - kStream.size());
  return resource;
}

std::string table_in(std::string_view name_or_arn) { return resource_in(name_or_arn).table; }

/// The tables of the actions of a transaction: [{"Put": {"TableName": ...}}, ...].
void add_tables_of_actions(json::Element actions, std::vector<PolicyResource>& resources) {
  for (const json::Element action : json::array_of(actions))
    for (const auto& [kind, content] : json::object_of(action))
      if (content.is_object())
        if (const auto table = Parameters(content).string("TableName")) resources.push_back(resource_in(*table));
}

/// Whether it is the ARN of a destination of changes, which neither keys nor policies are about.
bool is_of_kinesis(std::string_view text) {
  const Arn arn = split_arn(text);
  return arn.is_whole() && arn.service() == "kinesis";
}

/// All tables and streams that a request names, as often as it does.
std::vector<PolicyResource> resources_of(const Parameters& parameters) {
  std::vector<PolicyResource> resources;
  for (const std::string_view name :
       {"TableName", "ResourceArn", "StreamArn", "ShardIterator", "BackupArn", "SourceTableName", "SourceTableArn",
        "TargetTableName", "TableArn", "ExportArn", "ImportArn", "BulkOperationArn"})
    if (const auto text = parameters.string(name); text && !(name == "StreamArn" && is_of_kinesis(*text)))
      resources.push_back(resource_in(*text));
  if (const auto requests = parameters.find("RequestItems"))
    for (const auto& [table, content] : json::object_of(*requests)) resources.push_back(resource_in(table));
  if (const auto created = parameters.structure("TableCreationParameters"))
    if (const auto table = created->string("TableName")) resources.push_back({.table = *table});
  if (const auto actions = parameters.find("TransactItems")) add_tables_of_actions(*actions, resources);
  return resources;
}

/// Most requests are: they are not searched for other resources.
bool is_about_one_table(OperationFamily family) {
  return family == OperationFamily::kItems || family == OperationFamily::kReads || family == OperationFamily::kVectors;
}

/// Whatever is not a name of a table, such as another text that a client sends in its place, is not for the log.
std::string name_or_nothing(std::string text) {
  const auto fits = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.'; };
  return text.size() <= limits::kTableNameMax && std::ranges::all_of(text, fits) ? std::move(text) : std::string();
}

}  // namespace

std::string table_named_by(const Parameters& parameters) {
  // The short way for most requests.
  if (const auto table = parameters.find("TableName")) return name_or_nothing(table_in(json::string_of(*table)));
  std::vector<PolicyResource> resources = resources_of(parameters);
  if (resources.empty()) return "";
  const bool is_one = std::ranges::all_of(
      resources, [&](const PolicyResource& resource) { return resource.table == resources.front().table; });
  return is_one ? name_or_nothing(std::move(resources.front().table)) : "*";
}

access::Demand demand_of(const OperationInfo& operation, const Parameters& parameters) {
  access::Demand demand{.operation = operation.name, .role = access::role_needed(operation)};
  const auto table = is_about_one_table(operation.family) ? parameters.find("TableName") : std::nullopt;
  if (table) {
    demand.resources.push_back(resource_in(json::string_of(*table)));
  } else {
    demand.resources = resources_of(parameters);
  }
  return demand;
}

std::optional<access::Demand> demand_of_statement(std::string_view statement) {
  const Result<std::shared_ptr<const partiql::Syntax>> syntax = partiql::cached_syntax(statement);
  const std::optional<partiql::Target> target = syntax ? partiql::target_of(**syntax) : std::nullopt;
  if (!target) return std::nullopt;
  access::Demand demand{.operation = "PartiQLSelect", .role = access::Role::kReadWrite, .resources = {{target->table}}};
  switch (target->kind) {
    case partiql::StatementKind::kSelect:
    case partiql::StatementKind::kExists: demand.role = access::Role::kReadOnly; break;
    case partiql::StatementKind::kInsert: demand.operation = "PartiQLInsert"; break;
    case partiql::StatementKind::kUpdate: demand.operation = "PartiQLUpdate"; break;
    case partiql::StatementKind::kDelete: demand.operation = "PartiQLDelete"; break;
  }
  return demand;
}

}  // namespace dolmen::wire
