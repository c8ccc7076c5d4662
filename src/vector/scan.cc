#include "vector/scan.h"

#include <array>
#include <bit>

namespace dolmen::vector {
namespace {

/// Gathers rows and compares them many at a time.
class ScanBatch {
 public:
  ScanBatch(const RowStore& store, const PreparedQuery& query, TopHits& hits)
      : comparer_(query.comparer(store)), hits_(hits) {}

  void add(Row row) {
    rows_[count_++] = row;
    if (count_ == rows_.size()) flush();
  }
  void flush() {
    const std::span<const Row> rows(rows_.data(), count_);
    comparer_.keys(rows, keys_.data());
    hits_.offer(rows, keys_.data());
    compared_ += count_;
    count_ = 0;
  }
  [[nodiscard]] std::size_t compared() const { return compared_; }

 private:
  const Comparer comparer_;
  TopHits& hits_;
  std::array<Row, Comparer::kRowsAtOnce> rows_;
  std::array<float, Comparer::kRowsAtOnce> keys_;
  std::size_t count_ = 0;
  std::size_t compared_ = 0;
};

}  // namespace

std::size_t scan(const RowStore& store, const PreparedQuery& query, const Filter& filter, TopHits& hits) {
  ScanBatch batch(store, query, hits);
  const std::size_t end = store.end();
  if (filter.among) {
    for (const Row row : *filter.among)
      if (row < end && store.is_live(row) && (!filter.accepts || filter.accepts(row))) batch.add(row);
  } else {
    for (std::size_t word = 0; word * 64 < end; ++word)
      for (std::uint64_t live = store.live_word(word); live != 0; live &= live - 1) {
        const auto row = static_cast<Row>(word * 64 + static_cast<std::size_t>(std::countr_zero(live)));
        if (!filter.accepts || filter.accepts(row)) batch.add(row);
      }
  }
  batch.flush();
  return batch.compared();
}

}  // namespace dolmen::vector
