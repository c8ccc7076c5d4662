// The table operations of the engine.
#include <algorithm>
#include <map>
#include <variant>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "engine/extents.h"
#include "engine/table_update.h"
#include "service/table_rules.h"
#include "service/throughput_rules.h"
#include "service/wait.h"
#include "service/write_gate.h"

namespace dolmen::engine {
namespace {

std::unexpected<Error> no_table(std::string_view name) {
  return fail(Code::kTableNotFound, "Requested resource not found: Table: {} not found", name);
}

/// DynamoDB's answer to CreateTable has this only where it was asked for.
void show_asked_warm(TableDescription& description) {
  const TableDefinition& definition = description.definition;
  description.warm = definition.warm;
  if (description.warm) description.warm_status = TableStatus::kUpdating;
  for (std::size_t i = 0; i < definition.global_indexes.size(); ++i) {
    GlobalIndexState& state = description.global_index_states[i];
    state.warm = definition.global_indexes[i].warm;
    if (state.warm) state.warm_status = TableStatus::kUpdating;
  }
}

std::unexpected<Error> being_created(std::string_view name) {
  return fail(Code::kTableInUse, "Attempt to change a resource which is still in use: Table is being created: {}",
              name);
}

Result<void> check_deletable(const Table& table) {
  if (table.restore) return being_created(table.definition.name);
  if (table.definition.deletion_protection)
    return fail(Code::kValidation,
                "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection "
                "first.");
  const auto is_busy = [](const auto& index) { return index.state != IndexState::kActive; };
  if (std::ranges::any_of(table.indexes, is_busy) || std::ranges::any_of(table.vector_indexes, is_busy))
    return fail(Code::kTableInUse,
                "Attempt to change a resource which is still in use: Cannot delete table while indexes are being "
                "created, updated, or deleted.");
  return {};
}

void describe_vector_indexes(const Table& table, TableTime now, TableStatus status, TableDescription& description) {
  for (const VectorIndex& index : table.vector_indexes) {
    VectorIndexState state{.status = status == TableStatus::kUpdating ? TableStatus::kActive : status};
    const bool allocating = index.state == IndexState::kBuilding && now < index.allocated_at;
    if (index.state == IndexState::kBuilding) {
      state.status = TableStatus::kCreating;
      state.backfilling = !allocating;
    }
    if (index.state == IndexState::kDeleting) state.status = TableStatus::kDeleting;
    if (status == TableStatus::kActive && (allocating || index.state == IndexState::kDeleting))
      description.status = TableStatus::kUpdating;
    description.vector_index_states.push_back(state);
  }
}

/// Of several indexes of one attribute, the first that does not leave items out by their HASH attribute.
std::map<std::string_view, TableId> indexes_of_vectors(const Table& table) {
  std::map<std::string_view, TableId> ids;
  for (const bool with_hash : {false, true})
    for (const VectorIndex& index : table.live_vector_indexes())
      if ((std::ranges::count(index.definition.search, SearchRole::kHash, &SearchAttribute::role) > 0) == with_hash)
        ids.emplace(index.definition.attribute, index.id);
  return ids;
}

}  // namespace

Result<void> Engine::check_table_count() const {
  if (catalogue_->size() < options_.tables_max) return {};
  return fail(Code::kLimitExceeded, "Subscriber limit exceeded: There is a limit of {} tables per subscriber",
              options_.tables_max);
}

void Engine::start(CreateTable /*operation*/, TableDefinition definition, Done<TableDescription> done) {
  if (Result<void> checked = check_table_definition(definition); !checked)
    return done(std::unexpected(std::move(checked).error()));
  if (Result<void> allowed = check_account_limits(definition, options_.region); !allowed)
    return done(std::unexpected(std::move(allowed).error()));
  Result<DataKeys::Plan> plan = data_keys_.plan(definition.kms_key);
  if (!plan) return done(std::unexpected(std::move(plan).error()));
  definition.kms_key = plan->arn;
  const LockRequest lock = LockTable::all_tables();
  auto work = [this, plan = *std::move(plan), definition = std::move(definition)](
                  storage::Batch& batch) mutable -> Result<WritePipeline::Outcome<TableDescription>> {
    const std::shared_ptr<const Table> existing = catalogue_->find(definition.name);
    if (existing != nullptr && existing->restore)
      return fail(Code::kTableInUse, "Attempt to change a resource which is still in use: Table is being used: {}",
                  definition.name);
    if (existing != nullptr) return fail(Code::kTableExists, "Table already exists: {}", definition.name);
    DOLMEN_TRY_VOID(check_table_count());
    NewTable table{.uuid = random_uuid(*options_.random), .created = now(), .definition = std::move(definition)};
    DOLMEN_TRY(table.seal, new_seal(batch, plan, table.uuid));
    DOLMEN_TRY(std::shared_ptr<const Table> created, catalogue_->prepare_create(*storage_, batch, std::move(table)));
    TableDescription description = describe(*created, TableStatus::kCreating);
    show_asked_warm(description);
    return WritePipeline::Outcome<TableDescription>{std::move(description),
                                                    [this, created = std::move(created)]() mutable {
                                                      const bool expires = created->definition.ttl.has_value();
                                                      catalogue_->show(std::move(created));
                                                      if (expires) expiry_task_->wake();
                                                      seal_task_->wake();
                                                    }};
  };
  pipeline_.run<TableDescription>({&lock, 1}, std::move(work), std::move(done));
}

void Engine::start(DeleteTable /*operation*/, DeleteTableRequest request, Done<TableDescription> done) {
  const std::string& name = request.table;
  if (Result<void> checked = check_table_name(name); !checked) return done(std::unexpected(std::move(checked).error()));
  const std::shared_ptr<const Table> table = catalogue_->find(name);
  if (table != nullptr && table->history) return back_up_and_delete(name, std::move(done));
  delete_now(name, std::move(done));
}

void Engine::back_up_and_delete(const std::string& name, Done<TableDescription> done) {
  queue<TableDescription>(
      [this, name]() -> Result<TableDescription> {
        const std::shared_ptr<const Table> table = catalogue_->find(name);
        if (table == nullptr) return no_table(name);
        DOLMEN_TRY_VOID(check_deletable(*table));
        DOLMEN_TRY(const backups::Backup backup,
                   make_backup({.table = name, .name = name + "$DeletedTableBackup"}, BackupType::kSystem));
        Result<TableDescription> deleted =
            wait_for<TableDescription>([&](Done<TableDescription> ended) { delete_now(name, std::move(ended)); });
        if (!deleted) DOLMEN_TRY_VOID(forget_backup(backup.id));
        return deleted;
      },
      std::move(done));
}

void Engine::delete_now(const std::string& name, Done<TableDescription> done) {
  const LockRequest locks[] = {LockTable::all_tables(), pipeline_.locks().table(name, LockMode::kExclusive)};
  auto work = [this, name](storage::Batch& batch) -> Result<WritePipeline::Outcome<TableDescription>> {
    const std::shared_ptr<const Table> table = catalogue_->find(name);
    if (table == nullptr) return no_table(name);
    DOLMEN_TRY_VOID(check_deletable(*table));
    TableDescription description = describe(*table, TableStatus::kDeleting);
    DOLMEN_TRY_VOID(measure(*table, description));
    DOLMEN_TRY_VOID(Catalogue::prepare_delete(*storage_, batch, *table, now()));
    return WritePipeline::Outcome<TableDescription>{std::move(description), [this, name] {
                                                      catalogue_->hide(name);
                                                      reclaimer_->wake();
                                                    }};
  };
  pipeline_.run<TableDescription>(locks, std::move(work), std::move(done));
}

void Engine::start(DescribeTable /*operation*/, DescribeTableRequest request, Done<TableDescription> done) {
  const std::string& name = request.table;
  if (Result<void> checked = check_table_name(name); !checked) return done(std::unexpected(std::move(checked).error()));
  const std::shared_ptr<const Table> table = catalogue_->find(name);
  if (table == nullptr) return done(no_table(name));
  TableDescription description = describe(*table, table->restore ? TableStatus::kCreating : TableStatus::kActive);
  if (Result<void> measured = measure(*table, description); !measured)
    return done(std::unexpected(std::move(measured).error()));
  done(std::move(description));
}

void Engine::start(ListTableNames /*operation*/, ListTablesRequest request, Done<TableNamePage> done) {
  const int limit = request.limit.value_or(limits::kListTablesMax);
  if (limit < 1 || limit > limits::kListTablesMax)
    return done(
        fail(Code::kValidation,
             "1 validation error detected: Value '{}' at 'limit' failed to satisfy constraint: Member must have "
             "value {} than or equal to {}",
             limit, limit < 1 ? "greater" : "less", limit < 1 ? 1 : limits::kListTablesMax));
  done(catalogue_->page(request.after, static_cast<std::size_t>(limit)));
}

void Engine::change_gate(GateChange change, Done<void> done) {
  const auto prepare = [&]() -> Result<std::vector<ItemWrite>> {
    std::vector<WriteRequest> requests;
    if (change.row) requests.push_back(*std::move(change.row));
    DOLMEN_TRY(std::vector<ItemWrite> rows, prepare_writes(std::move(requests)));
    for (ItemWrite& row : rows) DOLMEN_TRY_VOID(row.attach(row.shared_table()));
    return rows;
  };
  Result<std::vector<ItemWrite>> rows = prepare();
  if (!rows) return done(std::unexpected(std::move(rows).error()));
  std::vector<LockRequest> locks = locks_of(*rows);
  // The exclusive lock ensures that no write is between its gate and its commit.
  locks.push_back(pipeline_.locks().table(change.table, LockMode::kExclusive));
  auto work = [this, change = std::move(change), rows = *std::move(rows)](
                  storage::Batch& batch) mutable -> Result<WritePipeline::Outcome<std::monostate>> {
    std::shared_ptr<const Table> table = catalogue_->find(change.table);
    if (table == nullptr || table->uuid != change.table_id || table->restore) return no_table(change.table);
    if (change.check) DOLMEN_TRY_VOID(change.check());
    for (ItemWrite& row : rows) {
      DOLMEN_TRY_VOID(settle(row));
      DOLMEN_TRY(const ItemWrite::Decision decision, row.decide(*storage_));
      DOLMEN_TRY_VOID(row.stage(decision, *storage_, batch, now()));
    }
    return WritePipeline::Outcome<std::monostate>{
        {}, [this, table = std::move(table), gate = std::move(change.gate)]() mutable {
          table->gate_slot->gate = std::move(gate);
          table->gate_slot->refusals = counters_.gate_refusals;
        }};
  };
  pipeline_.run<std::monostate>(locks, std::move(work),
                                [done = std::move(done)](Result<std::monostate> outcome) mutable {
                                  if (!outcome) return done(std::unexpected(std::move(outcome).error()));
                                  done({});
                                });
}

void Engine::gate_of(const std::string& table, Done<std::shared_ptr<const WriteGate>> done) {
  using Gate = std::shared_ptr<const WriteGate>;
  const LockRequest lock = pipeline_.locks().table(table, LockMode::kShared);
  auto work = [this, table](storage::Batch&) -> Result<WritePipeline::Outcome<Gate>> {
    const std::shared_ptr<const Table> found = catalogue_->find(table);
    if (found == nullptr) return no_table(table);
    return WritePipeline::Outcome<Gate>{found->gate_slot->gate};
  };
  pipeline_.run<Gate>({&lock, 1}, std::move(work), std::move(done));
}

TableTime Engine::now() const { return std::chrono::time_point_cast<std::chrono::milliseconds>(options_.clock->now()); }

void Engine::change_table(const std::string& name, TableChange change, Done<std::shared_ptr<const Table>> done,
                          Changer changer) {
  using Changed = std::shared_ptr<const Table>;
  // The lock of all tables guards the ids of new indexes and streams.
  const LockRequest locks[] = {LockTable::all_tables(), pipeline_.locks().table(name, LockMode::kExclusive)};
  auto work = [this, name, changer,
               change = std::move(change)](storage::Batch& batch) mutable -> Result<WritePipeline::Outcome<Changed>> {
    const std::shared_ptr<const Table> table = catalogue_->find(name);
    if (table == nullptr) return no_table(name);
    if (table->restore && changer == Changer::kRequest) return being_created(name);
    Table copy = *table;
    DOLMEN_TRY_VOID(change(copy, batch));
    Catalogue::prepare_change(batch, copy);
    auto changed = std::make_shared<const Table>(std::move(copy));
    return WritePipeline::Outcome<Changed>{changed, [this, changed] { catalogue_->show(changed); }};
  };
  pipeline_.run<Changed>(locks, std::move(work), std::move(done));
}

std::string Engine::arn_of(std::string_view table) const {
  return fmt::format("arn:aws:dynamodb:{}:{}:table/{}", options_.region, options_.account, table);
}

TableDescription Engine::describe(const Table& table, TableStatus status) const {
  TableDescription description{.definition = table.definition,
                               .status = status,
                               .id = table.uuid,
                               .arn = arn_of(table.definition.name),
                               .created = table.created,
                               .throughput_changes = table.throughput_changes,
                               .pay_per_request_since = table.pay_per_request_since,
                               .table_class_changed = table.table_class_changed,
                               .warm = table.warm,
                               .stream_label = table.stream_label,
                               .restore = table.restore};
  // A table that is being imported has no source.
  if (table.restore && table.restore->table_arn.empty()) description.restore.reset();
  description.throughput_changes.decreases_today = decreases_on(table.throughput_changes, now());
  if (!table.stream_label.empty())
    description.stream_arn = fmt::format("{}/stream/{}", description.arn, table.stream_label);
  // DynamoDB has other operations that tell these.
  description.definition.ttl.reset();
  description.definition.tags.clear();
  for (const Index& index : table.indexes) {
    if (index.local) continue;
    GlobalIndexState state{.status = status == TableStatus::kUpdating ? TableStatus::kActive : status,
                           .throughput_changes = index.throughput_changes,
                           .warm = index.warm};
    state.throughput_changes.decreases_today = decreases_on(index.throughput_changes, now());
    if (index.state == IndexState::kBuilding) {
      state.status = TableStatus::kCreating;
      state.backfilling = true;
    }
    if (index.state == IndexState::kDeleting) {
      state.status = TableStatus::kDeleting;
      if (status == TableStatus::kActive) description.status = TableStatus::kUpdating;
    }
    description.global_index_states.push_back(state);
  }
  describe_vector_indexes(table, now(), status, description);
  describe_encryption(table, description);
  return description;
}

Result<void> Engine::measure(const Table& table, TableDescription& description) const {
  DOLMEN_TRY(description.extent, extents::read(*storage_, table.id));
  auto state = description.global_index_states.begin();
  for (const Index& index : table.indexes) {
    DOLMEN_TRY(const Extent extent, extents::read(*storage_, index.id));
    if (index.local) {
      description.local_index_extents.push_back(extent);
    } else {
      (state++)->extent = extent;
    }
  }
  for (std::size_t i = 0; i < table.vector_indexes.size(); ++i) {
    DOLMEN_TRY(description.vector_index_states[i].extent, extents::read(*storage_, table.vector_indexes[i].id));
  }
  for (const auto& [attribute, index] : indexes_of_vectors(table)) {
    DOLMEN_TRY(const std::int64_t saved, extents::read_savings(*storage_, index));
    description.extent.size_bytes -= static_cast<std::uint64_t>(saved);
  }
  return {};
}

}  // namespace dolmen::engine
