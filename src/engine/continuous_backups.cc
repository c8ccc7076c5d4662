// UpdateContinuousBackups, DescribeContinuousBackups, and what removes the history that is too old.
#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/history.h"
#include "engine/history_trimming.h"
#include "service/backup_rules.h"
#include "service/internal_tables.h"
#include "service/table_rules.h"

namespace dolmen::engine {
namespace {

ContinuousBackups continuous_backups(const Table& table, TableTime now) {
  ContinuousBackups described;
  if (!table.history) return described;
  described.point_in_time = {.enabled = true,
                             .period_days = table.history->days,
                             .earliest = history::earliest(*table.history, now),
                             .latest = std::max(table.history->since, now)};
  return described;
}

}  // namespace

std::unexpected<Error> no_source_table(std::string_view name) {
  return fail(Code::kSourceTableNotFound, "Table not found: {}", name);
}

void Engine::start(UpdateContinuousBackups /*operation*/, UpdateContinuousBackupsRequest request,
                   Done<ContinuousBackups> done) {
  const auto check = [&]() -> Result<void> {
    DOLMEN_TRY_VOID(check_point_in_time_change(request.change));
    return check_table_name(request.table);
  };
  if (Result<void> checked = check(); !checked) return done(std::unexpected(std::move(checked).error()));
  auto change = [this, asked = request.change](Table& table, storage::Batch& batch) -> Result<void> {
    if (!asked.enabled) {
      if (table.history) history::end(batch, table);
      return {};
    }
    if (!table.history) {
      history::begin(table, catalogue_->take_ids(batch, 1), asked.period_days.value_or(kRecoveryDaysMax), now());
      return {};
    }
    // What a shorter period let go does not come back with a longer one.
    table.history->since = history::earliest(*table.history, now());
    table.history->days = asked.period_days.value_or(kRecoveryDaysMax);
    return {};
  };
  change_table(
      request.table, std::move(change),
      [this, name = request.table, done = std::move(done)](Result<std::shared_ptr<const Table>> changed) mutable {
        if (changed) return done(continuous_backups(**changed, now()));
        if (changed.error().code() == Code::kTableNotFound) return done(no_source_table(name));
        if (changed.error().code() == Code::kTableInUse)
          return done(fail(Code::kContinuousBackupsUnavailable,
                           "Backups are being enabled for the table: {}. Please retry later", name));
        done(std::unexpected(std::move(changed).error()));
      });
}

void Engine::start(DescribeContinuousBackups /*operation*/, DescribeContinuousBackupsRequest request,
                   Done<ContinuousBackups> done) {
  if (Result<void> checked = check_table_name(request.table); !checked)
    return done(std::unexpected(std::move(checked).error()));
  const std::shared_ptr<const Table> table = catalogue_->find(request.table);
  if (table == nullptr || is_internal_table(request.table)) return done(no_source_table(request.table));
  if (table->restore) return done(ContinuousBackups{.enabled = false});
  done(continuous_backups(*table, now()));
}

Result<BackgroundTask::Next> Engine::trim_history(const std::stop_token& stop) {
  DOLMEN_TRY_VOID(history::trim(*storage_, catalogue_->all(), now(), stop));
  // Backups come and go on the thread of the queue alone. When it is full, the next time will do.
  static_cast<void>(work_.add([this] { static_cast<void>(remove_expired_backups()); }));
  return history::kTrimPause;
}

}  // namespace dolmen::engine
