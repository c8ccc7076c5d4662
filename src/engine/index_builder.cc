#include "engine/index_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engine/extents.h"
#include "engine/index_rows.h"
#include "engine/table_update.h"
#include "engine/vector_rows.h"

namespace dolmen::engine {
namespace {

/// How often an index is looked at that must wait.
constexpr std::chrono::milliseconds kWaitInterval{100};

template <class AnyIndex>
const AnyIndex* building_index(const std::vector<AnyIndex>& indexes, TableId id) {
  const auto found = std::ranges::find(indexes, id, &AnyIndex::id);
  return found == indexes.end() || found->state != IndexState::kBuilding ? nullptr : &*found;
}

bool is_building(const Table& table, TableId id) {
  return building_index(table.indexes, id) != nullptr || building_index(table.vector_indexes, id) != nullptr;
}

}  // namespace

Result<BackgroundTask::Next> IndexBuilder::step() {
  const Turn turn = next_turn();
  if (!turn) {
    if (any_waits()) return kWaitInterval;
    builds_.clear();
    return std::nullopt;
  }
  const TableId id = turn.id();
  last_turn_ = id;
  if (!builds_.contains(id)) DOLMEN_TRY_VOID(begin(turn));
  DOLMEN_TRY(const ItemWalk::Progress progress, walk_.visit_page(job_of(turn)));
  switch (progress.state) {
    case ItemWalk::State::kGoesOn: DOLMEN_TRY_VOID(report_progress(turn)); break;
    case ItemWalk::State::kFinished:
      if (turn.vector != nullptr && now() < turn.vector->ready_at) return kWaitInterval;
      DOLMEN_TRY_VOID(finish(turn));
      break;
    case ItemWalk::State::kUnwanted:
      log(turn, "is not wanted any more; its building ends");
      builds_.erase(id);
      break;
  }
  return progress.rest;
}

TableTime IndexBuilder::now() const {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(parts_.walk.clock.now());
}

void IndexBuilder::for_each_build(const std::function<void(Turn)>& visit) const {
  for (const std::shared_ptr<const Table>& table : parts_.walk.catalogue.all()) {
    if (parts_.walk.catalogue.lacks_key(*table)) continue;
    for (const Index& index : table->indexes)
      if (index.state == IndexState::kBuilding) visit({.table = table, .index = &index});
    for (const VectorIndex& index : table->vector_indexes)
      if (index.state == IndexState::kBuilding && index.allocated_at <= now())
        visit({.table = table, .vector = &index});
  }
}

bool IndexBuilder::any_waits() const {
  return std::ranges::any_of(parts_.walk.catalogue.all(), [](const std::shared_ptr<const Table>& table) {
    return std::ranges::count(table->vector_indexes, IndexState::kBuilding, &VectorIndex::state) > 0;
  });
}

IndexBuilder::Turn IndexBuilder::next_turn() const {
  Turn first;
  Turn next;
  for_each_build([&](const Turn& turn) {
    if (!first || turn.id() < first.id()) first = turn;
    if (turn.id() > last_turn_ && (!next || turn.id() < next.id())) next = turn;
  });
  return next ? next : first;
}

Result<void> IndexBuilder::begin(const Turn& turn) {
  DOLMEN_TRY(const bool resumed, ItemWalk::has_begun(parts_.walk.storage, *turn.table, build_name(turn.id())));
  DOLMEN_TRY(const Extent table, extents::read(parts_.walk.storage, turn.table->id));
  const Clock::TimePoint now = parts_.walk.clock.now();
  builds_.emplace(turn.id(), Build{.begun = now, .last_line = now});
  log(turn, fmt::format("is {} {} items", resumed ? "being built further, from a table of" : "being built from",
                        table.item_count));
  return {};
}

ItemWalk::Job IndexBuilder::job_of(const Turn& turn) {
  const TableId id = turn.id();
  return {.table = turn.table->definition.name,
          .table_uuid = turn.table->uuid,
          .name = build_name(turn.id()),
          .wanted = [id](const Table& table) { return is_building(table, id); },
          .visit = [this, id](const Table& table, std::string_view row_key, const EncodedItem& item,
                              storage::Batch& batch) -> Result<void> {
            ++builds_[id].visited;
            parts_.visited->add();
            if (const VectorIndex* vector = building_index(table.vector_indexes, id))
              return stage_in_new_vector_index(*vector, row_key, item, parts_.walk.storage, batch);
            return stage_in_new_index(*building_index(table.indexes, id), row_key, item, parts_.walk.storage, batch);
          }};
}

Result<void> IndexBuilder::finish(const Turn& turn) {
  DOLMEN_TRY_VOID(parts_.activate(turn.table->definition.name, turn.id()));
  DOLMEN_TRY(const Extent extent, extents::read(parts_.walk.storage, turn.id()));
  const Build build = builds_[turn.id()];
  const auto seconds = std::chrono::duration<double>(parts_.walk.clock.now() - build.begun).count();
  log(turn, fmt::format("is ready with {} items after {:.1f} s", extent.item_count, seconds));
  builds_.erase(turn.id());
  return {};
}

Result<void> IndexBuilder::report_progress(const Turn& turn) {
  Build& build = builds_[turn.id()];
  const Clock::TimePoint now = parts_.walk.clock.now();
  if (now - build.last_line < kLineInterval) return {};
  build.last_line = now;
  DOLMEN_TRY(const Extent table, extents::read(parts_.walk.storage, turn.table->id));
  DOLMEN_TRY(const Extent index, extents::read(parts_.walk.storage, turn.id()));
  log(turn, fmt::format("is being built: looked at {} items since this began; the index has {}, the table {}",
                        build.visited, index.item_count, table.item_count));
  return {};
}

void IndexBuilder::log(const Turn& turn, std::string_view text) const {
  if (!parts_.log) return;
  parts_.log(fmt::format("index {} of table {} {}", turn.name(), turn.table->definition.name, text));
}

}  // namespace dolmen::engine
