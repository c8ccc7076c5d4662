// The table operations of the engine.
#include <variant>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "engine/extents.h"
#include "service/table_rules.h"
#include "service/write_gate.h"

namespace dolmen::engine {
namespace {

std::unexpected<Error> no_table(std::string_view name) {
  return fail(Code::kTableNotFound, "Requested resource not found: Table: {} not found", name);
}

}  // namespace

void Engine::start(CreateTable /*operation*/, TableDefinition definition, Done<TableDescription> done) {
  if (Result<void> checked = check_table_definition(definition); !checked)
    return done(std::unexpected(std::move(checked).error()));
  const LockRequest lock = LockTable::all_tables();
  auto work = [this, definition = std::move(definition)](
                  storage::Batch& batch) mutable -> Result<WritePipeline::Outcome<TableDescription>> {
    if (catalogue_->find(definition.name) != nullptr)
      return fail(Code::kTableExists, "Table already exists: {}", definition.name);
    if (catalogue_->size() >= limits::kTablesPerAccount)
      return fail(Code::kLimitExceeded, "Subscriber limit exceeded: There is a limit of {} tables per subscriber",
                  limits::kTablesPerAccount);
    NewTable table{.uuid = random_uuid(*options_.random),
                   .created = std::chrono::time_point_cast<std::chrono::milliseconds>(options_.clock->now()),
                   .definition = std::move(definition)};
    std::shared_ptr<const Table> created = catalogue_->prepare_create(batch, std::move(table));
    TableDescription description = describe(*created, TableStatus::kCreating);
    return WritePipeline::Outcome<TableDescription>{
        std::move(description),
        [this, created = std::move(created)]() mutable { catalogue_->show(std::move(created)); }};
  };
  pipeline_.run<TableDescription>({&lock, 1}, std::move(work), std::move(done));
}

void Engine::start(DeleteTable /*operation*/, DeleteTableRequest request, Done<TableDescription> done) {
  const std::string& name = request.table;
  if (Result<void> checked = check_table_name(name); !checked) return done(std::unexpected(std::move(checked).error()));
  const LockRequest locks[] = {LockTable::all_tables(), pipeline_.locks().table(name, LockMode::kExclusive)};
  auto work = [this, name](storage::Batch& batch) -> Result<WritePipeline::Outcome<TableDescription>> {
    const std::shared_ptr<const Table> table = catalogue_->find(name);
    if (table == nullptr) return no_table(name);
    if (table->definition.deletion_protection)
      return fail(
          Code::kValidation,
          "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection "
          "first.");
    TableDescription description = describe(*table, TableStatus::kDeleting);
    DOLMEN_TRY_VOID(measure(*table, description));
    Catalogue::prepare_delete(batch, *table);
    return WritePipeline::Outcome<TableDescription>{std::move(description), [this, name] { catalogue_->hide(name); }};
  };
  pipeline_.run<TableDescription>(locks, std::move(work), std::move(done));
}

void Engine::start(DescribeTable /*operation*/, DescribeTableRequest request, Done<TableDescription> done) {
  const std::string& name = request.table;
  if (Result<void> checked = check_table_name(name); !checked) return done(std::unexpected(std::move(checked).error()));
  const std::shared_ptr<const Table> table = catalogue_->find(name);
  if (table == nullptr) return done(no_table(name));
  TableDescription description = describe(*table, TableStatus::kActive);
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
    if (table == nullptr || table->uuid != change.table_id) return no_table(change.table);
    if (change.check) DOLMEN_TRY_VOID(change.check());
    for (const ItemWrite& row : rows) {
      DOLMEN_TRY_VOID(still_there(row));
      DOLMEN_TRY(const ItemWrite::Decision decision, row.decide(*storage_));
      row.stage(decision, batch);
    }
    return WritePipeline::Outcome<std::monostate>{{},
                                                  [table = std::move(table), gate = std::move(change.gate)]() mutable {
                                                    table->gate_slot->gate = std::move(gate);
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

TableDescription Engine::describe(const Table& table, TableStatus status) const {
  return {
      .definition = table.definition,
      .status = status,
      .id = table.uuid,
      .arn = fmt::format("arn:aws:dynamodb:{}:{}:table/{}", options_.region, options_.account, table.definition.name),
      .created = table.created};
}

Result<void> Engine::measure(const Table& table, TableDescription& description) const {
  DOLMEN_TRY(description.extent, extents::read(*storage_, table.id));
  for (const Index& index : table.indexes) {
    DOLMEN_TRY(const Extent extent, extents::read(*storage_, index.id));
    (index.local ? description.local_index_extents : description.global_index_extents).push_back(extent);
  }
  return {};
}

}  // namespace dolmen::engine
