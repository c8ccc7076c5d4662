// Time to live: its operations, and the building of the rows by which items expire for a table that has items already.
#include <algorithm>

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/expiry.h"
#include "service/table_rules.h"
#include "service/wait.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kExpiryWalk = "expiry";

Result<void> check_change(const Table& table, const TimeToLiveChange& change) {
  const std::optional<std::string>& current = table.definition.ttl;
  if (!current && !change.enabled) return fail(Code::kValidation, "TimeToLive is already disabled");
  if (!current) return {};
  if (*current != change.attribute)
    return fail(Code::kValidation, "TimeToLive is active on a different AttributeName: current AttributeName is {}",
                *current);
  if (change.enabled) return fail(Code::kValidation, "TimeToLive is already enabled");
  return {};
}

Result<void> apply(Table& table, const TimeToLiveChange& change, storage::Batch& batch) {
  DOLMEN_TRY_VOID(check_change(table, change));
  // A build that was interrupted has no meaning for the next attribute.
  ItemWalk::forget(batch, table, kExpiryWalk);
  if (change.enabled) {
    table.definition.ttl = change.attribute;
  } else {
    table.definition.ttl.reset();
    expiry::end(batch, table.id);
  }
  table.expiry_building = change.enabled;
  return {};
}

}  // namespace

void Engine::start(UpdateTimeToLive /*operation*/, UpdateTimeToLiveRequest request, Done<TimeToLiveChange> done) {
  const auto check = [&]() -> Result<void> {
    DOLMEN_TRY_VOID(check_time_to_live_attribute(request.change.attribute));
    return check_table_name(request.table);
  };
  if (Result<void> checked = check(); !checked) return done(std::unexpected(std::move(checked).error()));
  const TimeToLiveChange change = request.change;
  change_table(
      request.table, [change](Table& table, storage::Batch& batch) { return apply(table, change, batch); },
      [this, change, done = std::move(done)](Result<std::shared_ptr<const Table>> changed) mutable {
        if (!changed) return done(std::unexpected(std::move(changed).error()));
        expiry_builder_->wake();
        expiry_task_->wake();
        done(change);
      });
}

void Engine::start(DescribeTimeToLive /*operation*/, DescribeTimeToLiveRequest request, Done<TimeToLive> done) {
  if (Result<void> checked = check_table_name(request.table); !checked)
    return done(std::unexpected(std::move(checked).error()));
  const std::shared_ptr<const Table> table = catalogue_->find(request.table);
  if (table == nullptr || table->restore)
    return done(fail(Code::kTableNotFound, "Requested resource not found: Table: {} not found", request.table));
  const std::optional<std::string>& attribute = table->definition.ttl;
  done(TimeToLive{.status = attribute ? TimeToLiveStatus::kEnabled : TimeToLiveStatus::kDisabled,
                  .attribute = attribute});
}

void Engine::start_expiry() {
  expiry_task_.emplace(*storage_, BackgroundTask::Options{.name = "removing expired items", .log = options_.log},
                       [this](const std::stop_token& stop) { return expirer_.step(stop); });
  expiry_builder_.emplace(*storage_, BackgroundTask::Options{.name = "building a time to live", .log = options_.log},
                          [this](const std::stop_token& /*stop*/) { return build_expiry(); });
}

std::shared_ptr<const Table> Engine::table_to_build_expiry_of() const {
  const std::vector<std::shared_ptr<const Table>> tables = catalogue_->all();
  const auto found = std::ranges::find_if(
      tables, [&](const auto& table) { return table->expiry_building && !catalogue_->lacks_key(*table); });
  return found == tables.end() ? nullptr : *found;
}

Result<BackgroundTask::Next> Engine::build_expiry() {
  const std::shared_ptr<const Table> table = table_to_build_expiry_of();
  if (table == nullptr) return std::nullopt;
  const ItemWalk::Job job{.table = table->definition.name,
                          .table_uuid = table->uuid,
                          .name = std::string(kExpiryWalk),
                          .wanted = [](const Table& now) { return now.expiry_building; },
                          .visit = [](const Table& now, std::string_view row_key, const EncodedItem& item,
                                      storage::Batch& batch) -> Result<void> {
                            expiry::stage_row(batch, now, row_key, item);
                            return {};
                          }};
  DOLMEN_TRY(const ItemWalk::Progress progress, expiry_walk_.visit_page(job));
  if (progress.state == ItemWalk::State::kFinished) DOLMEN_TRY_VOID(end_building_expiry(*table));
  return progress.state == ItemWalk::State::kGoesOn ? progress.rest : std::chrono::milliseconds(0);
}

Result<void> Engine::end_building_expiry(const Table& built) {
  const auto end = [&](Table& table, storage::Batch& batch) -> Result<void> {
    // Otherwise this is another table, or its time to live was disabled and enabled again.
    DOLMEN_TRY(const bool at_end, expiry_walk_.is_at_end(table, kExpiryWalk));
    if (table.uuid != built.uuid || !at_end) return {};
    table.expiry_building = false;
    ItemWalk::forget(batch, table, kExpiryWalk);
    return {};
  };
  using Changed = std::shared_ptr<const Table>;
  const Result<Changed> ended =
      wait_for<Changed>([&](Done<Changed> done) { change_table(built.definition.name, end, std::move(done)); });
  // A table that is gone has nothing to be built.
  if (!ended && ended.error().code() != Code::kTableNotFound) return std::unexpected(ended.error());
  return {};
}

void Engine::finish_expiry() {
  do {
    expiry_builder_->wake();
    expiry_builder_->wait_until_idle();
  } while (table_to_build_expiry_of() != nullptr && !expiry_builder_->has_failed());
  do {
    expiry_task_->wake();
    expiry_task_->wait_until_idle();
  } while (expirer_.is_behind());
}

}  // namespace dolmen::engine
