#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vector/search.h"

namespace dolmen::vector {

/// Gives out row numbers, and gives a number out again only when nobody can be reading its row any more. Readers
/// register themselves in a generation, and a new generation begins whenever the readers of the last but one have left.
/// A row that retires can be known to readers of the present generation and of the one before.
///
/// Not thread-safe: the owner has a lock.
class RowPool {
 public:
  using Generation = std::uint8_t;

  explicit RowPool(std::size_t rows_max) : rows_max_(rows_max) {}

  /// A row that nobody uses. Nothing when all rows are in use or retired.
  [[nodiscard]] std::optional<Row> take();
  /// A row that no reader has seen.
  void give_back(Row row) { free_.push_back(row); }
  /// A row that readers who are registered now may be reading.
  void retire(Row row);

  [[nodiscard]] Generation enter();
  void leave(Generation generation);

  /// One more than the largest row that was ever given out.
  [[nodiscard]] std::size_t end() const { return end_; }
  [[nodiscard]] std::size_t retired() const { return retired_.size() + retired_before_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Begins a new generation if that can be done.
  void advance();

  std::size_t rows_max_;
  std::size_t end_ = 0;
  std::array<std::size_t, 2> readers_{};
  Generation present_ = 0;
  std::vector<Row> free_;
  std::vector<Row> retired_;         ///< in the present generation
  std::vector<Row> retired_before_;  ///< in the one before
};

}  // namespace dolmen::vector
