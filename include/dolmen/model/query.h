#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/detail/mapped_range.h"
#include "dolmen/error.h"
#include "dolmen/model/condition.h"
#include "dolmen/model/cursor.h"
#include "dolmen/model/item.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/model/members.h"
#include "dolmen/model/model.h"
#include "dolmen/operations.h"
#include "dolmen/record.h"
#include "dolmen/store.h"

/// Reads of many items of a model. A builder is cheap, can be copied, and belongs to one thread; the store must outlive
/// it. Mistakes in a read are reported when it is carried out.
namespace dolmen {

/// A page of a read as Ts.
template <class T>
struct PageOf {
  std::vector<T> items;
  /// Where the next page begins, for any implementation of DMS; empty on the last page. A page may be empty and still
  /// not be the last.
  std::string cursor;
  /// Items that were read, of which the filter left `items`.
  std::uint64_t scanned_count = 0;
};

/// All items of a read as Ts, read page by page as they are asked for.
template <class T>
using RangeOf = detail::MappedRange<T>;

namespace detail {

/// The table of a model, and how its items are encoded. Shared by the table and its reads.
struct ModelSource {
  Store* store = nullptr;
  Model model = {};
  std::string table = {};
  KeyProvider* keys = nullptr;
  TimestampForm timestamp_form = TimestampForm::kNineDigits;
  Converters converters = {};

  [[nodiscard]] EncodeOptions encoding() const {
    return {.keys = keys, .timestamp_form = timestamp_form, .converters = &converters};
  }
  [[nodiscard]] DecodeOptions decoding() const { return {.keys = keys, .converters = &converters}; }
};

/// What is read by a query, as it is being put together.
struct ModelQueryPlan {
  std::shared_ptr<const ModelSource> source = {};
  std::string index = {};
  std::optional<LogicalValue> partition = std::nullopt;
  FieldCondition sort_key = {};
  FieldCondition filter = {};
  std::vector<std::string> fields = {};
  SortOrder order = SortOrder::kAscending;
  std::uint32_t limit = 0;
  std::uint32_t page_size = 0;
  bool consistent_read = false;
  std::optional<std::string> cursor = std::nullopt;

  /// What the store is asked. Fails as ModelQuery does.
  [[nodiscard]] Result<QueryOptions> options() const;
  /// Where the page after this one begins; empty when there is none.
  [[nodiscard]] std::string next_cursor(const Page& page) const;
  /// Whether items may come without some of their attributes.
  [[nodiscard]] bool is_partial() const;
};

/// What is read by a scan, as it is being put together.
struct ModelScanPlan {
  std::shared_ptr<const ModelSource> source = {};
  std::string index = {};
  FieldCondition filter = {};
  std::vector<std::string> fields = {};
  std::optional<ScanSegment> segment = std::nullopt;
  std::uint32_t limit = 0;
  std::uint32_t page_size = 0;
  bool consistent_read = false;
  std::optional<std::string> cursor = std::nullopt;

  [[nodiscard]] Result<ScanOptions> options() const;
  [[nodiscard]] std::string next_cursor(const Page& page) const;
  [[nodiscard]] bool is_partial() const;
  /// The items of all segments, segment after segment, each read by a thread of its own.
  [[nodiscard]] Result<std::vector<Item>> all_segments(std::uint32_t total) const;
};

/// Makes a T of a stored item. When `partial` is true the item may lack attributes that the model requires.
template <class T>
using DecodeItem = std::function<Result<T>(const Item& item, bool partial)>;

/// What queries and scans have in common; `Read` is QueryOf or ScanOf, and `Plan` its plan.
template <class T, class Read, class Plan>
class ReadOf {
 public:
  ReadOf(Plan plan, DecodeItem<T> decode) : plan_(std::move(plan)), decode_(std::move(decode)) {}

  Read& index(std::string name) { return set(plan_.index, std::move(name)); }
  /// What is read and does not match is left out. Further filters must hold as well.
  Read& filter(FieldCondition condition) { return set(plan_.filter, std::move(plan_.filter) && std::move(condition)); }
  Read& project(std::vector<std::string> fields) { return set(plan_.fields, std::move(fields)); }
  /// The same by members: project({&Note::topic, &Note::text}). The other members are as the struct makes them.
  template <Record R = T>
  Read& project(const Members<R>& members) {
    return project(members.attributes());
  }
  /// `page` reads at most so many items, before the filter; `all` and `range` return at most so many.
  Read& limit(std::uint32_t items) { return set(plan_.limit, items); }
  /// `all` and `range` read so many with one request.
  Read& page_size(std::uint32_t items) { return set(plan_.page_size, items); }
  Read& consistent_read(bool consistent = true) { return set(plan_.consistent_read, consistent); }
  /// The cursor of an earlier page, of this or another service.
  Read& cursor(std::string text) { return set(plan_.cursor, std::move(text)); }

  [[nodiscard]] Result<PageOf<T>> page() const {
    DOLMEN_TRY(const auto options, plan_.options());
    DOLMEN_TRY(const Page page, self().read_page(options));
    return page_of(page);
  }
  [[nodiscard]] Result<MappedRange<T>> range() const {
    DOLMEN_TRY(auto options, plan_.options());
    return mapped(self().read(std::move(options)));
  }
  /// The same for a loop; a mistake in the read is the only element:
  ///
  ///     for (const Result<User>& user : users.query().partition("USER#1").each())
  [[nodiscard]] MappedRange<T> each() const {
    auto options = plan_.options();
    return mapped(options ? self().read(std::move(*options)) : broken(std::move(options).error()));
  }
  [[nodiscard]] Result<std::vector<T>> all() const {
    DOLMEN_TRY(MappedRange<T> items, range());
    return items.all();
  }
  /// `page` without waiting; see Callback.
  void async_page(Callback<PageOf<T>> done) const {
    auto options = plan_.options();
    if (!options) return done(std::unexpected(std::move(options).error()));
    self().async_read_page(*options, [read = self(), done = std::move(done)](Result<Page> page) mutable {
      if (!page) return done(std::unexpected(std::move(page).error()));
      done(read.page_of(*page));
    });
  }
  /// Over all pages, whatever the limit.
  [[nodiscard]] Result<std::uint64_t> count() const {
    DOLMEN_TRY(auto options, plan_.options());
    options.projection = {};
    DOLMEN_TRY(const Counted counted, plan_.source->store->count(plan_.source->table, std::move(options)));
    return counted.count;
  }

 protected:
  template <class Value>
  Read& set(Value& member, Value value) {
    member = std::move(value);
    return static_cast<Read&>(*this);
  }
  Read& set(std::optional<std::string>& member, std::string value) {
    member = std::move(value);
    return static_cast<Read&>(*this);
  }
  [[nodiscard]] const Read& self() const { return static_cast<const Read&>(*this); }

  [[nodiscard]] MappedRange<T> mapped(ItemRange items) const {
    return MappedRange<T>(std::move(items), [source = plan_.source, decode = decode_, partial = plan_.is_partial()](
                                                const Item& item) { return decode(item, partial); });
  }
  static ItemRange broken(Error error) {
    return ItemRange([error = std::move(error)](const std::optional<Item>&,
                                                std::uint32_t) -> Result<Page> { return std::unexpected(error); },
                     std::nullopt, 0);
  }
  [[nodiscard]] Result<PageOf<T>> page_of(const Page& page) const {
    DOLMEN_TRY(std::vector<T> items, decoded(page.items));
    return PageOf<T>{.items = std::move(items), .cursor = plan_.next_cursor(page), .scanned_count = page.scanned_count};
  }
  [[nodiscard]] Result<std::vector<T>> decoded(const std::vector<Item>& items) const {
    std::vector<T> values;
    values.reserve(items.size());
    for (const Item& item : items) {
      DOLMEN_TRY(T value, decode_(item, plan_.is_partial()));
      values.push_back(std::move(value));
    }
    return values;
  }

  Plan plan_;
  DecodeItem<T> decode_;
};

}  // namespace detail

/// The items of one partition, in the order of the sort key:
///
///     users.query().index("gsi-email").partition("hash_abc").descending().limit(25).page()
///
/// Fails with kInvalidOperator for an unknown index, a missing partition, a condition on the sort key that keys do not
/// have, a consistent read of a global index, a filter on a key, and a cursor of another read; with
/// kEncryptedFieldNotQueryable.
template <class T>
class QueryOf : public detail::ReadOf<T, QueryOf<T>, detail::ModelQueryPlan> {
  using Base = detail::ReadOf<T, QueryOf<T>, detail::ModelQueryPlan>;

 public:
  using Base::Base;

  QueryOf& partition(LogicalValue value) {
    this->plan_.partition = std::move(value);
    return *this;
  }
  /// One comparison of the sort key: ==, <, <=, >, >=, between or begins_with.
  QueryOf& sort_key(FieldCondition condition) { return this->set(this->plan_.sort_key, std::move(condition)); }
  QueryOf& ascending() { return this->set(this->plan_.order, SortOrder::kAscending); }
  QueryOf& descending() { return this->set(this->plan_.order, SortOrder::kDescending); }

  /// Fails with kItemNotFound when nothing matches.
  [[nodiscard]] Result<T> first() const {
    DOLMEN_TRY(std::vector<T> items, QueryOf(*this).limit(1).all());
    if (items.empty()) return std::unexpected(Error(Code::kItemNotFound, "nothing matches"));
    return std::move(items.front());
  }

 private:
  friend Base;
  [[nodiscard]] Result<Page> read_page(const QueryOptions& options) const {
    return this->plan_.source->store->query_page(this->plan_.source->table, options);
  }
  void async_read_page(const QueryOptions& options, Callback<Page> done) const {
    this->plan_.source->store->async_query_page(this->plan_.source->table, options, std::move(done));
  }
  [[nodiscard]] ItemRange read(QueryOptions options) const {
    return this->plan_.source->store->query(this->plan_.source->table, std::move(options));
  }
};

/// All items of a table or index, in no particular order. Fails as a query does.
template <class T>
class ScanOf : public detail::ReadOf<T, ScanOf<T>, detail::ModelScanPlan> {
  using Base = detail::ReadOf<T, ScanOf<T>, detail::ModelScanPlan>;

 public:
  using Base::Base;

  /// A cursor does not know its segment; it must be used with the same one.
  ScanOf& segment(std::uint32_t segment, std::uint32_t total) {
    this->plan_.segment = ScanSegment{segment, total};
    return *this;
  }

  /// The whole table by so many threads at once; the items come segment after segment. Segment, limit and cursor must
  /// not be set.
  [[nodiscard]] Result<std::vector<T>> all_segments(std::uint32_t total) const {
    DOLMEN_TRY(const std::vector<Item> items, this->plan_.all_segments(total));
    return this->decoded(items);
  }

 private:
  friend Base;
  [[nodiscard]] Result<Page> read_page(const ScanOptions& options) const {
    return this->plan_.source->store->scan_page(this->plan_.source->table, options);
  }
  void async_read_page(const ScanOptions& options, Callback<Page> done) const {
    this->plan_.source->store->async_scan_page(this->plan_.source->table, options, std::move(done));
  }
  [[nodiscard]] ItemRange read(ScanOptions options) const {
    return this->plan_.source->store->scan(this->plan_.source->table, std::move(options));
  }
};

using ModelPage = PageOf<LogicalItem>;
using ModelRange = RangeOf<LogicalItem>;
using ModelQuery = QueryOf<LogicalItem>;
using ModelScan = ScanOf<LogicalItem>;

}  // namespace dolmen
