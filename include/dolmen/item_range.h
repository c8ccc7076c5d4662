#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/operations.h"
#include "dolmen/value.h"

namespace dolmen {

/// The items of a query or scan, read page by page as they are asked for. An error ends the range and is its last
/// element. A range is read once, by one thread; the store must outlive it.
class ItemRange {
 public:
  /// Reads the page that begins after a key. `remaining` is the most items that are still wanted; 0 means all.
  using ReadPage = std::function<Result<Page>(const std::optional<Item>& start_after, std::uint32_t remaining)>;

  ItemRange(ReadPage read_page, std::optional<Item> start_after, std::uint32_t limit);

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = Result<Item>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(ItemRange* range) : range_(range) {}

    const Result<Item>& operator*() const { return *range_->current_; }
    const Result<Item>* operator->() const { return &*range_->current_; }
    Iterator& operator++() {
      range_->advance();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !range_->current_.has_value(); }

   private:
    ItemRange* range_ = nullptr;
  };

  /// Reads the first page. Calling it again goes on where the range is.
  Iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

  /// All items that are left, or the first error.
  Result<std::vector<Item>> all();

 private:
  void advance();

  ReadPage read_page_;
  std::optional<Item> start_after_;
  std::vector<Item> items_;
  std::size_t position_ = 0;
  std::uint32_t limit_;
  std::uint32_t returned_ = 0;
  bool started_ = false;
  bool last_page_ = false;
  std::optional<Result<Item>> current_;
};

}  // namespace dolmen
