// How the encryption of tables begins, changes and ends.
#include <fmt/format.h>
#include <utility>

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/seal_walk.h"

namespace dolmen::engine {
namespace {

/// How often it is looked whether keys have come or gone.
constexpr std::chrono::milliseconds kKeysInterval{1000};

}  // namespace

Result<std::optional<TableSeal>> Engine::new_seal(storage::Batch& batch, const DataKeys::Plan& plan,
                                                  const std::string& table_uuid) {
  if (!plan.encrypts) return std::nullopt;
  DOLMEN_TRY(const TableSeal seal, data_keys_.make(*storage_, batch, catalogue_->take_ids(batch, 1), plan, table_uuid));
  return seal;
}

Result<void> Engine::change_encryption(Table& table, const DataKeys::Plan& plan, storage::Batch& batch) {
  if (catalogue_->lacks_key(table)) return missing_key();
  if (plan.encrypts && table.seal) return data_keys_.rewrap(batch, table, *plan.arn);
  if (plan.encrypts) {
    DOLMEN_TRY(table.seal, new_seal(batch, plan, table.uuid));
    table.seal->state = SealState::kSealing;
  } else if (table.seal) {
    table.seal->state = SealState::kOpening;
  }
  return {};
}

void Engine::describe_encryption(const Table& table, TableDescription& description) const {
  if (!table.seal) return;
  if (SealWalk::is_wanted(table)) description.encryption_status = TableStatus::kUpdating;
  // Until the end it is encrypted by the key that it had.
  if (table.seal->state == SealState::kOpening && !description.definition.kms_key)
    description.definition.kms_key = data_keys_.arn_of(table);
  if (!catalogue_->lacks_key(table)) return;
  description.inaccessible_since = data_keys_.missing_since(table);
  if (description.status == TableStatus::kActive) description.status = TableStatus::kInaccessible;
}

void Engine::start_sealing() {
  // Keys may come and go while there are tables that need them.
  const auto has_work = [this] { return !data_keys_.empty(); };
  SealWalk::Parts parts{.storage = *storage_, .catalogue = *catalogue_, .finish = [this](const Table& table) {
                          return finish_sealing(table);
                        }};
  seal_task_.emplace(*storage_,
                     BackgroundTask::Options{.name = "encrypting tables", .log = options_.log, .has_work = has_work},
                     [this, walk = std::make_unique<SealWalk>(std::move(parts))](
                         const std::stop_token& stop) -> Result<BackgroundTask::Next> {
                       if (data_keys_.refresh(now())) {
                         index_builder_->wake();
                         expiry_builder_->wake();
                         expiry_task_->wake();
                         kinesis_task_->wake();
                       }
                       DOLMEN_TRY(const BackgroundTask::Next next, walk->step(stop));
                       if (next || data_keys_.empty() || options_.table_keys == nullptr) return next;
                       return kKeysInterval;
                     });
}

Result<void> Engine::finish_sealing(const Table& table) {
  auto change = [seal = *table.seal, uuid = table.uuid](Table& changed, storage::Batch& batch) -> Result<void> {
    if (changed.uuid != uuid || changed.seal != seal) return {};
    if (seal.state == SealState::kSealing) {
      changed.seal->state = SealState::kSealed;
    } else {
      changed.seal.reset();
    }
    SealWalk::forget(batch, changed);
    return {};
  };
  DOLMEN_TRY_VOID(change_table_and_wait(table.definition.name, std::move(change)));
  if (options_.log)
    options_.log(fmt::format("table {} is {}", table.definition.name,
                             table.seal->state == SealState::kSealing ? "encrypted" : "not encrypted any more"));
  return {};
}

}  // namespace dolmen::engine
