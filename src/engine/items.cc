// The item operations of the engine.
#include "base/fail.h"
#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "engine/table_lock.h"

namespace dolmen {
namespace {

Result<void> check_item_size(std::string_view item) {
  if (item_size(item) > limits::kItemBytes)
    return fail(Code::kValidation, "Item size has exceeded the maximum allowed size");
  return {};
}

/// What a write leaves behind: an item, or nothing.
struct NewItem {
  std::optional<EncodedItem> item;
  bool return_old = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

Result<WriteItemResponse> write_row(storage::Storage& storage, storage::Batch& batch, const std::string& key,
                                    NewItem& write) {
  WriteItemResponse response;
  const bool measured = write.return_capacity != ReturnCapacity::kNone;
  std::optional<EncodedItem> old;
  // A plain put does not look at what it replaces.
  if (write.return_old || measured || !write.item) {
    EncodedItem found;
    DOLMEN_TRY(const bool exists, storage.get(keyspaces::kItems, key, found.bytes));
    if (exists) old = std::move(found);
  }
  if (write.item) {
    batch.put(keyspaces::kItems, key, write.item->bytes);
  } else if (old) {
    batch.remove(keyspaces::kItems, key);
  }
  if (measured)
    response.capacity = {
        capacity::write_units(old ? item_size(old->bytes) : 0, write.item ? item_size(write.item->bytes) : 0)};
  if (write.return_old) response.old = std::move(old);
  return response;
}

}  // namespace

Result<std::shared_ptr<const Table>> Engine::table_for_items(const std::string& name) const {
  std::shared_ptr<const Table> table = catalogue_->find(name);
  if (table == nullptr) return fail(Code::kTableNotFound, "Requested resource not found");
  return table;
}

template <class Effect>
void Engine::write_item(const std::shared_ptr<const Table>& table, std::string key, Effect effect,
                        Done<WriteItemResponse> done) {
  const LockRequest locks[] = {table_lock(table->definition.name, LockMode::kShared), item_lock(key)};
  auto work = [this, table, key = std::move(key), effect = std::move(effect)](
                  storage::Batch& batch) mutable -> Result<WritePipeline::Outcome<WriteItemResponse>> {
    // The table may have gone while this write waited for its locks.
    if (catalogue_->find(table->definition.name) != table)
      return fail(Code::kTableNotFound, "Requested resource not found");
    DOLMEN_TRY(WriteItemResponse response, write_row(*storage_, batch, key, effect));
    return WritePipeline::Outcome<WriteItemResponse>{std::move(response)};
  };
  pipeline_.run<WriteItemResponse>(locks, std::move(work), std::move(done));
}

void Engine::put_item(PutItemRequest request, Done<WriteItemResponse> done) {
  const auto start = [&]() -> Result<void> {
    DOLMEN_TRY_VOID(check_item_size(request.item.bytes));
    DOLMEN_TRY(const std::shared_ptr<const Table> table, table_for_items(request.table));
    DOLMEN_TRY(std::string key, storage_key_of_item(table->id, table->definition, request.item.bytes));
    NewItem write{std::move(request.item), request.return_old, request.return_capacity};
    write_item(table, std::move(key), std::move(write), std::move(done));
    return {};
  };
  if (Result<void> started = start(); !started) done(std::unexpected(std::move(started).error()));
}

void Engine::delete_item(DeleteItemRequest request, Done<WriteItemResponse> done) {
  const auto start = [&]() -> Result<void> {
    DOLMEN_TRY(const std::shared_ptr<const Table> table, table_for_items(request.table));
    DOLMEN_TRY(std::string key, storage_key_of_key(table->id, table->definition, request.key.bytes));
    NewItem write{std::nullopt, request.return_old, request.return_capacity};
    write_item(table, std::move(key), std::move(write), std::move(done));
    return {};
  };
  if (Result<void> started = start(); !started) done(std::unexpected(std::move(started).error()));
}

Result<GetItemResponse> Engine::read_item(const GetItemRequest& request) const {
  DOLMEN_TRY(const std::shared_ptr<const Table> table, table_for_items(request.table));
  DOLMEN_TRY(const std::string key, storage_key_of_key(table->id, table->definition, request.key.bytes));
  EncodedItem item;
  DOLMEN_TRY(const bool exists, storage_->get(keyspaces::kItems, key, item.bytes));
  GetItemResponse response;
  if (request.return_capacity != ReturnCapacity::kNone)
    response.capacity = {capacity::read_units(exists ? item_size(item.bytes) : 0, request.consistent_read)};
  if (exists) response.item = std::move(item);
  return response;
}

void Engine::get_item(const GetItemRequest& request, Done<GetItemResponse> done) { done(read_item(request)); }

}  // namespace dolmen
