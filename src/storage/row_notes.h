#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

namespace dolmen::storage {

/// Remembers a number for each of the rows that were written lately, for a writer that needs to know no more of a row
/// than that. It takes a fixed amount of memory, once something is remembered: a row takes the place of another, and
/// one with a long key is never remembered. Any thread may use it; who writes a row holds a lock of its own meanwhile,
/// so that what is remembered is never that of an earlier version:
///
///   before the batch that changes the row is committed   forget
///   once it is visible (Batch::when_visible)             keep
class RowNotes {
 public:
  static constexpr std::size_t kKeyBytesMax = 56;
  static constexpr std::size_t kRows = std::size_t{1} << 14;

  RowNotes() = default;
  ~RowNotes();
  RowNotes(const RowNotes&) = delete;
  RowNotes& operator=(const RowNotes&) = delete;

  /// Nothing when it is not known.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view key) const;
  void keep(std::string_view key, std::uint32_t note);
  void forget(std::string_view key);

 private:
  /// One place, in a cache line of its own.
  struct Place;
  class Visit;

  [[nodiscard]] Place* place_of(std::string_view key) const;

  std::mutex making_;
  std::atomic<Place*> places_ = nullptr;  ///< kRows of them, made when they are first needed.
};

}  // namespace dolmen::storage
