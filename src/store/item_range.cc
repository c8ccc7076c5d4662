#include "dolmen/item_range.h"

#include <utility>

namespace dolmen {

ItemRange::ItemRange(ReadPage read_page, std::optional<Item> start_after, std::uint32_t limit)
    : read_page_(std::move(read_page)), start_after_(std::move(start_after)), limit_(limit) {}

ItemRange::Iterator ItemRange::begin() {
  if (!std::exchange(started_, true)) advance();
  return Iterator(this);
}

void ItemRange::advance() {
  const bool failed = current_.has_value() && !current_->has_value();
  current_.reset();
  if (failed || (limit_ > 0 && returned_ == limit_)) return;
  while (position_ == items_.size()) {
    if (last_page_) return;
    Result<Page> page = read_page_(start_after_, limit_ > 0 ? limit_ - returned_ : 0);
    if (!page) {
      current_.emplace(std::unexpected(std::move(page).error()));
      return;
    }
    items_ = std::move(page->items);
    position_ = 0;
    start_after_ = std::move(page->last_key);
    last_page_ = !start_after_.has_value();
  }
  current_.emplace(std::move(items_[position_++]));
  ++returned_;
}

Result<std::vector<Item>> ItemRange::all() {
  std::vector<Item> items;
  begin();
  for (; current_.has_value(); advance()) {
    if (!*current_) return std::unexpected(std::move(*current_).error());
    items.push_back(std::move(**current_));
  }
  return items;
}

}  // namespace dolmen
