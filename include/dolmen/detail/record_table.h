#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/error.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/model/model.h"
#include "dolmen/model/model_table.h"
#include "dolmen/operations.h"
#include "dolmen/record.h"
#include "dolmen/store.h"
#include "dolmen/value.h"

/// What `Table<T>` (dolmen/model/table.h) is made of and what does not depend on T.
namespace dolmen::detail {

/// A struct, as DOLMEN_RECORD describes it.
struct RecordType {
  std::string_view name;
  std::span<const mapping::Member> members;
};

template <Record T>
RecordType record_type() {
  return {.name = dolmen_record_name(std::type_identity<T>{}), .members = mapping::kMembers<T>};
}

/// A comparison of a member with values of its type.
class MemberComparison {
 public:
  MemberComparison(const RecordType& type, std::string attribute, Operator op);

  /// `value` is of the member's type.
  void add(const void* value);
  /// A mistake when DOLMEN_RECORD does not name the member, or a value cannot be written.
  [[nodiscard]] FieldCondition condition() &&;

 private:
  const mapping::Member* member_ = nullptr;
  std::string record_;
  std::string attribute_;
  Operator op_;
  std::vector<LogicalValue> values_;
  std::string mistake_;
};

/// A change of a member, with the value as an update takes it; a change with a mistake fails when it is used.
struct WrittenChange {
  FieldUpdate::Change change = {};
  std::string mistake = {};
};

/// `value` is of the member's type; null for a change without one.
WrittenChange written_change(const RecordType& type, FieldUpdate::Kind kind, std::string_view attribute,
                             const void* value);

/// Adds a change to an update; fails with kInvalidModel when it is a mistake.
Result<void> add_change(FieldUpdate& update, const WrittenChange& change);

/// The items of a model as records of one type, of which only addresses are known here. Says the same as Table<T>.
class RecordTable {
 public:
  static Result<RecordTable> open(Store& store, Model model, const RecordType& type, ModelTableOptions options);

  Result<void> create(void* record);
  Result<void> put(void* record, const FieldCondition& condition);
  Result<void> upsert(void* record);
  Result<void> get(const ModelKey& key, const ModelGetOptions& options, void* record);
  Result<void> update(void* record, const std::vector<std::string>& fields);
  Result<void> remove(const void* record);
  Result<void> remove_key(const ModelKey& key, const ModelRemoveOptions& options);
  /// Nothing when no values were asked for.
  Result<std::optional<Item>> change(const ModelKey& key, const FieldUpdate& update, const ChangeOptions& options);

  Result<PutAction> create_action(const void* record) const;
  Result<PutAction> put_action(const void* record, const FieldCondition& condition) const;
  Result<UpdateAction> update_action(const void* record, const std::vector<std::string>& fields) const;
  Result<UpdateAction> upsert_action(const void* record) const;
  Result<DeleteAction> remove_action(const void* record) const;

  /// Gives what the library has set in the item, for `fill_in`.
  void async_write(const PutAction& action, Callback<Item> done) const;
  void async_write(const UpdateAction& action, Callback<Item> done) const;
  void async_get(const ModelKey& key, const ModelGetOptions& options, Callback<Item> done) const;
  void async_remove(const void* record, Callback<void> done) const;
  Result<std::vector<std::optional<Item>>> transact_get(const std::vector<ModelKey>& keys) const;
  void async_transact_get(const std::vector<ModelKey>& keys, Callback<std::vector<std::optional<Item>>> done) const;
  /// Writes what the library has set in the item into the record.
  void fill_in(const Item& stored, void* record) const;

  /// What a batch of puts and deletes sends.
  Result<std::vector<BatchAction>> batch(std::span<const void* const> puts, const std::vector<ModelKey>& deletes) const;
  Result<GetAllResult> get_many(const std::vector<ModelKey>& keys, bool consistent_read, const BatchRetry& retry);
  [[nodiscard]] ModelKey key_from(const Item& key) const;
  [[nodiscard]] Result<ModelKey> key_of_record(const void* record) const;
  /// Asks for the attributes that have members.
  [[nodiscard]] Result<ModelSearch> search(const std::string& index, const ModelSearchOptions& options) const;

  /// Fills a new record in. Fails with kInvalidModel, and as `decode_item` does.
  Result<void> decode(const Item& item, bool partial, void* record) const;

  [[nodiscard]] const ModelTable& items() const noexcept { return items_; }
  [[nodiscard]] ModelTable& items() noexcept { return items_; }
  [[nodiscard]] const std::shared_ptr<const ModelSource>& source() const noexcept { return items_.source_; }

 private:
  /// An attribute of the model and the member that holds it; those without a member are never read.
  struct Slot {
    const ModelAttribute* attribute = nullptr;
    const mapping::Member* member = nullptr;
    bool stored_as_written = false;
    bool is_key = false;
    bool is_time = false;
    bool is_version = false;
  };
  class Encoder;
  class Decoder;

  RecordTable(ModelTable items, const RecordType& type);

  [[nodiscard]] Result<LogicalItem> key_item(const ModelKey& key) const;
  [[nodiscard]] Result<Item> encode(const void* record) const;
  [[nodiscard]] Result<Item> encode_key(const void* record) const;
  [[nodiscard]] Result<Item> encode_key(const ModelKey& key) const;
  [[nodiscard]] const Slot* find(std::string_view attribute) const;
  [[nodiscard]] const Slot* version_slot() const;
  [[nodiscard]] Result<std::vector<TransactGet>> transact_gets(const std::vector<ModelKey>& keys) const;

  ModelTable items_;
  RecordType type_;
  /// In the order of the attributes' names, which is that of items.
  std::vector<Slot> slots_;
};

}  // namespace dolmen::detail
