#pragma once

#include <cstddef>
#include <expected>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/item_range.h"
#include "dolmen/operations.h"
#include "dolmen/record.h"
#include "dolmen/store.h"
#include "dolmen/value.h"

/// A store's items as structs that DOLMEN_RECORD describes. Each of these also fails as `to_item` or `from_item` does.
///
///     put(*store, "notes", Note{.topic = "dolmen", .written = 1}).value();
///     std::optional<Note> note = get<Note>(*store, "notes", {{"topic", "dolmen"}, {"written", 1}}).value();
///     for (const Result<Note>& note : query<Note>(*store, "notes", {.key = key("topic") == "dolmen"}))
namespace dolmen {

/// Adds the record, or replaces the item with the same key. Fails with kConditionFailed.
template <Record T>
Result<WriteResult> put(Store& store, const std::string& table, const T& record, const PutOptions& options = {}) {
  DOLMEN_TRY(const Item item, to_item(record));
  return store.put_item(table, item, options);
}

/// Nothing when there is no item with that key.
template <Record T>
Result<std::optional<T>> get(Store& store, const std::string& table, const Item& key, const GetOptions& options = {}) {
  DOLMEN_TRY(const GetResult found, store.get_item(table, key, options));
  if (!found.item) return std::optional<T>();
  DOLMEN_TRY(T record, from_item<T>(*found.item));
  return std::optional<T>(std::move(record));
}

/// The records of a query or scan, read page by page as they are asked for. An item that is no T gives an error, and
/// the range goes on; an error of the store is the last element. A range is read once, by one thread; the store must
/// outlive it.
template <Record T>
class RecordRange {
 public:
  explicit RecordRange(ItemRange items) : items_(std::move(items)) {}

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = Result<T>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(RecordRange* range) : range_(range) {}

    const Result<T>& operator*() const { return *range_->current_; }
    const Result<T>* operator->() const { return &*range_->current_; }
    Iterator& operator++() {
      ++range_->items_.begin();
      range_->read();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !range_->current_.has_value(); }

   private:
    RecordRange* range_ = nullptr;
  };

  /// Reads the first page. Calling it again goes on where the range is.
  Iterator begin() {
    if (!std::exchange(started_, true)) read();
    return Iterator(this);
  }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

  /// All records that are left, or the first error.
  Result<std::vector<T>> all() {
    std::vector<T> records;
    for (Iterator record = begin(); record != end(); ++record) {
      if (!*record) return std::unexpected(record->error());
      records.push_back(std::move(**current_));
    }
    return records;
  }

 private:
  void read() {
    current_.reset();
    // This is where the items are, not where they began.
    const ItemRange::Iterator item = items_.begin();
    if (item == items_.end()) return;
    current_.emplace(*item ? from_item<T>(**item) : Result<T>(std::unexpected(item->error())));
  }

  ItemRange items_;
  bool started_ = false;
  std::optional<Result<T>> current_;
};

template <Record T>
RecordRange<T> query(Store& store, const std::string& table, QueryOptions options) {
  return RecordRange<T>(store.query(table, std::move(options)));
}

template <Record T>
RecordRange<T> scan(Store& store, const std::string& table, ScanOptions options = {}) {
  return RecordRange<T>(store.scan(table, std::move(options)));
}

}  // namespace dolmen
