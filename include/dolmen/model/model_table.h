#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/model/condition.h"
#include "dolmen/model/encryption.h"
#include "dolmen/model/item.h"
#include "dolmen/model/model.h"
#include "dolmen/model/nearest.h"
#include "dolmen/model/query.h"
#include "dolmen/model/update.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"
#include "dolmen/tables.h"
#include "dolmen/timestamp.h"

namespace dolmen {

namespace detail {
class RecordTable;
}  // namespace detail

/// The primary key of an item: {"USER#1", "PROFILE"}, or {"USER#1"} where there is no sort key.
struct ModelKey {
  LogicalValue partition;
  std::optional<LogicalValue> sort = std::nullopt;

  friend bool operator==(const ModelKey&, const ModelKey&) = default;
};

struct ModelTableOptions {
  /// Another table than the model's.
  std::string table = {};
  /// Needed for models with encrypted attributes. Must outlive the table.
  KeyProvider* keys = nullptr;
  /// Where created_at and updated_at come from; the machine's clock unless a test puts its own here.
  Now now = {};
  TimestampForm timestamp_form = TimestampForm::kNineDigits;
  /// Refuse to put an item without a required attribute.
  bool check_required = true;
  /// Of attributes that the library does not set itself. A record converts its members by itself
  /// (dolmen/model/table.h).
  Converters converters = {};
};

struct ModelGetOptions {
  bool consistent_read = true;
  /// All attributes when empty.
  std::vector<std::string> fields = {};
};

struct ModelRemoveOptions {
  /// The version that the item must have; 0 is a version like any other.
  std::optional<std::int64_t> expected_version = std::nullopt;
  FieldCondition condition = {};
};

struct ModelUpdateOptions {
  /// Attributes that this call must not change, besides those that the model protects.
  std::vector<std::string> protected_attributes = {};
};

struct ChangeOptions {
  /// The version that the item must have.
  std::optional<std::int64_t> expected_version = std::nullopt;
  FieldCondition condition = {};
  ReturnValues return_values = ReturnValues::kNone;
  /// Counts the version up where the model has one, so that an update of an older copy fails. Without it, such an
  /// update succeeds and may undo this change.
  bool count_version = true;
  /// Attributes that this call must not change, besides those that the model protects.
  std::vector<std::string> protected_attributes = {};
};

struct ModelGetManyResult {
  /// In no particular order; keys without an item are simply not there.
  std::vector<LogicalItem> items;
  /// Keys that the store did not get to, however often it was asked.
  std::vector<LogicalItem> not_done;
};

/// The items of one model in a store. Whatever is written obeys the model, and times and versions are kept by the rules
/// of DMS, so that services in other languages can read and write the same items:
///
///     auto users = ModelTable::open(*store, user).value();
///     users.create({{"PK", "USER#1"}, {"SK", "PROFILE"}, {"nickname", "Ada"}}).value();
///     users.update({{"PK", "USER#1"}, {"SK", "PROFILE"}, {"nickname", "Countess"}, {"version", 0}}, {"nickname"});
///
/// Thread-safe. The store must outlive it. Besides what is said below, everything fails as the store does, and before
/// anything is sent: with kEncryptionNotConfigured when the model has encrypted attributes and there are no keys; with
/// kImmutableModelMutation for everything but reads and `create` when the model is write_once; with
/// kProtectedFieldMutation when an update, change or upsert names a protected attribute, and for puts, which replace
/// whole items, when the model has such attributes.
class ModelTable {
 public:
  /// Fails with kInvalidModel when the model breaks the rules (`check_model`) or a converter is for no attribute.
  static Result<ModelTable> open(Store& store, Model model, ModelTableOptions options = {});

  // ---- One item ----

  /// Adds an item that is not there yet, else fails with kConditionFailed. Fails also as `encode_put` does.
  Result<void> create(const LogicalItem& item);
  /// Adds or replaces the item; created_at is set to now. Fails with kConditionFailed when the condition does not hold.
  Result<void> put(const LogicalItem& item, const FieldCondition& condition = {});
  /// Sets the attributes of `item`, and makes the item when there is none: created_at stays what it was, and the
  /// version is 0 or one more than it was. What is empty and `omit_empty` is removed.
  Result<void> upsert(const LogicalItem& item);

  /// Fails with kItemNotFound.
  Result<LogicalItem> get(const LogicalItem& key, const ModelGetOptions& options = {});
  /// The same with the attributes that the model does not have.
  Result<DecodedItem> get_all_attributes(const LogicalItem& key, const ModelGetOptions& options = {});

  /// Changes `fields` to what `item` says, provided that the stored version is still the item's; the version grows by
  /// one and updated_at becomes now. An empty value is removed where the model says omit_empty. `fields` may be empty.
  /// Fails with kConditionFailed when another writer was faster or there is no such item; with kInvalidModel when the
  /// model or the item has no version, and for fields that are unknown, missing in `item`, part of the key, or kept by
  /// the library.
  Result<void> update(const LogicalItem& item, const std::vector<std::string>& fields,
                      const ModelUpdateOptions& options = {});

  /// Changes an item by what an update says, or makes one, provided that the update sets everything that is required.
  /// updated_at becomes now, created_at as well in a new item, and the version is counted up. Returns what
  /// `return_values` asks for. Fails with kConditionFailed, also when there is no item and none could be made.
  Result<LogicalItem> change(const LogicalItem& key, const FieldUpdate& update, const ChangeOptions& options = {});

  /// Also succeeds when there is no such item, unless there is a condition. Fails with kConditionFailed.
  Result<void> remove(const LogicalItem& key, const ModelRemoveOptions& options = {});

  // ---- The same without waiting: see Callback ----

  void async_create(const LogicalItem& item, Callback<void> done);
  void async_put(const LogicalItem& item, const FieldCondition& condition, Callback<void> done);
  void async_upsert(const LogicalItem& item, Callback<void> done);
  void async_get(const LogicalItem& key, const ModelGetOptions& options, Callback<LogicalItem> done);
  void async_update(const LogicalItem& item, const std::vector<std::string>& fields, Callback<void> done);
  void async_change(const LogicalItem& key, const FieldUpdate& update, const ChangeOptions& options,
                    Callback<LogicalItem> done);
  void async_remove(const LogicalItem& key, const ModelRemoveOptions& options, Callback<void> done);
  void async_transact_get(const std::vector<LogicalItem>& keys, Callback<std::vector<std::optional<LogicalItem>>> done);

  // ---- Many items ----

  [[nodiscard]] ModelQuery query() const;
  [[nodiscard]] ModelScan scan() const;
  /// The items whose vectors are nearest, best first. Fails with kInvalidOperator when the model has no such vector
  /// index, and with kValidation as Store::search_vectors does.
  ///
  ///     for (const auto& [item, score] : docs.nearest("by_meaning", vector, {.where = field("tenant") ==
  ///     "t1"}).value())
  [[nodiscard]] NearestHits<ModelHit> nearest(const std::string& index, std::span<const float> vector,
                                              const ModelSearchOptions& options = {}) const;
  void async_nearest(const std::string& index, std::span<const float> vector, const ModelSearchOptions& options,
                     Callback<std::vector<ModelHit>> done) const;

  /// Up to 100 items as they were at one moment, in the order of the keys; nothing for a key without an item. Fails
  /// with kInvalidOperator for another number of keys.
  Result<std::vector<std::optional<LogicalItem>>> transact_get(const std::vector<LogicalItem>& keys);
  /// Any number of keys, 100 at a time, again for what the store leaves over.
  Result<ModelGetManyResult> get_many(const std::vector<LogicalItem>& keys, bool consistent_read = true,
                                      const BatchRetry& retry = {});
  /// Puts, then deletes, 25 at a time, each on its own. All items are encoded once, before the first is sent. The
  /// result says what was not done; an error means that nothing was sent.
  Result<WriteAllResult> write_many(const std::vector<LogicalItem>& puts, const std::vector<LogicalItem>& deletes = {},
                                    const BatchRetry& retry = {});

  // ---- The table itself ----

  /// The table as the model wants it.
  [[nodiscard]] TableDefinition definition() const;
  /// Creates the table and waits until it can be used. Fails with kTableExists.
  Result<TableDescription> create_table(const WaitOptions& options = {});
  /// The same when there is none yet; an existing one must have all that the model wants, else kInvalidArgument. What
  /// it has more belongs to other models. `ensure_tables` (dolmen/model/shared_tables.h) is for all models of a table.
  Result<TableDescription> ensure_table(const WaitOptions& options = {});
  Result<TableDescription> describe_table();
  /// Deletes the table and waits until it is gone.
  Result<void> delete_table(const WaitOptions& options = {});
  /// What the live table lacks of what the model wants, in words; empty when it lacks nothing.
  Result<std::vector<std::string>> table_differences();

  // ---- For transactions ----

  Result<PutAction> put_action(const LogicalItem& item, const FieldCondition& condition = {}) const;
  Result<PutAction> create_action(const LogicalItem& item) const;
  Result<UpdateAction> update_action(const LogicalItem& item, const std::vector<std::string>& fields,
                                     const ModelUpdateOptions& options = {}) const;
  /// What `upsert` sends.
  Result<UpdateAction> upsert_action(const LogicalItem& item) const;
  Result<UpdateAction> change_action(const LogicalItem& key, const FieldUpdate& update,
                                     const ChangeOptions& options = {}) const;
  Result<DeleteAction> remove_action(const LogicalItem& key, const ModelRemoveOptions& options = {}) const;
  Result<CheckAction> check_action(const LogicalItem& key, const FieldCondition& condition) const;

  [[nodiscard]] const Model& model() const noexcept { return source_->model; }
  [[nodiscard]] const std::string& table() const noexcept { return source_->table; }

 private:
  friend class detail::RecordTable;
  ModelTable(std::shared_ptr<const detail::ModelSource> source, ModelTableOptions options);

  [[nodiscard]] PutEncodeOptions put_options() const;
  /// `key` as it is stored.
  Result<Item> get_stored(const Item& key, const ModelGetOptions& options);
  void async_get_stored(const Item& key, const ModelGetOptions& options, Callback<Item> done) const;
  Result<std::vector<TransactGet>> transact_gets(const std::vector<LogicalItem>& keys) const;
  [[nodiscard]] Result<Condition> version_condition(const std::optional<std::int64_t>& version) const;

  std::shared_ptr<const detail::ModelSource> source_;
  ModelTableOptions options_;
};

}  // namespace dolmen
