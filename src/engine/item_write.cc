#include "engine/item_write.h"

#include <algorithm>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/extents.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "expr/condition.h"
#include "expr/path_rules.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "service/expressions.h"
#include "service/failures.h"
#include "service/write_gate.h"
#include "value/item_rules.h"

namespace dolmen::engine {
namespace {

/// The bytes that a batch needs beside an item's key and bytes: their lengths and the change of the table's size.
constexpr std::size_t kBytesBesidesItem = 64;

std::unexpected<Error> condition_failed(const std::optional<EncodedItem>& old, bool return_item) {
  auto failure = std::make_shared<ConditionFailure>();
  if (return_item) failure->item = old;
  return std::unexpected(Error(Code::kConditionFailed, "The conditional request failed",
                               std::shared_ptr<const ErrorPayload>(std::move(failure))));
}

/// The rows of an item in an index, before and after a write.
struct IndexRows {
  std::optional<std::string> old_key;
  std::optional<std::string> new_key;
  EncodedItem old_row;
  EncodedItem new_row;
};

EncodedItem row_of(const Index& index, const EncodedItem& item) {
  return index.projected.empty() ? item : select_attributes(item.bytes, index.projected);
}

IndexRows index_rows(const Index& index, const ItemWrite::Decision& decision, std::string_view row_key) {
  IndexRows rows;
  if (decision.old) rows.old_key = row_key_in_index(index, decision.old->bytes, row_key);
  if (decision.item) rows.new_key = row_key_in_index(index, decision.item->bytes, row_key);
  if (rows.old_key) rows.old_row = row_of(index, *decision.old);
  if (rows.new_key) rows.new_row = row_of(index, *decision.item);
  return rows;
}

/// The change of a table or index in which a write replaces a row of `old_bytes`, or none, by one of `new_bytes`, or
/// none.
extents::Change change_of(std::optional<std::size_t> old_bytes, std::optional<std::size_t> new_bytes) {
  return {.item_count = (new_bytes ? 1 : 0) - (old_bytes ? 1 : 0),
          .size_bytes =
              static_cast<std::int64_t>(new_bytes.value_or(0)) - static_cast<std::int64_t>(old_bytes.value_or(0))};
}

extents::Change change_of(const IndexRows& rows) {
  const auto bytes = [](const std::optional<std::string>& key, const EncodedItem& row) {
    return key ? std::optional(item_size(row.bytes)) : std::nullopt;
  };
  return change_of(bytes(rows.old_key, rows.old_row), bytes(rows.new_key, rows.new_row));
}

double index_units(const IndexRows& rows) {
  const auto units = [](const EncodedItem& row) { return capacity::write_units(item_size(row.bytes), 0); };
  if (rows.old_key && rows.new_key && *rows.old_key == *rows.new_key)
    return rows.old_row == rows.new_row
               ? 0
               : capacity::write_units(item_size(rows.old_row.bytes), item_size(rows.new_row.bytes));
  return (rows.old_key ? units(rows.old_row) : 0) + (rows.new_key ? units(rows.new_row) : 0);
}

bool only_removes(const std::vector<expr::UpdateAction>& actions) {
  return !actions.empty() && std::ranges::all_of(actions, [](const expr::UpdateAction& action) {
    return action.section == expr::Section::kRemove || action.section == expr::Section::kDelete;
  });
}

std::optional<EncodedItem> touched(const Item& item, const std::vector<expr::Path>& paths) {
  const Item part = expr::project(item, paths);
  return part.empty() ? std::nullopt : std::optional(encode_item(part));
}

}  // namespace

Result<ItemWrite> ItemWrite::prepare(WriteRequest request) {
  ItemWrite write(std::move(request));
  const WriteRequest& given = *write.request_;
  ExpressionReader reader(given.placeholders);
  if (given.update) {
    DOLMEN_TRY(write.update_, reader.update(*given.update));
  }
  if (given.condition) {
    DOLMEN_TRY(write.condition_, reader.condition(*given.condition));
  }
  // An action of a transaction may have placeholders and no expression at all.
  if (given.update || given.condition) DOLMEN_TRY_VOID(reader.finish());
  if (given.kind == WriteKind::kPut) {
    DOLMEN_TRY(write.put_bytes_, check_item_size(given.item.bytes));
  }
  return write;
}

Result<void> ItemWrite::attach(std::shared_ptr<const Table> table) {
  table_ = std::move(table);
  if (request_->kind == WriteKind::kPut) {
    DOLMEN_TRY(row_key_, row_key_of_item(*table_, request_->item.bytes));
    DOLMEN_TRY_VOID(check_index_keys(*table_, request_->item.bytes));
  } else {
    DOLMEN_TRY(row_key_, row_key_of_key(*table_, request_->item.bytes));
  }
  return check_paths();
}

Result<void> ItemWrite::attach_in_batch() {
  if (request_->kind == WriteKind::kPut) {
    for (const auto* attributes : {&table_->keys.partition, &table_->keys.sort})
      for (const KeyAttribute& attribute : *attributes) {
        const std::optional<std::string_view> value = find_attribute(request_->item.bytes, attribute.name);
        if (!value || !has_key_type(*value, attribute.type))
          return fail(Code::kValidation, "The provided key element does not match the schema");
      }
  }
  return attach(table_);
}

Result<void> ItemWrite::check_paths() const {
  for (const expr::UpdateAction& action : update_)
    if (table_->is_key(action.path.attribute()))
      return fail(
          Code::kValidation,
          "One or more parameter values were invalid: Cannot update attribute {}. This attribute is part of the key",
          action.path.attribute());
  std::vector<const expr::Path*> paths;
  for (const expr::UpdateAction& action : update_) expr::collect_paths(action, paths);
  if (condition_) expr::collect_paths(*condition_, paths);
  return check_key_paths(*table_, paths);
}

Result<ItemWrite::Decision> ItemWrite::decide(const storage::Storage& storage) const {
  const WriteRequest& request = *request_;
  Decision decision;
  // Even a plain put must read the item that it replaces: the table's size changes by the difference.
  EncodedItem found;
  DOLMEN_TRY(const bool existed, storage.get(keyspaces::kItems, row_key_, found.bytes));
  if (existed) {
    decision.old_bytes = item_size(found.bytes);
    decision.old = std::move(found);
  }
  Item old;
  // An item that is to be returned must be readable before anything is written.
  if (existed && (condition_ || request.kind == WriteKind::kUpdate || request.return_values == ReturnValues::kAllOld)) {
    DOLMEN_TRY(old, decode_item(decision.old->bytes));
  }
  if (condition_ && !expr::holds(*condition_, old)) return condition_failed(decision.old, request.return_on_failure);

  std::optional<Item> updated;
  switch (request.kind) {
    case WriteKind::kPut:
      decision.item = request.item;
      decision.item_bytes = put_bytes_;
      break;
    case WriteKind::kUpdate: {
      DOLMEN_TRY(updated, update(std::move(old), decision));
      break;
    }
    case WriteKind::kDelete: break;
    case WriteKind::kCheck:
      decision.item = decision.old;
      decision.item_bytes = decision.old_bytes;
      break;
  }
  if (table_->gate_slot->gate != nullptr) DOLMEN_TRY_VOID(pass_gate(decision, updated));
  if (request.return_values == ReturnValues::kAllOld) decision.response.attributes = decision.old;
  if (request.return_values == ReturnValues::kAllNew) decision.response.attributes = decision.item;
  if (request.return_capacity != ReturnCapacity::kNone) decision.response.capacity = capacity(decision);
  if (request.return_collection_metrics) decision.response.collection_metrics = collection_metrics();
  return decision;
}

Result<void> ItemWrite::pass_gate(const Decision& decision, const std::optional<Item>& updated) const {
  if (request_->kind == WriteKind::kCheck || !decision.item) return {};
  const WriteGate& gate = *table_->gate_slot->gate;
  std::vector<std::string_view> named;
  if (gate.needs_old_item())
    for (const expr::UpdateAction& action : update_) named.emplace_back(action.path.attribute());
  return gate.check({.old_item = decision.old ? std::string_view(decision.old->bytes) : std::string_view(),
                     .new_item = decision.item->bytes,
                     .new_tree = updated ? &*updated : nullptr,
                     .replaces = request_->kind == WriteKind::kPut,
                     .updated = named});
}

Result<std::optional<Item>> ItemWrite::update(Item old, Decision& decision) const {
  const bool existed = decision.old.has_value();
  if (!existed) {
    DOLMEN_TRY(old, decode_item(request_->item.bytes));
  }
  if (request_->return_values == ReturnValues::kUpdatedOld && existed)
    decision.response.attributes = touched(old, expr::updated_paths(update_));
  const bool legacy = request_->update && request_->update->generated;
  DOLMEN_TRY(Item updated, expr::apply(update_, std::move(old),
                                       legacy ? expr::UpdateForm::kAttributeUpdates : expr::UpdateForm::kExpression));
  // Removing attributes from a missing item does not create it.
  if (!existed && only_removes(update_)) return std::nullopt;
  decision.item = encode_item(updated);
  decision.item_bytes = item_size(decision.item->bytes);
  if (decision.item_bytes > limits::kItemBytes)
    return fail(Code::kValidation, "Item size to update has exceeded the maximum allowed size");
  DOLMEN_TRY_VOID(legacy ? check_index_keys(*table_, decision.item->bytes)
                         : check_updated_index_keys(*table_, update_, decision.item->bytes));
  if (request_->return_values == ReturnValues::kUpdatedNew)
    decision.response.attributes = touched(updated, expr::updated_paths(update_));
  return updated;
}

void ItemWrite::stage(const Decision& decision, storage::Batch& batch) const {
  if (request_->kind == WriteKind::kCheck) return;
  if (decision.item) {
    // The change of the table's size follows the item, and must not make the batch reallocate.
    batch.reserve(row_key_.size() + decision.item->bytes.size() + kBytesBesidesItem);
    batch.put(keyspaces::kItems, row_key_, decision.item->bytes);
  } else if (decision.old) {
    batch.remove(keyspaces::kItems, row_key_);
  }
  extents::change(batch, table_->id,
                  change_of(decision.old ? std::optional(decision.old_bytes) : std::nullopt,
                            decision.item ? std::optional(decision.item_bytes) : std::nullopt));
  for (const Index& index : table_->indexes) {
    const IndexRows rows = index_rows(index, decision, row_key_);
    if (rows.old_key && rows.old_key != rows.new_key) batch.remove(keyspaces::kItems, *rows.old_key);
    if (rows.new_key && (rows.old_key != rows.new_key || rows.old_row != rows.new_row))
      batch.put(keyspaces::kItems, *rows.new_key, rows.new_row.bytes);
    extents::change(batch, index.id, change_of(rows));
  }
}

ConsumedCapacity ItemWrite::capacity(const Decision& decision) const {
  ConsumedCapacity capacity{.table = request_->table,
                            .of_table = capacity::write_units(decision.old_bytes, decision.item_bytes)};
  capacity.total = capacity.of_table;
  for (const Index& index : table_->indexes) {
    const double units = index_units(index_rows(index, decision, row_key_));
    if (units == 0) continue;
    (index.local ? capacity.of_local_indexes : capacity.of_global_indexes)[index.definition.name] = units;
    capacity.total += units;
  }
  return capacity;
}

std::optional<ItemCollectionMetrics> ItemWrite::collection_metrics() const {
  if (table_->definition.local_indexes.empty()) return std::nullopt;
  const std::string names[] = {table_->definition.partition_key.name};
  return ItemCollectionMetrics{.key = select_attributes(request_->item.bytes, names)};
}

}  // namespace dolmen::engine
