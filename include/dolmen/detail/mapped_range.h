#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/item_range.h"
#include "dolmen/value.h"

namespace dolmen::detail {

/// The items of a query or scan as Ts, read page by page as they are asked for. An item that cannot be read as a T
/// gives an error, and the range goes on; an error of the store is the last element. A range is read once, by one
/// thread; the store must outlive it.
template <class T>
class MappedRange {
 public:
  using Map = std::function<Result<T>(const Item&)>;

  MappedRange(ItemRange items, Map map) : items_(std::move(items)), map_(std::move(map)) {}

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = Result<T>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(MappedRange* range) : range_(range) {}

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
    MappedRange* range_ = nullptr;
  };

  /// Reads the first page. Calling it again goes on where the range is.
  Iterator begin() {
    if (!std::exchange(started_, true)) read();
    return Iterator(this);
  }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

  /// All that is left, or the first error.
  Result<std::vector<T>> all() {
    std::vector<T> values;
    for (Iterator value = begin(); value != end(); ++value) {
      if (!*value) return std::unexpected(value->error());
      values.push_back(std::move(**current_));
    }
    return values;
  }

 private:
  void read() {
    current_.reset();
    // This is where the items are, not where they began.
    const ItemRange::Iterator item = items_.begin();
    if (item == items_.end()) return;
    current_.emplace(*item ? map_(**item) : Result<T>(std::unexpected(item->error())));
  }

  ItemRange items_;
  Map map_;
  bool started_ = false;
  std::optional<Result<T>> current_;
};

}  // namespace dolmen::detail
