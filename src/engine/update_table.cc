// UpdateTable, and the work in the background that follows from it.
#include <algorithm>
#include <utility>

#include "engine/engine.h"
#include "engine/index_builder.h"
#include "engine/item_walk.h"
#include "engine/reclaiming.h"
#include "engine/table_update.h"
#include "service/table_update_rules.h"
#include "service/wait.h"

namespace dolmen::engine {

void Engine::start(UpdateTable /*operation*/, TableUpdate update, Done<TableDescription> done) {
  drop_empty_settings(update);
  if (Result<void> checked = check_table_update(update); !checked)
    return done(std::unexpected(std::move(checked).error()));
  const std::string name = update.table;
  auto answer = std::make_shared<TableDescription>();
  auto change = [this, update = std::move(update), answer](Table& table,
                                                           storage::Batch& batch) mutable -> Result<void> {
    const Table old = table;
    DOLMEN_TRY_VOID(check_update(table, update, options_.region, now()));
    if (update.encryption) {
      DOLMEN_TRY(const DataKeys::Plan plan, data_keys_.plan(update.encryption->kms_key));
      update.encryption->kms_key = plan.arn;
      DOLMEN_TRY_VOID(change_encryption(table, plan, batch));
    }
    DOLMEN_TRY_VOID(apply_update(table, update,
                                 {.storage = *storage_,
                                  .batch = batch,
                                  .now = now(),
                                  .vector_index_phase = options_.vector_index_phase,
                                  .take_id = [&] { return catalogue_->take_ids(batch, 1); }}));
    *answer = describe(table, shows_updating(update) ? TableStatus::kUpdating : TableStatus::kActive);
    DOLMEN_TRY_VOID(measure(table, *answer));
    show_as_answered(old, update, *answer);
    return {};
  };
  change_table(name, std::move(change),
               [this, answer, done = std::move(done)](Result<std::shared_ptr<const Table>> changed) mutable {
                 if (!changed) return done(std::unexpected(std::move(changed).error()));
                 index_builder_->wake();
                 reclaimer_->wake();
                 seal_task_->wake();
                 done(std::move(*answer));
               });
}

void Engine::start_index_builder() {
  IndexBuilder::Parts parts{
      .walk = {.storage = *storage_, .pipeline = pipeline_, .catalogue = *catalogue_, .clock = *options_.clock},
      .activate = [this](const std::string& table, TableId index) { return activate_index(table, index); },
      .log = options_.log,
      .visited = &counters_.index_build_items};
  index_builder_.emplace(
      *storage_,
      BackgroundTask::Options{.name = "building indexes", .log = options_.log, .has_work = [this] { return builds(); }},
      [builder = std::make_unique<IndexBuilder>(std::move(parts))](const std::stop_token&) { return builder->step(); });
}

bool Engine::builds() const {
  return std::ranges::any_of(catalogue_->all(), [](const std::shared_ptr<const Table>& table) {
    return std::ranges::count(table->indexes, IndexState::kBuilding, &Index::state) > 0 ||
           std::ranges::count(table->vector_indexes, IndexState::kBuilding, &VectorIndex::state) > 0;
  });
}

Result<void> Engine::activate_index(const std::string& table, TableId index) {
  auto activate = [index](Table& changed, storage::Batch& batch) -> Result<void> {
    const auto activate_in = [&](auto& indexes) {
      for (auto& one : indexes)
        if (one.id == index && one.state == IndexState::kBuilding) {
          one.state = IndexState::kActive;
          ItemWalk::forget(batch, changed, build_name(index));
        }
    };
    activate_in(changed.indexes);
    activate_in(changed.vector_indexes);
    return {};
  };
  return change_table_and_wait(table, std::move(activate));
}

Result<void> Engine::change_table_and_wait(const std::string& table, TableChange change) {
  using Changed = std::shared_ptr<const Table>;
  Result<Changed> changed = wait_for<Changed>(
      [&](Done<Changed> done) { change_table(table, std::move(change), std::move(done), Changer::kEngine); });
  if (changed || changed.error().code() == Code::kTableNotFound) return {};
  return std::unexpected(std::move(changed).error());
}

void Engine::start_reclaimer() {
  // It frees space, and must go on when there is none.
  reclaimer_.emplace(
      *storage_, BackgroundTask::Options{.name = "giving back disk space", .log = options_.log, .free_bytes_min = 0},
      [this](const std::stop_token& stop) { return reclaim_next(stop); });
}

Result<BackgroundTask::Next> Engine::reclaim_next(const std::stop_token& stop) {
  DOLMEN_TRY(const std::vector<reclaiming::Note> notes, reclaiming::notes(*storage_));
  if (notes.empty()) return std::nullopt;
  const reclaiming::Note& note = notes.front();
  DOLMEN_TRY(const bool complete, reclaiming::give_back(*storage_, note, stop));
  if (!complete) return std::nullopt;
  DOLMEN_TRY_VOID(drop_deleted_index(note.id));
  storage::Batch batch;
  reclaiming::forget(batch, note);
  DOLMEN_TRY_VOID(storage_->commit(std::move(batch)));
  return std::chrono::milliseconds(0);
}

Result<void> Engine::drop_deleted_index(TableId index) {
  const auto is_deleted = [index](const auto& other) {
    return other.id == index && other.state == IndexState::kDeleting;
  };
  for (const std::shared_ptr<const Table>& table : catalogue_->all())
    if (std::ranges::any_of(table->indexes, is_deleted) || std::ranges::any_of(table->vector_indexes, is_deleted))
      return change_table_and_wait(table->definition.name,
                                   [is_deleted](Table& changed, storage::Batch&) -> Result<void> {
                                     std::erase_if(changed.indexes, is_deleted);
                                     std::erase_if(changed.vector_indexes, is_deleted);
                                     copy_index_definitions(changed);
                                     return {};
                                   });
  return {};
}

}  // namespace dolmen::engine
