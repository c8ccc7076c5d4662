#include "engine/table_update.h"

#include <algorithm>
#include <chrono>

#include "engine/extents.h"
#include "engine/item_walk.h"
#include "engine/keyspaces.h"
#include "engine/reclaiming.h"
#include "engine/stream_log.h"
#include "service/table_update_rules.h"

namespace dolmen::engine {
namespace {

/// Takes over the limits that are given; -1 removes one.
void merge(OnDemandThroughput& limits, const OnDemandThroughput& asked) {
  const auto take = [](std::optional<std::int64_t>& limit, const std::optional<std::int64_t>& wanted) {
    if (wanted) limit = *wanted == -1 ? std::nullopt : wanted;
  };
  take(limits.max_read_units, asked.max_read_units);
  take(limits.max_write_units, asked.max_write_units);
}

void raise(WarmThroughput& warm, std::int64_t read_units, std::int64_t write_units) {
  warm.read_units = std::max(warm.read_units, read_units);
  warm.write_units = std::max(warm.write_units, write_units);
}

void raise(WarmThroughput& warm, const WarmThroughputUpdate& asked) {
  raise(warm, asked.read_units.value_or(0), asked.write_units.value_or(0));
}

/// What a table and an index have in common.
struct Capacity {
  Throughput& throughput;
  ThroughputChanges& changes;
  WarmThroughput& warm;
};

/// A change that raises one number and lowers the other is both; one that lowers both counts once.
void change_throughput(const Capacity& capacity, const Throughput& asked, bool switches, TableTime now) {
  const Throughput old = std::exchange(capacity.throughput, asked);
  raise(capacity.warm, asked.read_units, asked.write_units);
  if (switches) return;
  if (asked.read_units > old.read_units || asked.write_units > old.write_units) capacity.changes.last_increase = now;
  if (asked.read_units >= old.read_units && asked.write_units >= old.write_units) return;
  capacity.changes.decreases_today = decreases_on(capacity.changes, now) + 1;
  capacity.changes.last_decrease = now;
}

/// One request, on one table.
class UpdateApplication {
 public:
  UpdateApplication(Table& table, const TableUpdate& update, const UpdateContext& context)
      : table_(table), update_(update), context_(context) {}

  Result<void> run() {
    const bool switches = update_.billing_mode && *update_.billing_mode != table_.definition.billing_mode;
    if (switches) switch_billing(*update_.billing_mode);
    if (update_.throughput)
      change_throughput({table_.definition.throughput, table_.throughput_changes, table_.warm}, *update_.throughput,
                        switches, context_.now);
    for (const IndexChange& change : update_.indexes) change_index(change, switches);
    for (const VectorIndexChange& change : update_.vector_indexes) change_vector_index(change);
    if (update_.on_demand) merge(table_.definition.on_demand, *update_.on_demand);
    if (update_.warm) raise(table_.warm, *update_.warm);
    if (update_.deletion_protection) table_.definition.deletion_protection = *update_.deletion_protection;
    if (update_.table_class) change_class(*update_.table_class);
    if (update_.encryption) table_.definition.kms_key = update_.encryption->kms_key;
    copy_index_definitions(table_);
    return update_.stream ? change_stream(*update_.stream) : Result<void>();
  }

 private:
  /// Capacity of the mode that ends is dropped. The new throughput is set afterwards.
  void switch_billing(BillingMode mode) {
    TableDefinition& definition = table_.definition;
    definition.billing_mode = mode;
    definition.throughput = {};
    definition.on_demand = {};
    for (Index& index : table_.indexes) {
      index.definition.throughput = {};
      index.definition.on_demand = {};
    }
    if (mode == BillingMode::kPayPerRequest) table_.pay_per_request_since = context_.now;
  }

  void change_class(TableClass asked) {
    // A table has the standard class unless it was given one.
    if (table_.definition.table_class.value_or(TableClass::kStandard) == asked) return;
    table_.definition.table_class = asked;
    table_.table_class_changed = context_.now;
  }

  Result<void> change_stream(const StreamUpdate& stream) {
    if (stream.enabled) {
      table_.definition.stream = stream.view;
      return streams::begin(context_.storage, context_.batch, table_, context_.take_id(), context_.now);
    }
    DOLMEN_TRY_VOID(streams::end(context_.storage, context_.batch, table_, context_.now));
    table_.definition.stream.reset();
    table_.stream_id = 0;
    return {};
  }

  Index& index_called(const std::string& name) {
    return *std::ranges::find(table_.indexes, name, [](const Index& index) { return index.definition.name; });
  }

  void change_index(const IndexChange& change, bool switches) {
    if (const auto* created = std::get_if<CreateIndex>(&change)) return create(created->definition);
    if (const auto* updated = std::get_if<UpdateIndex>(&change)) return update(*updated, switches);
    remove(index_called(std::get<DeleteIndex>(change).name));
  }

  void create(const IndexDefinition& definition) {
    Index index = make_index(table_.definition, definition, false, context_.take_id());
    index.state = IndexState::kBuilding;
    set_first_warm(index, table_.definition.billing_mode);
    extents::begin(context_.batch, index.id);
    table_.indexes.push_back(std::move(index));
  }

  void update(const UpdateIndex& asked, bool switches) {
    Index& index = index_called(asked.name);
    if (asked.throughput)
      change_throughput({index.definition.throughput, index.throughput_changes, index.warm}, *asked.throughput,
                        switches, context_.now);
    if (asked.on_demand) merge(index.definition.on_demand, *asked.on_demand);
    if (asked.warm) raise(index.warm, *asked.warm);
  }

  void change_vector_index(const VectorIndexChange& change) {
    if (const auto* created = std::get_if<CreateVectorIndex>(&change)) {
      VectorIndex index = make_vector_index(table_.definition, created->definition, context_.take_id());
      index.state = IndexState::kBuilding;
      index.allocated_at = context_.now + context_.vector_index_phase;
      index.ready_at = index.allocated_at + context_.vector_index_phase;
      extents::begin(context_.batch, index.id);
      table_.vector_indexes.push_back(std::move(index));
      return;
    }
    const std::string& name = std::get<DeleteVectorIndex>(change).name;
    remove(*std::ranges::find(table_.vector_indexes, name,
                              [](const VectorIndex& index) { return index.definition.name; }));
  }

  /// The index leaves the table when its space is back.
  template <class AnyIndex>
  void remove(AnyIndex& index) {
    index.state = IndexState::kDeleting;
    reclaiming::remove_rows(context_.batch, {keyspaces::kItems, index.id});
    extents::end(context_.batch, index.id);
    ItemWalk::forget(context_.batch, table_, build_name(index.id));
  }

  Table& table_;
  const TableUpdate& update_;
  const UpdateContext& context_;
};

}  // namespace

std::int64_t decreases_on(const ThroughputChanges& changes, TableTime now) {
  if (!changes.last_decrease) return 0;
  const auto day = [](TableTime time) { return std::chrono::floor<std::chrono::days>(time); };
  return day(*changes.last_decrease) == day(now) ? changes.decreases_today : 0;
}

std::string build_name(TableId index) { return "index/" + std::to_string(index); }

Result<void> apply_update(Table& table, const TableUpdate& update, const UpdateContext& context) {
  return UpdateApplication(table, update, context).run();
}

}  // namespace dolmen::engine
