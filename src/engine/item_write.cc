#include "engine/item_write.h"

#include <algorithm>
#include <utility>

#include "base/broken.h"
#include "base/fail.h"
#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/expiry.h"
#include "engine/extents.h"
#include "engine/history.h"
#include "engine/index_rows.h"
#include "engine/key_counts.h"
#include "engine/keyspaces.h"
#include "engine/kinesis_forwarder.h"
#include "engine/row_key.h"
#include "engine/stream_log.h"
#include "engine/vector_entry.h"
#include "engine/vector_rows.h"
#include "expr/condition.h"
#include "expr/path_rules.h"
#include "expr/projection.h"
#include "expr/statement_size.h"
#include "expr/update.h"
#include "service/expressions.h"
#include "service/failures.h"
#include "service/write_gate.h"
#include "value/attribute_selection.h"
#include "value/item_rules.h"

namespace dolmen::engine {
namespace {

/// The bytes that a batch needs beside an item's key and bytes: their lengths and the change of the table's size.
constexpr std::size_t kBytesBesidesItem = 64;

/// What is remembered of a row that does not exist. Items have at least one byte.
constexpr std::uint32_t kNoItemNote = 0;

/// Whether nothing but its items and their sizes follows from a change of the table.
bool has_only_items(const Table& table) {
  return table.indexes.empty() && table.vector_indexes.empty() && !table.definition.ttl && !table.definition.stream &&
         table.kinesis.empty() && !table.history && table.counts == nullptr && table.gate_slot->gate == nullptr;
}

std::unexpected<Error> condition_failed(const std::optional<EncodedItem>& old, bool return_item) {
  auto failure = std::make_shared<ConditionFailure>();
  if (return_item) failure->item = old;
  return std::unexpected(Error(Code::kConditionFailed, "The conditional request failed",
                               std::shared_ptr<const ErrorPayload>(std::move(failure))));
}

bool only_removes(const std::vector<expr::UpdateAction>& actions) {
  return !actions.empty() && std::ranges::all_of(actions, [](const expr::UpdateAction& action) {
    return action.section == expr::Section::kRemove || action.section == expr::Section::kDelete;
  });
}

/// From an item that does not exist, any path can be removed, even one that leads nowhere.
std::vector<expr::UpdateAction> without_removals(std::vector<expr::UpdateAction> actions) {
  std::erase_if(actions, [](const expr::UpdateAction& action) { return action.section == expr::Section::kRemove; });
  return actions;
}

/// The size of an item for the units of a write, in which vectors count as floats.
std::size_t charged_bytes(const Table& table, const EncodedItem* item, std::size_t bytes) {
  if (item == nullptr || table.vector_indexes.empty()) return bytes;
  return static_cast<std::size_t>(static_cast<std::int64_t>(bytes) - bytes_saved(table, item->bytes));
}

void keep_old_item(ItemWrite::Decision& decision) {
  decision.item = decision.old ? ItemWrite::Decision::NewItem::kOld : ItemWrite::Decision::NewItem::kNone;
  decision.item_bytes = decision.old_bytes;
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
  const bool statement = given.update && !given.update->generated && given.limit_statement;
  if (statement && expr::statement_size(write.update_) > limits::kItemBytes) return expr::update_too_large();
  if (given.kind == WriteKind::kPut) {
    DOLMEN_TRY(write.put_bytes_, check_item_size(item_bytes_of(given)));
  }
  return write;
}

ItemWrite ItemWrite::expire(std::shared_ptr<const Table> table, std::string row_key, TableTime now) {
  ItemWrite write({.kind = WriteKind::kDelete, .table = table->definition.name});
  write.table_ = std::move(table);
  write.row_key_ = std::move(row_key);
  write.expires_before_ = now;
  return write;
}

ItemWrite ItemWrite::restore(std::shared_ptr<const Table> table, std::string row_key, std::optional<EncodedItem> item) {
  const std::size_t bytes = item ? item_size(item->bytes) : 0;
  WriteRequest request{.kind = item ? WriteKind::kPut : WriteKind::kDelete, .table = table->definition.name};
  if (item) request.item = *std::move(item);
  ItemWrite write(std::move(request));
  write.table_ = std::move(table);
  write.row_key_ = std::move(row_key);
  write.put_bytes_ = bytes;
  return write;
}

Result<void> ItemWrite::attach(std::shared_ptr<const Table> table) {
  std::shared_ptr<const Table> before = std::exchange(table_, std::move(table));
  Result<void> attached = attach(KeyWords::kOfItem);
  // A write that is tried again is checked again.
  if (!attached) table_ = std::move(before);
  return attached;
}

Result<void> ItemWrite::attach_in_batch() { return attach(KeyWords::kOfBatch); }

Result<void> ItemWrite::attach(KeyWords words) {
  if (request_->kind == WriteKind::kPut) {
    DOLMEN_TRY(row_key_, row_key_of_item(*table_, request_->item.bytes, words));
    DOLMEN_TRY_VOID(check_index_keys(*table_, request_->item.bytes));
    DOLMEN_TRY_VOID(check_vectors(*table_, request_->item.bytes));
  } else {
    DOLMEN_TRY(row_key_, row_key_of_key(*table_, request_->item.bytes));
  }
  return check_paths();
}

Result<void> ItemWrite::check_paths() {
  for (const expr::UpdateAction& action : update_)
    if (table_->is_key(action.path.attribute()))
      return fail(
          Code::kValidation,
          "One or more parameter values were invalid: Cannot update attribute {}. This attribute is part of the key",
          action.path.attribute());
  std::vector<const expr::Path*> paths;
  for (const expr::UpdateAction& action : update_) expr::collect_paths(action, paths);
  if (condition_) expr::collect_paths(*condition_, paths);
  DOLMEN_TRY_VOID(check_key_paths(*table_, paths));
  used_attributes_ = expr::attributes_of(paths);
  const bool legacy = request_->update && request_->update->generated;
  if (legacy) return {};
  DOLMEN_TRY_VOID(check_given_index_keys(*table_, update_));
  return check_given_search_hashes(*table_, update_);
}

Result<ItemWrite::Decision> ItemWrite::decide(const storage::Storage& storage) const {
  std::uint64_t work = 0;
  return decide(storage, work);
}

Result<ItemWrite::Decision> ItemWrite::decide(const storage::Storage& storage, std::uint64_t& work) const {
  const WriteRequest& request = *request_;
  Decision decision;
  DOLMEN_TRY_VOID(find_old_item(storage, decision));
  Item old;
  if (decision.existed && (condition_ || request.kind == WriteKind::kUpdate || needs_whole_tree())) {
    DOLMEN_TRY(old, tree_of(*decision.old));
  }
  if (condition_ && !expr::holds(*condition_, old, work))
    return condition_failed(decision.old, request.return_on_failure);

  std::optional<Item> updated;
  switch (request.kind) {
    case WriteKind::kPut:
      decision.item = Decision::NewItem::kOfRequest;
      decision.item_bytes = put_bytes_;
      break;
    case WriteKind::kUpdate: {
      DOLMEN_TRY(updated, update(std::move(old), decision));
      break;
    }
    case WriteKind::kDelete:
      if (expires_before_ && !has_expired(decision)) keep_old_item(decision);
      break;
    case WriteKind::kCheck: keep_old_item(decision); break;
  }
  // An expired item leaves, or stays as it is: there is nothing new to check.
  if (table_->gate_slot->gate != nullptr && !expires_before_) DOLMEN_TRY_VOID(pass_gate(decision, updated));
  if (request.return_values == ReturnValues::kAllOld) decision.response.attributes = decision.old;
  if (const EncodedItem* item = new_item(decision); item != nullptr && request.return_values == ReturnValues::kAllNew)
    decision.response.attributes = *item;
  if (request.return_capacity != ReturnCapacity::kNone) decision.response.capacity = capacity(decision);
  if (request.return_collection_metrics) decision.response.collection_metrics = collection_metrics();
  return decision;
}

const EncodedItem* ItemWrite::new_item(const Decision& decision) const {
  switch (decision.item) {
    case Decision::NewItem::kNone: break;
    case Decision::NewItem::kOfRequest: return &request_->item;
    case Decision::NewItem::kOld: return &*decision.old;
    case Decision::NewItem::kUpdated: return &*decision.updated;
  }
  return nullptr;
}

/// Even a plain put has to know the size of the item that it replaces: the table's size changes by the difference.
Result<void> ItemWrite::find_old_item(const storage::Storage& storage, Decision& decision) const {
  if (!needs_old_item()) {
    if (const std::optional<std::uint32_t> note = storage.notes().find(storage.notes().row(row_key_))) {
      decision.existed = *note != kNoItemNote;
      decision.old_bytes = *note;
      return {};
    }
  }
  EncodedItem found;
  DOLMEN_TRY(decision.existed, storage.get(keyspaces::kItems, row_key_, found.bytes));
  if (!decision.existed) return {};
  decision.old_bytes = item_size(found.bytes);
  decision.old = std::move(found);
  return {};
}

Result<Item> ItemWrite::tree_of(const EncodedItem& old) const {
  if (needs_whole_tree()) return decode_item(old.bytes);
  return decode_attributes(old.bytes, used_attributes_);
}

bool ItemWrite::needs_whole_tree() const {
  // An item that is to be returned must be readable before anything is written.
  const bool returned =
      request_->return_values == ReturnValues::kAllOld || request_->return_values == ReturnValues::kAllNew;
  return returned || (request_->kind == WriteKind::kUpdate && table_->gate_slot->gate != nullptr);
}

bool ItemWrite::needs_old_item() const {
  const bool replaces = request_->kind == WriteKind::kPut || request_->kind == WriteKind::kDelete;
  return !replaces || condition_ || expires_before_ || request_->return_values != ReturnValues::kNone ||
         !has_only_items(*table_);
}

bool ItemWrite::has_expired(const Decision& decision) const {
  if (!decision.old || !table_->definition.ttl) return false;
  const std::optional<std::int64_t> time = expiry::time_of(decision.old->bytes, *table_->definition.ttl);
  return time && expiry::due_at(*expires_before_).contains(*time);
}

Result<void> ItemWrite::pass_gate(const Decision& decision, const std::optional<Item>& updated) const {
  if (request_->kind == WriteKind::kCheck || expires_before_) return {};
  Result<void> passed = ask_gate(decision, updated);
  if (!passed) table_->gate_slot->refusals->add();
  return passed;
}

Result<void> ItemWrite::ask_gate(const Decision& decision, const std::optional<Item>& updated) const {
  const WriteGate& gate = *table_->gate_slot->gate;
  const EncodedItem* const item = new_item(decision);
  if (item == nullptr) {
    if (!decision.old || !gate.guards_deletes()) return {};
    return gate.check({.old_item = decision.old->bytes, .new_item = {}, .replaces = false, .updated = {}});
  }
  std::vector<std::string_view> named;
  if (gate.needs_old_item())
    for (const expr::UpdateAction& action : update_) named.emplace_back(action.path.attribute());
  return gate.check({.old_item = decision.old ? std::string_view(decision.old->bytes) : std::string_view(),
                     .new_item = item->bytes,
                     .new_tree = updated ? &*updated : nullptr,
                     .replaces = request_->kind == WriteKind::kPut,
                     .updated = named});
}

Result<std::optional<Item>> ItemWrite::update(Item old, Decision& decision) const {
  const bool existed = decision.existed;
  if (!existed) {
    DOLMEN_TRY(old, decode_item(request_->item.bytes));
  }
  if (request_->return_values == ReturnValues::kUpdatedOld && existed)
    decision.response.attributes = touched(old, expr::updated_paths(update_));
  const bool legacy = request_->update && request_->update->generated;
  const auto form = legacy ? expr::UpdateForm::kAttributeUpdates : expr::UpdateForm::kExpression;
  DOLMEN_TRY(Item updated, expr::apply(existed ? update_ : without_removals(update_), std::move(old), form));
  // Removing attributes from a missing item does not create it.
  if (!existed && only_removes(update_)) return std::nullopt;
  const EncodedItem& item = decision.updated.emplace(
      existed && !needs_whole_tree() ? replace_attributes(decision.old->bytes, used_attributes_, updated)
                                     : encode_item(updated));
  decision.item = Decision::NewItem::kUpdated;
  decision.item_bytes = item_size(item.bytes);
  if (decision.item_bytes > limits::kItemBytes) return expr::update_too_large();
  DOLMEN_TRY_VOID(check_updated_index_keys(*table_, update_, item.bytes, form));
  DOLMEN_TRY_VOID(
      check_updated_vectors(*table_, existed ? std::string_view(decision.old->bytes) : std::string_view(), item.bytes));
  if (request_->return_values == ReturnValues::kUpdatedNew)
    decision.response.attributes = touched(updated, expr::updated_paths(update_));
  return updated;
}

void ItemWrite::remember_size(const storage::Storage& storage, storage::Batch& batch, const Decision& decision) const {
  storage::RowNotes& notes = storage.notes();
  const storage::RowNotes::Row row = notes.row(row_key_);
  notes.forget(row);
  if (!has_only_items(*table_)) return;
  const bool exists = decision.item != Decision::NewItem::kNone;
  const auto note = exists ? static_cast<std::uint32_t>(decision.item_bytes) : kNoItemNote;
  batch.when_visible([&notes, row, note] { notes.keep(row, note); });
}

std::size_t ItemWrite::staged_bytes() const {
  return request_->kind == WriteKind::kPut ? row_key_.size() + request_->item.bytes.size() + kBytesBesidesItem : 0;
}

Result<void> ItemWrite::stage(const Decision& decision, const storage::Storage& storage, storage::Batch& batch,
                              TableTime now) const {
  const EncodedItem* const before = decision.old ? &*decision.old : nullptr;
  const EncodedItem* const after = new_item(decision);
  if (request_->kind == WriteKind::kCheck || (expires_before_ && after != nullptr)) return {};
  if (after != nullptr) {
    // The change of the table's size follows the item, and must not make the batch reallocate.
    batch.reserve(row_key_.size() + after->bytes.size() + kBytesBesidesItem);
    batch.put(keyspaces::kItems, row_key_, after->bytes);
  } else if (decision.existed) {
    batch.remove(keyspaces::kItems, row_key_);
  }
  remember_size(storage, batch, decision);
  if (!broken(Defect::kForgetCount, 100))
    extents::change(batch, table_->id,
                    extents::change_of(decision.existed ? std::optional(decision.old_bytes) : std::nullopt,
                                       after != nullptr ? std::optional(decision.item_bytes) : std::nullopt));
  if (!broken(Defect::kDropIndexWrite, 100))
    DOLMEN_TRY_VOID(stage_in_indexes(*table_, row_key_, before, after, storage, batch));
  if (after != nullptr || !broken(Defect::kKeepDeletedVector, 7))
    DOLMEN_TRY_VOID(stage_in_vector_indexes(*table_, row_key_, before, after, storage, batch));
  expiry::stage(batch, *table_, row_key_, before, after);
  const streams::Change change{
      .row_key = row_key_, .old_item = before, .new_item = after, .expired = expires_before_.has_value(), .now = now};
  if (!broken(Defect::kLoseStreamRecord, 100)) streams::stage(batch, *table_, change);
  stage_for_kinesis(batch, *table_, change);
  // What time to live removes is not an access.
  if (!expires_before_) count_write(*table_, before, after);
  history::stage(batch, *table_, {.row_key = row_key_, .old_item = before, .new_item = after, .now = now});
  return {};
}

ConsumedCapacity ItemWrite::capacity(const Decision& decision) const {
  const EncodedItem* const before = decision.old ? &*decision.old : nullptr;
  const EncodedItem* const after = new_item(decision);
  ConsumedCapacity capacity{.table = request_->table,
                            .of_table = capacity::write_units(charged_bytes(*table_, before, decision.old_bytes),
                                                              charged_bytes(*table_, after, decision.item_bytes)),
                            .of_vector_indexes = vector_write_bytes(*table_, before, after)};
  capacity.total = capacity.of_table;
  for (const Index& index : table_->indexes) {
    const double units = write_units_in_index(index, row_key_, before, after);
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

std::size_t ItemWrite::condition_size() const { return condition_ ? expr::part_count(*condition_) : 0; }

std::size_t staged_bytes(std::span<const ItemWrite> writes) {
  std::size_t bytes = 0;
  for (const ItemWrite& write : writes) bytes += write.staged_bytes();
  return bytes;
}

bool take_long(std::span<const ItemWrite> writes) {
  std::size_t parts = 0;
  for (const ItemWrite& write : writes) parts += write.condition_size();
  return parts > expr::kQuickPartsMax;
}

}  // namespace dolmen::engine
