#include "relation/graph.h"

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "base/fail.h"
#include "base/limits.h"
#include "base/random.h"
#include "base/sleep.h"
#include "dolmen/batch.h"
#include "relation/reserved.h"

namespace dolmen::relation {
namespace {

/// Longer chains are damaged tables.
constexpr std::size_t kChainMax = 1000;

Result<std::optional<Row>> row_of(const std::optional<Item>& item) {
  if (!item) return std::nullopt;
  return read_row(*item);
}

}  // namespace

Graph::Graph(Store& in_store, std::string in_table, ResourceTypes in_types, RelationsOptions in_options)
    : store(in_store),
      table(std::move(in_table)),
      types(std::move(in_types)),
      options(std::move(in_options)),
      ids(options.now, options.random) {
  options.now = or_system_clock(std::move(options.now));
  options.random = or_system_random(std::move(options.random));
  options.sleep = or_real_sleep(std::move(options.sleep));
}

Result<std::optional<Item>> Graph::find_record(const Item& key) {
  DOLMEN_TRY(GetResult found, store.get_item(table, key));
  return std::move(found.item);
}

Result<std::optional<Row>> Graph::find_row(const std::string& urn) {
  DOLMEN_TRY_VOID(check_urn(urn));
  DOLMEN_TRY(const std::optional<Item> item, find_record(resource_key(urn)));
  return row_of(item);
}

Result<Row> Graph::live_row(const std::string& urn) {
  DOLMEN_TRY(std::optional<Row> row, find_row(urn));
  if (!row || !row->live()) return not_found(urn);
  return *std::move(row);
}

Result<std::vector<std::optional<Row>>> Graph::find_rows(const std::vector<std::string>& urns) {
  std::map<std::string, std::optional<Row>> found;
  KeysOfTable keys{.table = table, .keys = {}};
  for (const std::string& urn : urns) {
    DOLMEN_TRY_VOID(check_urn(urn));
    if (found.emplace(urn, std::nullopt).second) keys.keys.push_back(resource_key(urn));
  }
  if (!keys.keys.empty()) {
    BatchRetry retry;
    retry.sleep = options.sleep;
    const GetAllResult got = get_all(store, {std::move(keys)}, retry);
    if (got.error) return std::unexpected(*got.error);
    if (!got.complete()) return fail(Code::kThrottled, "the store left reads unprocessed too often");
    for (const auto& [name, items] : got.items)
      for (const Item& item : items) {
        DOLMEN_TRY(Row row, read_row(item));
        std::string urn = row.urn;
        found[std::move(urn)] = std::move(row);
      }
  }
  std::vector<std::optional<Row>> rows;
  for (const std::string& urn : urns) rows.push_back(found[urn]);
  return rows;
}

Result<std::vector<std::optional<Row>>> Graph::find_rows_at_once(const std::vector<std::string>& urns) {
  // Without the attributes of users, of which 4 MB would be too much.
  const Projection what_links{attr("PK"),        attr("SK"),         attr("_recordType"),
                              attr("urn"),       attr("_parentUrn"), attr("_links"),
                              attr("_memberOf"), attr("_height"),    attr("_deleteJob")};
  std::vector<std::optional<Row>> rows;
  for (std::size_t first = 0; first < urns.size(); first += limits::kTransactionActions) {
    std::vector<TransactGet> gets;
    for (std::size_t i = first; i < std::min(urns.size(), first + limits::kTransactionActions); ++i)
      gets.push_back({.table = table, .key = resource_key(urns[i]), .projection = what_links});
    DOLMEN_TRY(const TransactGetResult got, store.transact_get(gets));
    for (const std::optional<Item>& item : got.items) {
      DOLMEN_TRY(std::optional<Row> row, row_of(item));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

Result<std::vector<Row>> Graph::chain_of(Row row) {
  std::vector<Row> chain;
  chain.push_back(std::move(row));
  while (chain.back().parent) {
    const std::string parent = *chain.back().parent;
    if (chain.size() >= kChainMax)
      return fail(Code::kCorruption, "{} has more than {} ancestors; verify the table", chain.front().urn, kChainMax);
    DOLMEN_TRY(std::optional<Row> next, find_row(parent));
    if (!next)
      return fail(Code::kTransactionConflict, "the parent {} of {} is missing; unless others write, verify the table",
                  parent, chain.back().urn);
    chain.push_back(*std::move(next));
  }
  return chain;
}

Result<std::vector<Row>> Graph::chain_of_new_parent(const Row& child, Row parent) {
  DOLMEN_TRY_VOID(check_family(parent, child));
  DOLMEN_TRY(std::vector<Row> chain, chain_of(std::move(parent)));
  if (std::ranges::find(chain, child.urn, &Row::urn) != chain.end())
    return fail(Code::kCycle, "{} is already above {}", child.urn, chain.front().urn);
  for (const Row& ancestor : chain)
    if (!ancestor.live()) return is_deleting(ancestor.urn);
  return chain;
}

Result<void> Graph::check_stays(const Row& row) {
  std::optional<std::string> above = row.parent;
  for (std::size_t n = 0; above && n < kChainMax; ++n) {
    DOLMEN_TRY(const std::optional<Row> ancestor, find_row(*above));
    if (!ancestor) return {};
    if (!ancestor->live()) return is_deleting(ancestor->urn);
    above = ancestor->parent;
  }
  return {};
}

Result<std::vector<Item>> Graph::all_in(const std::string& partition, const char* index) {
  const bool inverted = std::string_view(index) == kInvertedIndex;
  QueryOptions query{.key = key(inverted ? "SK" : "PK") == partition, .index = index, .consistent_read = !inverted};
  return store.query(table, std::move(query)).all();
}

std::optional<std::string> Graph::scope_of(const Row& row) const {
  const ResourceType* type = types.find(row.type);
  if (type != nullptr && type->account == AccountScope::kSelf) return row.urn;
  return row.account;
}

Result<bool> Graph::is_account(const Row& row) {
  if (const ResourceType* type = types.find(row.type)) return type->account == AccountScope::kSelf;
  if (!types.takes_undeclared() || !row.may_be_account()) return false;
  DOLMEN_TRY(const Page page,
             store.query_page(table, {.key = key("_accountUrn") == row.urn, .index = kAccountIndex, .limit = 1}));
  return !page.items.empty();
}

Result<Row> Graph::account_row(const std::string& urn) {
  DOLMEN_TRY(std::optional<Row> account, find_row(urn));
  if (!account) return fail(Code::kAccountMismatch, "the account {} does not exist", urn);
  if (!account->live()) return is_deleting(urn);
  const ResourceType* type = types.find(account->type);
  if (!types.takes_undeclared() && (type == nullptr || type->account != AccountScope::kSelf))
    return fail(Code::kAccountMismatch, "{} is not an account", urn);
  return *std::move(account);
}

Result<void> Graph::check_family(const Row& parent, const Row& child) const {
  if (parent.urn == child.urn) return fail(Code::kCycle, "{} cannot be its own parent", child.urn);
  DOLMEN_TRY(const ResourceType type, types.get(child.type));
  if (!type.parents.empty() && std::ranges::find(type.parents, parent.type) == type.parents.end())
    return fail(Code::kInvalidResource, "a {} cannot be the parent of a {}", parent.type, child.type);
  const std::optional<std::string> scope = scope_of(parent);
  if (scope && scope != scope_of(child))
    return fail(Code::kAccountMismatch, "{} belongs to the account {} and {} does not", parent.urn, *scope, child.urn);
  return {};
}

Result<Row> Graph::upcast(Row row) const {
  const ResourceType* type = types.find(row.type);
  if (type == nullptr) return row;
  if (row.schema_version > type->schema_version || row.schema_version < 1)
    return fail(Code::kSchemaVersion, "{} has schema version {}, and the current one of {} is {}", row.urn,
                row.schema_version, row.type, type->schema_version);
  for (; row.schema_version < type->schema_version; ++row.schema_version) {
    const auto step = type->upcasters.find(row.schema_version);
    if (step == type->upcasters.end())
      return fail(Code::kSchemaVersion, "{} has schema version {}, and {} has no upcaster from that version", row.urn,
                  row.schema_version, row.type);
    DOLMEN_TRY(row.attributes, step->second(std::move(row.attributes)));
  }
  return row;
}

void Graph::pause(unsigned attempt) {
  constexpr unsigned kLongestShift = 7;
  const std::uint64_t longest_ms = 1ULL << std::min(attempt, kLongestShift);
  options.sleep(std::chrono::milliseconds(options.random() % longest_ms));
}

Result<void> Graph::check_interrupted() const {
  if (!interrupted) return {};
  return fail(Code::kCanceled, "the job was interrupted; resume it");
}

Result<void> check_urn(const std::string& urn) {
  DOLMEN_TRY_VOID(Urn::parse(urn));
  return {};
}

Result<void> check_urn_of_user(const std::string& urn) {
  DOLMEN_TRY(const Urn parsed, Urn::parse(urn));
  if (parsed.type.starts_with(kReservedTypePrefix))
    return fail(Code::kInvalidResource, "{} is reserved for Dolmen", urn);
  return {};
}

std::unexpected<Error> takes_no_account(std::string_view type) {
  return fail(Code::kAccountMismatch, "a {} cannot belong to an account", type);
}

std::unexpected<Error> is_deleting(std::string_view urn) {
  return fail(Code::kResourceDeleting, "{} is being deleted", urn);
}

std::unexpected<Error> not_found(std::string_view urn) {
  return fail(Code::kResourceNotFound, "the resource {} does not exist", urn);
}

Refusal gone_or_stale(std::string urn) {
  return [urn = std::move(urn)](const std::optional<Item>& found) -> std::optional<Error> {
    if (!found || found->contains("_deleteJob")) return not_found(urn).error();
    return std::nullopt;
  };
}

Refusal deleting_or_stale(std::string urn, Code missing, std::string_view what) {
  return [urn = std::move(urn), missing, what](const std::optional<Item>& found) -> std::optional<Error> {
    if (!found) return fail(missing, "the {} {} does not exist", what, urn).error();
    if (found->contains("_deleteJob")) return is_deleting(urn).error();
    return std::nullopt;
  };
}

Result<void> plan_height(const Graph& graph, Plan& plan, const std::vector<Row>& chain, std::uint64_t child_height) {
  const std::uint64_t depth = chain.size() + 1 + child_height;
  if (depth > graph.options.depth_max)
    return fail(Code::kLimitExceeded, "the family would have {} levels; at most {} are allowed", depth,
                graph.options.depth_max);
  std::uint64_t height = child_height;
  for (const Row& ancestor : chain) {
    ++height;
    if (!ancestor.height) continue;
    if (*ancestor.height >= height) break;
    plan.row(ancestor.urn)
        .require_parent(ancestor.parent)
        .require_count("_height", *ancestor.height)
        .set("_height", Number(height));
  }
  return {};
}

Result<void> plan_new_parent(const Graph& graph, Plan& plan, const std::vector<Row>& chain, const Row& child) {
  const std::string& parent = chain.front().urn;
  // A family that is getting another account is walked through by its edges.
  plan.row(child.urn)
      .require_live()
      .require_parent(child.parent)
      .require_account(child.account)
      .require_settled()
      .require_count("_height", child.height.value_or(0))
      .set("_parentUrn", parent);
  plan.row(parent).require_live().require_account(chain.front().account).add("_links", 1);
  DOLMEN_TRY_VOID(plan_height(graph, plan, chain, child.height.value_or(0)));
  for (const Row& ancestor : chain) plan.row(ancestor.urn).require_parent(ancestor.parent);
  return {};
}

}  // namespace dolmen::relation
