#include "engine/token_clock.h"

#include <memory>
#include <string_view>
#include <utility>

#include "base/endian.h"
#include "engine/keyspaces.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kClockRow = "clock";

}  // namespace

Result<std::unique_ptr<TokenClock>> TokenClock::load(const storage::Storage& storage, const Clock& wall, Even even) {
  std::unique_ptr<TokenClock> clock(new TokenClock(wall, std::move(even)));
  if (!clock->even_.since_boot) return clock;
  clock->offset_ = wall.now().time_since_epoch() - clock->even_.since_boot();
  std::string row;
  DOLMEN_TRY(const bool kept, storage.get(keyspaces::kTokens, kClockRow, row));
  if (!kept || row.size() < sizeof(std::uint64_t) || clock->even_.boot.empty()) return clock;
  if (std::string_view(row).substr(sizeof(std::uint64_t)) != clock->even_.boot) return clock;
  clock->offset_ = std::chrono::nanoseconds(static_cast<std::int64_t>(read_big_endian<std::uint64_t>(row)));
  *clock->saved_ = true;
  return clock;
}

Clock::TimePoint TokenClock::now() const {
  if (!even_.since_boot) return wall_.now();
  return Clock::TimePoint(std::chrono::duration_cast<Clock::TimePoint::duration>(even_.since_boot() + offset_));
}

void TokenClock::save(storage::Batch& batch) const {
  if (!even_.since_boot || saved_->load(std::memory_order_relaxed)) return;
  std::string row;
  append_big_endian(row, static_cast<std::uint64_t>(offset_.count()));
  batch.put(keyspaces::kTokens, kClockRow, row.append(even_.boot));
  batch.when_visible([saved = saved_] { *saved = true; });
}

}  // namespace dolmen::engine
