// The parameters of UpdateTable.
#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/limits.h"
#include "wire/index_json.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"
#include "wire/vector_index_json.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kInvalidUpdate = "One or more parameter values were invalid: ";

/// The definitions must have the index's keys, even those that the table has already.
Result<CreateIndex> read_created(const Parameters& action, const Definitions& definitions, BillingMode mode) {
  for (const KeyElement& key : read_key_schema(action))
    if (find_definition(definitions, key.name) == nullptr)
      return fail(Code::kValidation, "{}AttributeDefinitions is not specified for index: {}", kInvalidUpdate,
                  action.required_string("IndexName"));
  DOLMEN_TRY(IndexDefinition index, read_index(action, definitions, limits::kIndexKeyAttributes));
  index.throughput = read_throughput(action).value_or(Throughput{});
  index.on_demand = read_on_demand(action).value_or(OnDemandThroughput{});
  index.warm = read_new_warm(action, mode, index.throughput);
  return CreateIndex{std::move(index)};
}

UpdateIndex read_updated(const Parameters& action) {
  return {.name = action.required_string("IndexName"),
          .throughput = read_throughput(action),
          .on_demand = read_on_demand(action),
          .warm = read_warm(action)};
}

/// One entry has one action.
Result<void> check_entry(const Parameters& entry) {
  const std::string_view names[] = {"Update", "Create", "Delete"};
  const auto actions = std::ranges::count_if(names, [&](std::string_view name) { return entry.has(name); });
  if (actions == 0)
    return fail(Code::kValidation,
                "{}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                "GlobalSecondaryIndexUpdate.Delete must not be null",
                kInvalidUpdate);
  if (actions > 1)
    return fail(Code::kValidation,
                "{}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object",
                kInvalidUpdate);
  return {};
}

Result<void> read_index_changes(const Parameters& parameters, TableUpdate& update) {
  const auto list = parameters.find("GlobalSecondaryIndexUpdates");
  if (!list) return {};
  const json::Array entries = json::array_of(*list);
  for (const json::Element element : entries) DOLMEN_TRY_VOID(check_entry(Parameters(element)));
  DOLMEN_TRY(const Definitions definitions, read_attribute_definitions(parameters));
  for (const json::Element element : entries) {
    const Parameters entry(element);
    if (const auto updated = entry.structure("Update")) update.indexes.emplace_back(read_updated(*updated));
    if (const auto removed = entry.structure("Delete"))
      update.indexes.emplace_back(DeleteIndex{removed->required_string("IndexName")});
    if (const auto created = entry.structure("Create")) {
      const bool provisioned = created->has("ProvisionedThroughput");
      DOLMEN_TRY(
          CreateIndex index,
          read_created(*created, definitions, provisioned ? BillingMode::kProvisioned : BillingMode::kPayPerRequest));
      update.indexes.emplace_back(std::move(index));
    }
  }
  return {};
}

/// An empty list of changes is nothing when it is alone, and wrong beside something.
Result<void> check_index_list(const Parameters& parameters, const TableUpdate& update) {
  if (!parameters.has("GlobalSecondaryIndexUpdates") || !update.indexes.empty()) return {};
  if (update == TableUpdate{.table = update.table}) return {};
  return fail(Code::kValidation, "{}List of GlobalSecondaryIndexUpdates is empty", kInvalidUpdate);
}

}  // namespace

Result<TableUpdate> read_table_update(const Parameters& parameters, std::string table) {
  TableUpdate update{.table = std::move(table),
                     .throughput = read_throughput(parameters),
                     .on_demand = read_on_demand(parameters),
                     .warm = read_warm(parameters)};
  if (const auto mode = parameters.string("BillingMode"))
    update.billing_mode = *mode == "PROVISIONED" ? BillingMode::kProvisioned : BillingMode::kPayPerRequest;
  if (const auto stream = parameters.structure("StreamSpecification"))
    update.stream = StreamUpdate{.enabled = stream->boolean("StreamEnabled", false),
                                 .view = stream_view_of(stream->string("StreamViewType").value_or(""))};
  if (const auto specification = parameters.structure("SSESpecification")) {
    DOLMEN_TRY(update.encryption, read_encryption(*specification));
  }
  if (const auto table_class = parameters.string("TableClass")) {
    DOLMEN_TRY(update.table_class, read_table_class(*table_class));
  }
  if (parameters.has("DeletionProtectionEnabled"))
    update.deletion_protection = parameters.boolean("DeletionProtectionEnabled", false);
  DOLMEN_TRY_VOID(read_index_changes(parameters, update));
  DOLMEN_TRY_VOID(read_vector_index_changes(parameters, update));
  DOLMEN_TRY_VOID(check_index_list(parameters, update));
  return update;
}

}  // namespace dolmen::wire
