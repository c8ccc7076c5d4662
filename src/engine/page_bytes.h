#pragma once

#include <cstddef>
#include <span>

#include "value/encoded_item.h"

namespace dolmen::engine {

/// The bytes that a page has read, as DynamoDB counts them. Measuring an item takes a quarter of the instructions that
/// the page takes for it, so items are measured only when their sizes may decide where the page ends.
class PageBytes {
 public:
  /// An item has at most so many bytes, as DynamoDB counts, for each byte of its encoded form: an element of a list
  /// counts one byte more than its value, which has at least one, and an empty container counts three where two are
  /// encoded.
  static constexpr std::size_t kSizePerEncodedByte = 2;

  /// Of an item that was measured.
  void add(std::size_t bytes) { measured_ += bytes; }
  /// The last item of the page is not measured yet.
  void add_unmeasured(const EncodedItem& item) {
    unmeasured_ += item.bytes.size();
    ++unmeasured_items_;
  }

  /// Whether there are as many bytes as `limit`. `items` are those of the page.
  bool reach(std::size_t limit, std::span<const EncodedItem> items) {
    if (measured_ + unmeasured_ * kSizePerEncodedByte < limit) return false;
    for (const EncodedItem& item : items.last(unmeasured_items_)) measured_ += item_size(item.bytes);
    unmeasured_ = unmeasured_items_ = 0;
    return measured_ >= limit;
  }

  /// Near enough to divide work by it.
  [[nodiscard]] std::size_t about() const { return measured_ + unmeasured_; }
  /// Of a page whose items are all measured.
  [[nodiscard]] std::size_t measured() const { return measured_; }

 private:
  std::size_t measured_ = 0;
  std::size_t unmeasured_ = 0;  // bytes of the encoded form
  std::size_t unmeasured_items_ = 0;
};

}  // namespace dolmen::engine
