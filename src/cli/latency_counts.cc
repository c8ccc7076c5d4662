#include "cli/latency_counts.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dolmen::cli {

std::size_t LatencyCounts::bucket_of(std::uint64_t nanoseconds) {
  // Small numbers have buckets of their own; above, each power of two is divided into 16 steps.
  if (nanoseconds < (std::uint64_t{1} << kStepBits)) return nanoseconds;
  const auto power = static_cast<unsigned>(std::bit_width(nanoseconds)) - 1;
  const std::uint64_t step = (nanoseconds >> (power - kStepBits)) & ((1U << kStepBits) - 1);
  return (std::size_t{power - kStepBits + 1} << kStepBits) + step;
}

std::uint64_t LatencyCounts::upper_end(std::size_t bucket) {
  if (bucket < (std::size_t{1} << kStepBits)) return bucket;
  const std::size_t shift = (bucket >> kStepBits) - 1;
  const std::uint64_t step = bucket & ((std::size_t{1} << kStepBits) - 1);
  return (((std::uint64_t{1} << kStepBits) + step + 1) << shift) - 1;
}

void LatencyCounts::add(std::uint64_t nanoseconds) {
  ++counts_[bucket_of(nanoseconds)];
  ++count_;
  largest_ = std::max(largest_, nanoseconds);
}

void LatencyCounts::add(const LatencyCounts& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  largest_ = std::max(largest_, other.largest_);
}

double LatencyCounts::quantile(double part) const {
  constexpr double kNanosecondsPerMicrosecond = 1000;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen > 0 && seen >= wanted)
      return static_cast<double>(std::min(upper_end(i), largest_)) / kNanosecondsPerMicrosecond;
  }
  return 0;
}

}  // namespace dolmen::cli
