#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity/client.h"
#include "dolmen/error.h"
#include "dolmen/found.h"
#include "dolmen/record.h"
#include "dolmen/typed.h"

/// Entities as structs that DOLMEN_RECORD describes. Each of these also fails as `to_item` or `from_item` does.
namespace dolmen {

/// A page of entities.
template <Record T>
struct EntityPageOf {
  std::vector<T> records = {};
  /// For the next page.
  std::string page_token = {};
  bool has_more = false;
};

namespace detail {

template <Record T>
Result<std::vector<T>> records_of(const std::vector<Item>& items) {
  std::vector<T> records;
  records.reserve(items.size());
  for (const Item& item : items) {
    DOLMEN_TRY(records.emplace_back(), from_item<T>(item));
  }
  return records;
}

template <Record T>
Result<EntityPageOf<T>> records_of(const Result<EntityQueryResult>& page) {
  if (!page) return std::unexpected(page.error());
  DOLMEN_TRY(std::vector<T> records, records_of<T>(page->items));
  return EntityPageOf<T>{.records = std::move(records), .page_token = page->page_token, .has_more = page->has_more};
}

/// Nothing stays nothing.
template <Record T>
Result<std::optional<T>> record_of(const Result<std::optional<Item>>& item) {
  if (!item) return std::unexpected(item.error());
  if (!*item) return std::optional<T>();
  DOLMEN_TRY(T record, from_item<T>(**item));
  return std::optional<T>(std::move(record));
}

}  // namespace detail

/// A query of entities as Ts. See EntityQuery; whole entities come back, so the indexes must hold what T needs.
template <Record T>
class EntityQueryOf {
 public:
  explicit EntityQueryOf(EntityQuery query) : query_(std::move(query)) {}

  EntityQueryOf& index(IndexNameView name, EntityRange range = {}, Condition filter = {}) {
    return with([&](EntityQuery& query) { query.index(name, std::move(range), std::move(filter)); });
  }
  EntityQueryOf& item(Item item) {
    return with([&](EntityQuery& query) { query.item(std::move(item)); });
  }
  EntityQueryOf& sort(std::vector<SortField> order) {
    return with([&](EntityQuery& query) { query.sort(std::move(order)); });
  }
  EntityQueryOf& backward() {
    return with([&](EntityQuery& query) { query.backward(); });
  }
  EntityQueryOf& limit(std::int64_t limit) {
    return with([&](EntityQuery& query) { query.limit(limit); });
  }
  EntityQueryOf& page_size(std::int64_t size) {
    return with([&](EntityQuery& query) { query.page_size(size); });
  }
  EntityQueryOf& made(const EntityWindow& window) {
    return with([&](EntityQuery& query) { query.made(window); });
  }
  EntityQueryOf& throttle(std::int64_t calls) {
    return with([&](EntityQuery& query) { query.throttle(calls); });
  }
  EntityQueryOf& fan_out(FanOut how) {
    return with([&](EntityQuery& query) { query.fan_out(how); });
  }

  [[nodiscard]] Result<EntityPageOf<T>> run(std::string page_token = {}) const {
    return detail::records_of<T>(query_.run(std::move(page_token)));
  }
  [[nodiscard]] Result<std::vector<T>> all() const {
    DOLMEN_TRY(const std::vector<Item> items, query_.all());
    return detail::records_of<T>(items);
  }
  void async_run(std::string page_token, Callback<EntityPageOf<T>> done) const {
    query_.async_run(std::move(page_token), [done = std::move(done)](Result<EntityQueryResult> page) mutable {
      done(detail::records_of<T>(page));
    });
  }
  void async_all(Callback<std::vector<T>> done) const {
    query_.async_all([done = std::move(done)](Result<std::vector<Item>> items) mutable {
      if (!items) return done(std::unexpected(std::move(items).error()));
      done(detail::records_of<T>(*items));
    });
  }

 private:
  template <class Change>
  EntityQueryOf& with(Change change) {
    change(query_);
    return *this;
  }

  EntityQuery query_;
};

/// The entities of one kind as Ts, by the values of their unique property:
///
///     EntitiesOf<User> users(client, "user");
///     users.put({.userId = "ada", .created = 1700000000000, .lastName = "Lovelace"}).value();
///     std::optional<User> ada = users.get("ada").value();
///     auto page = users.query().index("lastName", range("lastName") == "Lovelace").limit(50).run(token).value();
///
/// Keys need no members. Cheap to copy; the store must outlive it, and the object what it has begun without waiting.
template <Record T>
class EntitiesOf {
 public:
  EntitiesOf(EntityClient client, EntityNameView entity) : client_(std::move(client)), entity_(entity) {}

  /// See EntityClient.
  Result<T> put(const T& record, const EntityWriteOptions& options = {}) const {
    DOLMEN_TRY(Item item, to_item(record));
    DOLMEN_TRY(const Item stored, client_.put(entity_, std::move(item), options));
    return from_item<T>(stored);
  }
  [[nodiscard]] Found<T> get(AttributeValue unique) const {
    DOLMEN_TRY(const Item key, key_of(std::move(unique)));
    return detail::record_of<T>(client_.get(entity_, key));
  }
  Result<T> update(AttributeValue unique, const Update& update, const EntityWriteOptions& options = {}) const {
    DOLMEN_TRY(const Item key, key_of(std::move(unique)));
    DOLMEN_TRY(const Item now, client_.update(entity_, key, update, options));
    return from_item<T>(now);
  }
  /// What was removed; nothing when there was no such entity.
  Found<T> remove(AttributeValue unique, const EntityWriteOptions& options = {}) const {
    DOLMEN_TRY(const Item key, key_of(std::move(unique)));
    DOLMEN_TRY(WriteResult removed, client_.remove(entity_, key, remove_options(options)));
    return detail::record_of<T>(std::move(removed.attributes));
  }
  [[nodiscard]] EntityQueryOf<T> query() const { return EntityQueryOf<T>(client_.query(entity_)); }
  /// The entities whose vectors are nearest, best first. Asks for the members of T, the vector among them, unless the
  /// options name others; the index must hold them. See EntityClient.
  [[nodiscard]] NearestHits<Nearest<T>> nearest(IndexNameView index, std::span<const float> vector,
                                                EntitySearchOptions options = {}) const {
    if (options.project.empty())
      for (const mapping::Member& member : mapping::kMembers<T>) options.project.emplace_back(member.attribute);
    DOLMEN_TRY(const std::vector<VectorHit> found, client_.nearest(entity_, index, vector, options));
    std::vector<Nearest<T>> records;
    for (const auto& [item, score] : found) {
      DOLMEN_TRY(T record, from_item<T>(item));
      records.push_back({.record = std::move(record), .score = score});
    }
    return records;
  }

  // ---- The same without waiting ----

  void async_put(const T& record, const EntityWriteOptions& options, Callback<T> done) const {
    Result<Item> item = to_item(record);
    if (!item) return done(std::unexpected(std::move(item).error()));
    client_.async_put(entity_, std::move(*item), options, reading(std::move(done)));
  }
  void async_get(AttributeValue unique, Callback<std::optional<T>> done) const {
    const Result<Item> key = key_of(std::move(unique));
    if (!key) return done(std::unexpected(key.error()));
    client_.async_get(entity_, *key, {}, [done = std::move(done)](Result<std::optional<Item>> item) mutable {
      done(detail::record_of<T>(item));
    });
  }
  void async_update(AttributeValue unique, const Update& update, const EntityWriteOptions& options,
                    Callback<T> done) const {
    const Result<Item> key = key_of(std::move(unique));
    if (!key) return done(std::unexpected(key.error()));
    client_.async_update(entity_, *key, update, options, reading(std::move(done)));
  }
  void async_remove(AttributeValue unique, const EntityWriteOptions& options, Callback<std::optional<T>> done) const {
    const Result<Item> key = key_of(std::move(unique));
    if (!key) return done(std::unexpected(key.error()));
    client_.async_remove(entity_, *key, remove_options(options),
                         [done = std::move(done)](Result<WriteResult> gone) mutable {
                           if (!gone) return done(std::unexpected(std::move(gone).error()));
                           done(detail::record_of<T>(std::move(gone->attributes)));
                         });
  }

  /// The same entities without T.
  [[nodiscard]] const EntityClient& client() const noexcept { return client_; }

 private:
  [[nodiscard]] Result<Item> key_of(AttributeValue unique) const {
    const EntityDefinition* definition = client_.entities().config().find_entity(entity_);
    if (definition == nullptr)
      return std::unexpected(Error(Code::kInvalidArgument, "the config has no entity \"" + entity_ + "\""));
    return Item{{definition->unique_property, std::move(unique)}};
  }
  static DeleteOptions remove_options(const EntityWriteOptions& options) {
    return {.condition = options.condition,
            .return_values = ReturnValues::kAllOld,
            .return_item_on_failure = options.return_item_on_failure};
  }
  static Callback<Item> reading(Callback<T> done) {
    return [done = std::move(done)](Result<Item> item) mutable {
      if (!item) return done(std::unexpected(std::move(item).error()));
      done(from_item<T>(*item));
    };
  }

  EntityClient client_;
  std::string entity_;
};

}  // namespace dolmen
