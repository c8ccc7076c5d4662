// What UpdateTable refuses because the table is busy: an index is being built or deleted.
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
  return names;
}

/// An index is being built or deleted. A build can be ended by deleting its index.
Result<void> check_index_list_free(const Table& table, const IndexChange& change) {
  for (const Index& index : table.indexes) {
    if (index.state == IndexState::kActive) continue;
    const auto* removed = std::get_if<DeleteIndex>(&change);
    const bool ends_build =
        index.state == IndexState::kBuilding && removed != nullptr && removed->name == index.definition.name;
    if (!ends_build) return one_online_index();
  }
  return {};
}

Result<void> check_indexes_free(const Table& table, const TableUpdate& update) {
  for (const IndexChange& change : update.indexes) {
    const Index* index = table.find_index(name_of(change));
    if (index != nullptr && index->state == IndexState::kDeleting)
      return in_use(fmt::format("Index is being deleted. Table: {} Index: {}", table.definition.name, name_of(change)));
    if (changes_index_list(change)) DOLMEN_TRY_VOID(check_index_list_free(table, change));
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

Result<void> check_not_busy(const Table& table, const TableUpdate& update) {
  DOLMEN_TRY_VOID(check_indexes_free(table, update));
  DOLMEN_TRY_VOID(check_not_deleting(table, update));
  return check_limits_free(table, update);
}

}  // namespace dolmen::engine
