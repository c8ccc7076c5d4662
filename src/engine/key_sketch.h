#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dolmen::engine {

/// Finds the most frequent keys of a long sequence in bounded memory (the space-saving algorithm). A key that occurs
/// more than total / size times is always among the counted ones, and no count is too low. Not thread-safe.
class KeySketch {
 public:
  struct Counted {
    std::string key;
    std::uint64_t count = 0;
    /// The count may be too high by so much.
    std::uint64_t error_max = 0;
  };

  explicit KeySketch(std::size_t keys_max) : keys_max_(keys_max) {}

  void count(std::string_view key);
  [[nodiscard]] std::uint64_t total() const { return total_; }
  /// The most frequent first; those with the same count in the order of their keys.
  [[nodiscard]] std::vector<Counted> top(std::size_t limit) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
  };
  struct Numbers {
    std::uint64_t count = 0;
    std::uint64_t error_max = 0;
  };

  const std::size_t keys_max_;
  std::uint64_t total_ = 0;
  std::unordered_map<std::string, Numbers, Hash, std::equal_to<>> keys_;
  /// The counts with the keys that have them, the smallest first. The views are of the keys in the map.
  std::set<std::pair<std::uint64_t, std::string_view>> order_;
};

}  // namespace dolmen::engine
