// Opening a relational store, and reading and changing its resources.
#include "dolmen/relation/relations.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "base/limits.h"
#include "relation/reserved.h"
#include "relation/resumer.h"
#include "relation/rules.h"
#include "service/write_gate.h"
#include "store/require_transactions.h"

namespace dolmen {
namespace {

using relation::Graph;
using relation::Plan;
using relation::Row;

constexpr unsigned kDepthMax = 64;
constexpr std::size_t kDeleteActionsMin = 10;

/// Asks for a transaction that changes nothing.
Result<void> probe_transactions(Store& store, const std::string& table) {
  const CheckAction nothing{.table = table,
                            .key = Item{{"PK", "Dolmen#probe"}, {"SK", "Dolmen#probe"}},
                            .condition = attr("PK").not_exists()};
  return require_transactions(store, nothing, "keep unique values unique and families whole");
}

/// Whether nobody else can be at work on the store.
bool is_in_this_process(const Store& store) { return store.companions().find<WriteGates>() != nullptr; }

/// The resource with its attributes changed as asked, and what follows from that.
Result<Row> changed_row(Graph& graph, const Row& stored, const UpdateResource& request) {
  DOLMEN_TRY(const ResourceType type, graph.types.get(stored.type));
  DOLMEN_TRY(Row row, graph.upcast(stored));
  for (const auto& [name, value] : request.set) row.attributes.set(name, value);
  for (const std::string& name : request.remove) row.attributes.erase(name);
  DOLMEN_TRY_VOID(relation::check_attributes(type, row.attributes));
  DOLMEN_TRY(row.unique, relation::unique_values_after(graph.types, stored, row));
  row.updated_at = relation::later_time_text(Timestamp::from(graph.options.now()), stored.updated_at);
  DOLMEN_TRY_VOID(relation::check_size(row));
  return row;
}

Result<Resource> attempt_update(Graph& graph, const UpdateResource& request) {
  DOLMEN_TRY(const Row stored, graph.live_row(request.urn));
  if (request.if_updated_at && *request.if_updated_at != stored.updated_at)
    return fail(Code::kConditionFailed, "{} was changed at {}, not at {}", request.urn, stored.updated_at,
                *request.if_updated_at);
  DOLMEN_TRY(Row changed, changed_row(graph, stored, request));
  Plan plan(graph.table);
  DOLMEN_TRY_VOID(relation::plan_attributes(plan.row(stored.urn)
                                                .require_live()
                                                .require_updated_at(stored.updated_at)
                                                .on_refusal(relation::gone_or_stale(stored.urn)),
                                            stored, changed));
  relation::plan_unique_changes(plan, stored, changed);
  DOLMEN_TRY_VOID(plan.carry_out(graph.store));
  return relation::resource_of(std::move(changed));
}

}  // namespace

Relations::Relations(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
Relations::~Relations() = default;
Relations::Relations(Relations&&) noexcept = default;
Relations& Relations::operator=(Relations&& other) noexcept {
  // What goes on in the background uses the graph.
  resumer_ = std::move(other.resumer_);
  graph_ = std::move(other.graph_);
  return *this;
}

TableDefinition Relations::definition(std::string table) {
  return {.name = std::move(table),
          .partition_key = {"PK", KeyType::kString},
          .sort_key = KeyAttribute{"SK", KeyType::kString},
          .global_indexes = {{.name = relation::kInvertedIndex,
                              .partition_keys = {{"SK", KeyType::kString}},
                              .sort_keys = {{"PK", KeyType::kString}}},
                             {.name = relation::kAccountIndex,
                              .partition_keys = {{"_accountUrn", KeyType::kString}},
                              .sort_keys = {{"urn", KeyType::kString}}}}};
}

Result<Relations> Relations::open(Store& store, std::string table, ResourceTypes types, RelationsOptions options) {
  if (options.depth_max < 1 || options.depth_max > kDepthMax)
    return fail(Code::kInvalidArgument, "depth_max must be 1 to {}", kDepthMax);
  if (options.delete_actions_max < kDeleteActionsMin || options.delete_actions_max > limits::kTransactionActions)
    return fail(Code::kInvalidArgument, "delete_actions_max must be {} to {}", kDeleteActionsMin,
                limits::kTransactionActions);
  DOLMEN_TRY_VOID(check_domain(types.domain));
  const TableDefinition wanted = definition(table);
  if (options.create_table) {
    DOLMEN_TRY_VOID(ensure_table(store, wanted, options.wait));
  } else {
    DOLMEN_TRY(const TableDescription found, store.describe_table(table));
    const std::vector<std::string> found_differences = differences(wanted, found.definition);
    if (!found_differences.empty())
      return fail(Code::kInvalidArgument, "the table {} is not a relational store: {}", table,
                  fmt::join(found_differences, "; "));
  }
  DOLMEN_TRY_VOID(probe_transactions(store, table));
  const bool resumes = options.resume_deletes && is_in_this_process(store);
  Relations opened(std::make_unique<Graph>(store, std::move(table), std::move(types), std::move(options)));
  if (resumes) {
    DOLMEN_TRY(std::vector<relation::DeleteJob> jobs, relation::find_jobs(*opened.graph_));
    if (!jobs.empty()) opened.resumer_ = std::make_unique<relation::Resumer>(*opened.graph_, std::move(jobs));
  }
  return opened;
}

Result<Resource> Relations::get(const std::string& urn, const GetResource& options) {
  const auto read = [&]() -> Result<Row> {
    DOLMEN_TRY(Row row, graph_->live_row(urn));
    if (!options.strict) return row;
    DOLMEN_TRY(std::vector<Row> chain, graph_->chain_of(std::move(row)));
    for (const Row& ancestor : chain)
      if (!ancestor.live()) return relation::not_found(urn);
    return std::move(chain.front());
  };
  DOLMEN_TRY(Row row, graph_->repeat<Row>(read));
  DOLMEN_TRY(row, graph_->upcast(std::move(row)));
  return relation::resource_of(std::move(row));
}

Result<std::vector<std::optional<Resource>>> Relations::get_many(const std::vector<std::string>& urns) {
  DOLMEN_TRY(std::vector<std::optional<Row>> rows, graph_->find_rows(urns));
  std::vector<std::optional<Resource>> resources;
  for (std::optional<Row>& row : rows) {
    if (!row || !row->live()) {
      resources.emplace_back(std::nullopt);
      continue;
    }
    DOLMEN_TRY(Row current, graph_->upcast(*std::move(row)));
    resources.emplace_back(relation::resource_of(std::move(current)));
  }
  return resources;
}

Result<Resource> Relations::update(const UpdateResource& request) {
  DOLMEN_TRY_VOID(relation::check_urn_of_user(request.urn));
  for (const auto& [name, value] : request.set) DOLMEN_TRY_VOID(relation::check_attribute_of_user(name));
  for (const std::string& name : request.remove) {
    DOLMEN_TRY_VOID(relation::check_attribute_of_user(name));
    if (request.set.contains(name)) return fail(Code::kInvalidResource, "{} cannot be both set and removed", name);
  }
  return graph_->repeat<Resource>([&] { return attempt_update(*graph_, request); });
}

}  // namespace dolmen
