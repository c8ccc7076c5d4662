// What UpdateTable refuses because the table is busy: an index is being built or deleted.
#include <algorithm>
#include <fmt/ranges.h>
#include <vector>

#include "base/fail.h"
#include "engine/table_update.h"
#include "service/table_update_rules.h"

namespace dolmen::engine {
namespace {

std::unexpected<Error> in_use(const std::string& text) {
  return fail(Code::kTableInUse, "Attempt to change a resource which is still in use: {}", text);
}

std::vector<std::string_view> indexes_in(const Table& table, IndexState state) {
  std::vector<std::string_view> names;
  for (const Index& index : table.indexes)
    if (index.state == state) names.push_back(index.definition.name);
  for (const VectorIndex& index : table.vector_indexes)
    if (index.state == state) names.push_back(index.definition.name);
  return names;
}

/// An index is being built or deleted. A build can be ended by deleting its index.
Result<void> check_index_list_free(const Table& table, std::string_view deleted) {
  const auto is_free = [&](const auto& index) {
    return index.state == IndexState::kActive ||
           (index.state == IndexState::kBuilding && index.definition.name == deleted);
  };
  if (std::ranges::all_of(table.indexes, is_free) && std::ranges::all_of(table.vector_indexes, is_free)) return {};
  return one_online_index();
}

std::string_view deleted_by(const IndexChange& change) {
  const auto* removed = std::get_if<DeleteIndex>(&change);
  return removed == nullptr ? std::string_view() : removed->name;
}

Result<void> check_vector_indexes_free(const Table& table, const TableUpdate& update, TableTime now) {
  for (const VectorIndexChange& change : update.vector_indexes) {
    const auto* removed = std::get_if<DeleteVectorIndex>(&change);
    const VectorIndex* index = removed == nullptr ? nullptr : table.find_vector_index(removed->name);
    if (index != nullptr && index->state == IndexState::kDeleting)
      return in_use(fmt::format("Index is being deleted. Table: {} Index: {}", table.definition.name, removed->name));
    if (index != nullptr && index->state == IndexState::kBuilding && now < index->allocated_at)
      return in_use(
          fmt::format("Index creation is in resource allocation phase. Retry deletion during backfilling phase or when "
                      "the index is active. Table: {} Index: {}",
                      table.definition.name, removed->name));
    DOLMEN_TRY_VOID(check_index_list_free(table, removed == nullptr ? std::string_view() : removed->name));
  }
  return {};
}

Result<void> check_indexes_free(const Table& table, const TableUpdate& update) {
  for (const IndexChange& change : update.indexes) {
    const Index* index = table.find_index(name_of(change));
    if (index != nullptr && index->state == IndexState::kDeleting)
      return in_use(fmt::format("Index is being deleted. Table: {} Index: {}", table.definition.name, name_of(change)));
    if (changes_index_list(change)) DOLMEN_TRY_VOID(check_index_list_free(table, deleted_by(change)));
  }
  return {};
}

Result<void> check_not_deleting(const Table& table, const TableUpdate& update) {
  const std::vector<std::string_view> deleting = indexes_in(table, IndexState::kDeleting);
  if (deleting.empty()) return {};
  const std::string_view what = update.throughput || update.billing_mode ? "change table IOPS"
                                : update.stream                          ? "change stream status"
                                : update.table_class                     ? "update table class"
                                                                         : "";
  if (what.empty()) return {};
  return in_use(fmt::format("Can't {} when an index is being deleted. Table: {} Indexes: [{}]", what,
                            table.definition.name, fmt::join(deleting, ", ")));
}

Result<void> check_limits_free(const Table& table, const TableUpdate& update) {
  if (!update.on_demand) return {};
  for (const auto& [state, doing] :
       {std::pair(IndexState::kBuilding, "creation"), std::pair(IndexState::kDeleting, "deletion")})
    if (const auto names = indexes_in(table, state); !names.empty())
      return in_use(fmt::format("OnDemandThroughput cannot be updated while index {} is in progress for indexes: [{}]",
                                doing, fmt::join(names, ", ")));
  return {};
}

}  // namespace

Result<void> check_not_busy(const Table& table, const TableUpdate& update, TableTime now) {
  DOLMEN_TRY_VOID(check_indexes_free(table, update));
  DOLMEN_TRY_VOID(check_vector_indexes_free(table, update, now));
  DOLMEN_TRY_VOID(check_not_deleting(table, update));
  if (update.encryption && table.seal && table.seal->state != SealState::kSealed)
    return in_use("Server-Side Encryption is still being updated");
  return check_limits_free(table, update);
}

}  // namespace dolmen::engine
