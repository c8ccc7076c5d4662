#pragma once

#include <array>
#include <cstdint>

namespace dolmen::cli {

/// Durations, counted in buckets that are at most 1/16 wider than what they hold. Memory does not depend on their
/// number.
class LatencyCounts {
 public:
  void add(std::uint64_t nanoseconds);
  void add(const LatencyCounts& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// In microseconds: so large was at most this part of the durations, such as 0.99. 0 without any.
  [[nodiscard]] double quantile(double part) const;

 private:
  static constexpr unsigned kStepBits = 4;
  static constexpr std::size_t kBuckets = std::size_t{64} << kStepBits;

  static std::size_t bucket_of(std::uint64_t nanoseconds);
  static std::uint64_t upper_end(std::size_t bucket);

  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace dolmen::cli
