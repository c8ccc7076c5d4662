#include "transfer/pacer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "base/sleep.h"

namespace dolmen::transfer {
namespace {

/// What is assumed of items before one has been seen: up to 4 KB, without strong consistency.
constexpr double kUnitsOfAnItem = 0.5;
constexpr double kPageSizeMax = 1'000;
/// So often somebody who wants it to stop is heard.
constexpr std::chrono::milliseconds kNap{100};

Pacer::Options with_clock(Pacer::Options options) {
  options.now = or_system_clock(std::move(options.now));
  options.sleep = or_real_sleep(std::move(options.sleep));
  return options;
}

}  // namespace

Pacer::Pacer(Options options) : options_(with_clock(std::move(options))), paid_until_(options_.now()) {}

std::uint32_t Pacer::page_size() {
  if (options_.units_per_second <= 0) return 0;
  const std::lock_guard lock(state_mutex_);
  const double each = items_ > 0 && units_ > 0 ? units_ / items_ : kUnitsOfAnItem;
  const double share = options_.units_per_second / std::max(1U, options_.readers);
  return static_cast<std::uint32_t>(std::clamp(share / each, 1.0, kPageSizeMax));
}

void Pacer::spend(double units, std::uint64_t items) {
  if (options_.units_per_second <= 0) return;
  TimePoint until;
  {
    const std::lock_guard lock(state_mutex_);
    units_ += units;
    items_ += static_cast<double>(items);
    const std::chrono::duration<double> cost(units / options_.units_per_second);
    paid_until_ = std::max(paid_until_, options_.now()) + std::chrono::duration_cast<std::chrono::nanoseconds>(cost);
    until = paid_until_;
  }
  while (!(options_.stopped && options_.stopped())) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - options_.now());
    if (left.count() <= 0) return;
    options_.sleep(std::min<std::chrono::milliseconds>(left, kNap));
  }
}

}  // namespace dolmen::transfer
