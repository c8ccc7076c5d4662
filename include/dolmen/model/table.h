#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/detail/record_table.h"
#include "dolmen/error.h"
#include "dolmen/found.h"
#include "dolmen/model/member_field.h"
#include "dolmen/model/members.h"
#include "dolmen/model/model_table.h"
#include "dolmen/model/struct_model.h"
#include "dolmen/record.h"
#include "dolmen/typed.h"

/// The items of a model as structs that DOLMEN_RECORD describes.
namespace dolmen {

/// Records and keys of a batch of gets.
template <Record T>
struct GetManyOf {
  /// In no particular order; keys without an item are simply not there.
  std::vector<T> records;
  /// Keys that the store did not get to, however often it was asked.
  std::vector<ModelKey> not_done;
};

/// The items of one model in a store as Ts. Times and versions are kept by the rules of DMS, and are filled in where T
/// has members for them:
///
///     auto users = Table<User>::open(*store, user_model).value();
///     User ada{.pk = "USER#1", .sk = "PROFILE", .nickname = "Ada"};
///     users.create(ada).value();                                       // ada.version is 0
///     ada.nickname = "Countess";
///     Result<void> saved = users.update(ada, {&User::nickname});       // if the version is still 0, and then it is 1
///     auto page = users.query().index("gsi-email").partition("hash").descending().limit(25).page().value();
///
/// A member has the type of its attribute: DOLMEN_RECORD's table says which that is, and a json attribute takes any
/// member without sets and bytes. A ttl is an integer or a time `as_seconds`. What the model calls omit_empty is left
/// out when it is empty, a struct when all of its members are. An attribute that is not stored, or NULL, leaves an
/// empty member, or what the struct gives it when there is nothing empty; one that the model requires is an error,
/// unless only a part of the item was read. Attributes without a member are neither read nor kept by a put.
///
/// Thread-safe. The store must outlive it. Fails as ModelTable does.
template <Record T>
class Table {
 public:
  /// Fails with kInvalidModel when the model breaks the rules, or a member does not fit its attribute; the details name
  /// all that do not.
  static Result<Table> open(Store& store, Model model, ModelTableOptions options = {}) {
    DOLMEN_TRY(detail::RecordTable records,
               detail::RecordTable::open(store, std::move(model), detail::record_type<T>(), std::move(options)));
    return Table(std::make_shared<detail::RecordTable>(std::move(records)));
  }
  /// The same by the struct alone, whose model is made here (`model_of`):
  ///
  ///     auto notes = Table<Note>::create_or_open(*store, "notes", keys(&Note::topic, &Note::written)).value();
  ///
  /// Creates the table and waits for it. One that exists must have the keys and indexes; fails with kInvalidArgument
  /// when it does not. A table without a stream gets the one that is asked for.
  static Result<Table> create_or_open(Store& store, const std::string& name, const Keys<T>& keys,
                                      const TableOptions<T>& options = {}) {
    DOLMEN_TRY(Table table, open(store, name, keys, options));
    DOLMEN_TRY_VOID(detail::create_or_check(table.items(), store, options.stream, options.wait));
    return table;
  }
  /// The same for a table that exists; asks the store nothing.
  static Result<Table> open(Store& store, const std::string& name, const Keys<T>& keys,
                            const TableOptions<T>& options = {}) {
    DOLMEN_TRY(Model model, model_of(name, keys, options));
    return open(store, std::move(model), {.now = options.now});
  }

  // ---- One record ----

  /// Adds an item that is not there yet, else fails with kConditionFailed.
  Result<void> create(T& record) { return records_->create(&record); }
  /// Adds or replaces the item; created_at is set to now.
  Result<void> put(T& record, const FieldCondition& condition = {}) { return records_->put(&record, condition); }
  // What the library fills in is then in the item alone.
  Result<void> create(T&& record) { return create(record); }
  Result<void> create(const T& record) { return create(T(record)); }
  Result<void> put(T&& record, const FieldCondition& condition = {}) { return put(record, condition); }
  Result<void> put(const T& record, const FieldCondition& condition = {}) { return put(T(record), condition); }
  /// Sets the attributes of the record, and makes the item when there is none; the version is 0 or one more than it
  /// was.
  Result<void> upsert(T& record) { return records_->upsert(&record); }
  /// Fails with kItemNotFound.
  Result<T> get(const ModelKey& key, const ModelGetOptions& options = {}) {
    Result<T> record;
    if (Result<void> found = records_->get(key, options, &*record); !found)
      record = std::unexpected(std::move(found).error());
    return record;
  }
  /// The same, but nothing when there is no such item.
  Found<T> find(const ModelKey& key, const ModelGetOptions& options = {}) {
    Result<T> found = get(key, options);
    if (found) return Result<std::optional<T>>(*std::move(found));
    if (found.error().code() == Code::kItemNotFound) return Result<std::optional<T>>();
    return std::unexpected(std::move(found).error());
  }
  [[nodiscard]] Result<ModelKey> key_of(const T& record) const { return records_->key_of_record(&record); }
  /// Stores those members, provided that the stored version is still the record's, which then grows by one. A member
  /// that is left out, or empty and omit_empty, is removed. Fails with kConditionFailed when another writer was faster.
  Result<void> update(T& record, const Members<T>& members) { return records_->update(&record, members.attributes()); }
  /// Changes members of the item with that key, or makes one when everything else may be missing:
  ///
  ///     notes.update({"dolmen", 1}, set(&Note::text, "table of stone"), only_if(&Note::text, "stone table"))
  ///
  /// The changes are `set`, `set_if_missing`, `add`, `append`, `erase_from` and `unset`; all conditions must hold.
  /// Fails with kConditionFailed.
  template <class... Parts>
  Result<void> update(const ModelKey& key, const Parts&... parts) {
    DOLMEN_TRY_VOID(change_by(key, ReturnValues::kNone, parts...));
    return {};
  }
  /// The same, and the record as it is then.
  template <class... Parts>
  Result<T> update_and_get(const ModelKey& key, const Parts&... parts) {
    DOLMEN_TRY(std::optional<T> record, change_by(key, ReturnValues::kAllNew, parts...));
    return std::move(*record);
  }
  /// Changes an item by what the update says; the record when `return_values` asks for one, which may be a part of it.
  Result<std::optional<T>> change(const ModelKey& key, const FieldUpdate& update, const ChangeOptions& options = {}) {
    DOLMEN_TRY(const std::optional<Item> item, records_->change(key, update, options));
    if (!item) return std::optional<T>();
    T record{};
    DOLMEN_TRY_VOID(records_->decode(*item, true, &record));
    return std::optional<T>(std::move(record));
  }
  /// Provided that the stored version is the record's, where T has a member for it.
  template <std::same_as<T> R>
  Result<void> remove(const R& record) {
    return records_->remove(&record);
  }
  /// Also succeeds when there is no such item, unless there is a condition: remove({"dolmen", 1}, only_if(...)).
  Result<void> remove(const ModelKey& key, const FieldCondition& condition = {}) {
    return records_->remove_key(key, {.condition = condition});
  }
  Result<void> remove_key(const ModelKey& key, const ModelRemoveOptions& options = {}) {
    return records_->remove_key(key, options);
  }

  // ---- The same without waiting: see Callback ----

  // What is written is given back with what the library has filled in.

  void async_create(T record, Callback<T> done) {
    auto action = records_->create_action(&record);
    write(std::move(action), std::move(record), std::move(done));
  }
  void async_put(T record, const FieldCondition& condition, Callback<T> done) {
    auto action = records_->put_action(&record, condition);
    write(std::move(action), std::move(record), std::move(done));
  }
  void async_upsert(T record, Callback<T> done) {
    auto action = records_->upsert_action(&record);
    write(std::move(action), std::move(record), std::move(done));
  }
  void async_update(T record, const Members<T>& members, Callback<T> done) {
    auto action = records_->update_action(&record, members.attributes());
    write(std::move(action), std::move(record), std::move(done));
  }
  void async_get(const ModelKey& key, const ModelGetOptions& options, Callback<T> done) {
    records_->async_get(
        key, options,
        [decode = decoder(), partial = !options.fields.empty(), done = std::move(done)](Result<Item> item) mutable {
          if (!item) return done(std::unexpected(std::move(item).error()));
          done(decode(*item, partial));
        });
  }
  void async_remove(const T& record, Callback<void> done) { records_->async_remove(&record, std::move(done)); }
  void async_transact_get(const std::vector<ModelKey>& keys, Callback<std::vector<std::optional<T>>> done) {
    records_->async_transact_get(
        keys, [decode = decoder(), done = std::move(done)](Result<std::vector<std::optional<Item>>> items) mutable {
          if (!items) return done(std::unexpected(std::move(items).error()));
          done(decoded(*items, decode));
        });
  }

  // ---- Many records ----

  /// Up to 100 records as they were at one moment, in the order of the keys; nothing for a key without an item.
  Result<std::vector<std::optional<T>>> transact_get(const std::vector<ModelKey>& keys) {
    DOLMEN_TRY(const auto items, records_->transact_get(keys));
    return decoded(items, decoder());
  }

  [[nodiscard]] QueryOf<T> query() const {
    return QueryOf<T>(detail::ModelQueryPlan{.source = records_->source()}, decoder());
  }
  /// The items of a partition, or those of them whose sort key fits:
  ///
  ///     notes.query("dolmen", field(&Note::written) >= 3).descending().limit(20).all()
  [[nodiscard]] QueryOf<T> query(LogicalValue partition, FieldCondition sort_key = {}) const {
    return query().partition(std::move(partition)).sort_key(std::move(sort_key));
  }
  [[nodiscard]] ScanOf<T> scan() const {
    return ScanOf<T>(detail::ModelScanPlan{.source = records_->source()}, decoder());
  }

  /// The records whose vectors are nearest, best first:
  ///
  ///     for (auto& [note, score] : notes.nearest("by_meaning", vector, {.top_k = 10}).value()) show(note, score);
  ///
  /// A record has what the index carries of it. Fails as ModelTable::nearest does.
  [[nodiscard]] NearestHits<Nearest<T>> nearest(const std::string& index, std::span<const float> vector,
                                                const ModelSearchOptions& options = {}) const {
    DOLMEN_TRY(const detail::ModelSearch search, records_->search(index, options));
    const detail::ModelSource& source = *records_->source();
    return nearest_of(source.store->search_vectors(source.table, index, vector, search.options), decoder(),
                      search.is_partial);
  }
  void async_nearest(const std::string& index, std::span<const float> vector, const ModelSearchOptions& options,
                     Callback<std::vector<Nearest<T>>> done) const {
    const Result<detail::ModelSearch> search = records_->search(index, options);
    if (!search) return done(std::unexpected(search.error()));
    const detail::ModelSource& source = *records_->source();
    source.store->async_search_vectors(
        source.table, index, vector, search->options,
        [decode = decoder(), partial = search->is_partial, done = std::move(done)](Result<VectorHits> found) mutable {
          done(nearest_of(found, decode, partial));
        });
  }

  Result<GetManyOf<T>> get_many(const std::vector<ModelKey>& keys, bool consistent_read = true,
                                const BatchRetry& retry = {}) {
    DOLMEN_TRY(const GetAllResult got, records_->get_many(keys, consistent_read, retry));
    GetManyOf<T> result;
    for (const auto& [table, items] : got.items)
      for (const Item& item : items) DOLMEN_TRY_VOID(records_->decode(item, false, &result.records.emplace_back()));
    for (const KeysOfTable& rest : got.not_done)
      for (const Item& key : rest.keys) result.not_done.push_back(records_->key_from(key));
    return result;
  }
  /// Puts, then deletes, each on its own; the records stay as they are. All are encoded before the first is sent: an
  /// error means that nothing was.
  Result<WriteAllResult> write_many(const std::vector<T>& puts, const std::vector<ModelKey>& deletes = {},
                                    const BatchRetry& retry = {}) {
    std::vector<const void*> addresses;
    for (const T& record : puts) addresses.push_back(&record);
    DOLMEN_TRY(std::vector<BatchAction> actions, records_->batch(addresses, deletes));
    return write_all(*records_->source()->store, std::move(actions), retry);
  }

  // ---- For transactions ----

  Result<PutAction> create_action(const T& record) const { return records_->create_action(&record); }
  Result<PutAction> put_action(const T& record, const FieldCondition& condition = {}) const {
    return records_->put_action(&record, condition);
  }
  Result<UpdateAction> update_action(const T& record, const Members<T>& members) const {
    return records_->update_action(&record, members.attributes());
  }
  Result<DeleteAction> remove_action(const T& record) const { return records_->remove_action(&record); }

  /// The same items without T, and the table itself.
  [[nodiscard]] ModelTable& items() noexcept { return records_->items(); }
  [[nodiscard]] const ModelTable& items() const noexcept { return records_->items(); }

 private:
  explicit Table(std::shared_ptr<detail::RecordTable> records) : records_(std::move(records)) {}

  static Result<void> take_part(const MemberChange<T>& part, FieldUpdate& update, FieldCondition&) {
    return detail::add_change(update, part.written());
  }
  static Result<void> take_part(const FieldCondition& part, FieldUpdate&, FieldCondition& condition) {
    condition = std::move(condition) && part;
    return {};
  }
  template <class... Parts>
  Result<std::optional<T>> change_by(const ModelKey& key, ReturnValues return_values, const Parts&... parts) {
    constexpr bool kUnderstood = (... && (std::same_as<Parts, MemberChange<T>> || std::same_as<Parts, FieldCondition>));
    static_assert(kUnderstood,
                  "an update is made of set, add, append, unset ... of the struct's own members, and of only_if");
    FieldUpdate update;
    FieldCondition condition;
    Result<void> taken;
    // Or the compiler would say more than what is wrong.
    if constexpr (kUnderstood)
      (static_cast<void>(taken = taken ? take_part(parts, update, condition) : std::move(taken)), ...);
    if (!taken) return std::unexpected(std::move(taken).error());
    return change(key, update, {.condition = std::move(condition), .return_values = return_values});
  }

  static Result<std::vector<std::optional<T>>> decoded(const std::vector<std::optional<Item>>& items,
                                                       const detail::DecodeItem<T>& decode) {
    std::vector<std::optional<T>> records;
    for (const std::optional<Item>& item : items) {
      std::optional<T>& record = records.emplace_back();
      if (!item) continue;
      DOLMEN_TRY(record, decode(*item, false));
    }
    return records;
  }

  static Result<std::vector<Nearest<T>>> nearest_of(const Result<VectorHits>& found,
                                                    const detail::DecodeItem<T>& decode, bool partial) {
    if (!found) return std::unexpected(found.error());
    std::vector<Nearest<T>> records;
    for (const auto& [item, score] : *found) {
      DOLMEN_TRY(T record, decode(item, partial));
      records.push_back({.record = std::move(record), .score = score});
    }
    return records;
  }

  /// Sends an action; `record` is what it was made of.
  template <class Action>
  void write(Result<Action> action, T record, Callback<T> done) {
    if (!action) return done(std::unexpected(std::move(action).error()));
    records_->async_write(
        *action, [records = records_, record = std::move(record), done = std::move(done)](Result<Item> stored) mutable {
          if (!stored) return done(std::unexpected(std::move(stored).error()));
          records->fill_in(*stored, &record);
          done(std::move(record));
        });
  }

  [[nodiscard]] detail::DecodeItem<T> decoder() const {
    return [records = records_](const Item& item, bool partial) {
      Result<T> record;
      if (Result<void> read = records->decode(item, partial, &*record); !read)
        record = std::unexpected(std::move(read).error());
      return record;
    };
  }

  /// Reads go on with it when the table is gone.
  std::shared_ptr<detail::RecordTable> records_;
};

}  // namespace dolmen
