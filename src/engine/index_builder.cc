#include "engine/index_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engine/extents.h"
#include "engine/index_rows.h"
#include "engine/table_update.h"

namespace dolmen::engine {
namespace {

const Index* building_index(const Table& table, TableId id) {
  const auto found = std::ranges::find(table.indexes, id, &Index::id);
  return found == table.indexes.end() || found->state != IndexState::kBuilding ? nullptr : &*found;
}

}  // namespace

Result<BackgroundTask::Next> IndexBuilder::step() {
  const Turn turn = next_turn();
  if (turn.index == nullptr) {
    builds_.clear();
    return std::nullopt;
  }
  const TableId id = turn.index->id;
  last_turn_ = id;
  if (!builds_.contains(id)) DOLMEN_TRY_VOID(begin(turn));
  DOLMEN_TRY(const ItemWalk::Progress progress, walk_.visit_page(job_of(turn)));
  switch (progress.state) {
    case ItemWalk::State::kGoesOn: DOLMEN_TRY_VOID(report_progress(turn)); break;
    case ItemWalk::State::kFinished: DOLMEN_TRY_VOID(finish(turn)); break;
    case ItemWalk::State::kUnwanted:
      log(turn, "is not wanted any more; its building ends");
      builds_.erase(id);
      break;
  }
  return progress.rest;
}

IndexBuilder::Turn IndexBuilder::next_turn() const {
  Turn first;
  Turn next;
  for (const std::shared_ptr<const Table>& table : parts_.walk.catalogue.all())
    for (const Index& index : table->indexes) {
      if (index.state != IndexState::kBuilding) continue;
      if (first.index == nullptr || index.id < first.index->id) first = {table, &index};
      if (index.id > last_turn_ && (next.index == nullptr || index.id < next.index->id)) next = {table, &index};
    }
  return next.index != nullptr ? next : first;
}

Result<void> IndexBuilder::begin(const Turn& turn) {
  DOLMEN_TRY(const bool resumed, ItemWalk::has_begun(parts_.walk.storage, *turn.table, build_name(*turn.index)));
  DOLMEN_TRY(const Extent table, extents::read(parts_.walk.storage, turn.table->id));
  const Clock::TimePoint now = parts_.walk.clock.now();
  builds_.emplace(turn.index->id, Build{.begun = now, .last_line = now});
  log(turn, fmt::format("is {} {} items", resumed ? "being built further, from a table of" : "being built from",
                        table.item_count));
  return {};
}

ItemWalk::Job IndexBuilder::job_of(const Turn& turn) {
  const TableId id = turn.index->id;
  return {.table = turn.table->definition.name,
          .table_uuid = turn.table->uuid,
          .name = build_name(*turn.index),
          .wanted = [id](const Table& table) { return building_index(table, id) != nullptr; },
          .visit = [this, id](const Table& table, std::string_view row_key, const EncodedItem& item,
                              storage::Batch& batch) -> Result<void> {
            ++builds_[id].visited;
            parts_.visited->add();
            return stage_in_new_index(*building_index(table, id), row_key, item, parts_.walk.storage, batch);
          }};
}

Result<void> IndexBuilder::finish(const Turn& turn) {
  DOLMEN_TRY_VOID(parts_.activate(turn.table->definition.name, turn.index->id));
  DOLMEN_TRY(const Extent extent, extents::read(parts_.walk.storage, turn.index->id));
  const Build build = builds_[turn.index->id];
  const auto seconds = std::chrono::duration<double>(parts_.walk.clock.now() - build.begun).count();
  log(turn, fmt::format("is ready with {} items after {:.1f} s", extent.item_count, seconds));
  builds_.erase(turn.index->id);
  return {};
}

Result<void> IndexBuilder::report_progress(const Turn& turn) {
  Build& build = builds_[turn.index->id];
  const Clock::TimePoint now = parts_.walk.clock.now();
  if (now - build.last_line < kLineInterval) return {};
  build.last_line = now;
  DOLMEN_TRY(const Extent table, extents::read(parts_.walk.storage, turn.table->id));
  DOLMEN_TRY(const Extent index, extents::read(parts_.walk.storage, turn.index->id));
  log(turn, fmt::format("is being built: looked at {} items since this began; the index has {}, the table {}",
                        build.visited, index.item_count, table.item_count));
  return {};
}

void IndexBuilder::log(const Turn& turn, std::string_view text) const {
  if (!parts_.log) return;
  parts_.log(fmt::format("index {} of table {} {}", turn.index->definition.name, turn.table->definition.name, text));
}

}  // namespace dolmen::engine
