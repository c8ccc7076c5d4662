#include "vector/row_pool.h"

#include <utility>

namespace dolmen::vector {

std::optional<Row> RowPool::take() {
  if (free_.empty()) advance();
  if (!free_.empty()) {
    const Row row = free_.back();
    free_.pop_back();
    return row;
  }
  if (end_ == rows_max_) return std::nullopt;
  return static_cast<Row>(end_++);
}

void RowPool::retire(Row row) { retired_.push_back(row); }

RowPool::Generation RowPool::enter() {
  ++readers_[present_];
  return present_;
}

void RowPool::leave(Generation generation) {
  --readers_[generation];
  advance();
}

void RowPool::advance() {
  // With no readers at all two steps free everything; more would change nothing.
  for (int i = 0; i < 2 && retired() > 0; ++i) {
    const Generation before = present_ ^ 1U;
    if (readers_[before] > 0) return;
    free_.insert(free_.end(), retired_before_.begin(), retired_before_.end());
    retired_before_.clear();
    std::swap(retired_before_, retired_);
    present_ = before;
  }
}

std::size_t RowPool::bytes() const {
  return (free_.capacity() + retired_.capacity() + retired_before_.capacity()) * sizeof(Row);
}

}  // namespace dolmen::vector
