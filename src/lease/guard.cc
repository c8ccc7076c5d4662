#include <algorithm>
#include <fmt/format.h>
#include <thread>

#include "base/fail.h"
#include "dolmen/lease.h"
#include "lease/pause.h"

namespace dolmen {
namespace {

using std::chrono::milliseconds;

/// The time between two reads of a lease that another owner holds.
constexpr milliseconds kPollInterval{200};
/// How often a lease is refreshed before it counts as lost; a failed refresh is repeated within that time.
constexpr int kRefreshesPerLength = 3;
constexpr int kTriesPerRefresh = 4;

/// The same moment on both clocks.
struct BothClocks {
  std::chrono::system_clock::time_point wall;
  LeaseClock::Moment steady;

  static BothClocks now(const LeaseClock& clock) { return {clock.now(), clock.steady_now()}; }
};

}  // namespace

/// Shared by the guard, its thread and a refresh in progress.
class LeaseGuard::Keeper : public std::enable_shared_from_this<LeaseGuard::Keeper> {
 public:
  Keeper(Leases leases, Lease lease, milliseconds length, const HoldOptions& options, const BothClocks& asked)
      : leases_(std::move(leases)),
        length_(length),
        refresh_every_(options.refresh_every > milliseconds{0}
                           ? options.refresh_every
                           : std::max(milliseconds{1}, (length - options.margin) / kRefreshesPerLength)),
        margin_(options.margin) {
    take(std::move(lease), asked);
  }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  /// The thread keeps this object alive, because a callback of `lost()` may destroy the guard.
  void start() {
    thread_ = std::jthread([self = shared_from_this()] { self->run(); });
  }

  [[nodiscard]] bool held() const {
    const std::lock_guard lock(state_mutex_);
    return !why_not_ && before_end();
  }

  [[nodiscard]] Result<Lease> lease() const {
    const std::lock_guard lock(state_mutex_);
    if (why_not_) return std::unexpected(*why_not_);
    if (!before_end()) return std::unexpected(expired());
    return lease_;
  }

  [[nodiscard]] std::stop_token lost() const { return lost_.get_token(); }

  Result<void> release() {
    const std::optional<Lease> lease = stop();
    return lease ? leases_.release(*lease) : Result<void>();
  }

  /// The last lease; nothing when the guard has been stopped before.
  std::optional<Lease> stop() {
    std::unique_lock lock(state_mutex_);
    if (std::exchange(stopped_, true)) return std::nullopt;
    if (!why_not_) why_not_ = Error(Code::kLeaseNotOwned, "the lease was released");
    Lease lease = lease_;
    changed_.notify_all();
    lock.unlock();
    // A callback of `lost()` runs on that thread, which cannot wait for itself. It ends after the callback.
    if (thread_.get_id() == std::this_thread::get_id())
      thread_.detach();
    else
      thread_.join();
    return lease;
  }

 private:
  [[nodiscard]] const LeaseClock& clock() const { return leases_.options().clock; }

  /// `asked` is when the store was asked for the lease: waiting for the answer counts towards the lease's length.
  void take(Lease lease, const BothClocks& asked) {
    lease_ = std::move(lease);
    const std::chrono::system_clock::time_point end{std::chrono::seconds(lease_.expires_at)};
    end_ = {end - margin_,
            asked.steady + std::chrono::duration_cast<LeaseClock::Moment::duration>(end - asked.wall) - margin_};
    next_refresh_ = asked.steady + refresh_every_;
  }

  [[nodiscard]] bool before_end() const {
    const BothClocks now = BothClocks::now(clock());
    return now.wall < end_.wall && now.steady < end_.steady;
  }

  [[nodiscard]] Error expired() const {
    const std::string reason = last_error_ ? ": " + last_error_->message() : "";
    return Error(Code::kLeaseNotOwned,
                 fmt::format("the lease of {}/{} has expired{}", lease_.key.partition, lease_.key.sort, reason));
  }

  void run() {
    std::unique_lock lock(state_mutex_);
    while (!why_not_) {
      if (!before_end()) {
        why_not_ = expired();
      } else if (!refreshing_ && clock().steady_now() >= next_refresh_) {
        refresh(lock);
      } else {
        clock().wait_until(lock, changed_, refreshing_ ? end_.steady : std::min(next_refresh_, end_.steady));
      }
    }
    const bool lost = !stopped_;
    lock.unlock();
    if (lost) lost_.request_stop();
  }

  /// Does not wait for the answer; the thread keeps watching the clock meanwhile.
  void refresh(std::unique_lock<std::mutex>& lock) {
    refreshing_ = true;
    const Lease lease = lease_;
    lock.unlock();
    const BothClocks asked = BothClocks::now(clock());
    leases_.async_refresh(lease, length_, [self = shared_from_this(), asked](Result<Lease> refreshed) {
      self->take_answer(std::move(refreshed), asked);
    });
    lock.lock();
  }

  /// Ignores an answer that comes after the guard was destroyed, when the clock may not exist any more.
  void take_answer(Result<Lease> refreshed, const BothClocks& asked) {
    const std::lock_guard lock(state_mutex_);
    if (stopped_) return;
    refreshing_ = false;
    if (refreshed) {
      last_error_.reset();
      take(std::move(*refreshed), asked);
    } else if (refreshed.error().code() == Code::kLeaseNotOwned) {
      if (!why_not_) why_not_ = refreshed.error();
    } else {
      last_error_ = refreshed.error();
      next_refresh_ = clock().steady_now() + refresh_every_ / kTriesPerRefresh;
    }
    changed_.notify_all();
  }

  Leases leases_;
  const milliseconds length_;
  const milliseconds refresh_every_;
  const milliseconds margin_;
  /// Guards all members below.
  mutable std::mutex state_mutex_;
  Lease lease_;
  BothClocks end_;
  LeaseClock::Moment next_refresh_;
  /// A refresh is in progress.
  bool refreshing_ = false;
  bool stopped_ = false;
  /// Set once, when the lease is lost or released.
  std::optional<Error> why_not_;
  /// The error of a refresh that failed although the lease was not taken by another owner.
  std::optional<Error> last_error_;

  std::condition_variable changed_;
  std::stop_source lost_;
  std::jthread thread_;
};

LeaseGuard::LeaseGuard(std::shared_ptr<Keeper> keeper) : keeper_(std::move(keeper)) {}
LeaseGuard::LeaseGuard(LeaseGuard&&) noexcept = default;

LeaseGuard& LeaseGuard::operator=(LeaseGuard&& other) noexcept {
  if (this == &other) return *this;
  const LeaseGuard old(std::move(*this));
  keeper_ = std::move(other.keeper_);
  return *this;
}

LeaseGuard::~LeaseGuard() {
  if (keeper_) static_cast<void>(keeper_->release());
}

bool LeaseGuard::held() const { return keeper_->held(); }
Result<Lease> LeaseGuard::lease() const { return keeper_->lease(); }
std::stop_token LeaseGuard::lost() const { return keeper_->lost(); }
Result<void> LeaseGuard::release() { return keeper_->release(); }
void LeaseGuard::forget() { static_cast<void>(keeper_->stop()); }

namespace {

Result<void> check_hold(milliseconds length, const HoldOptions& options) {
  if (options.margin < milliseconds{0} || options.margin >= length)
    return fail(Code::kInvalidArgument, "the margin must be shorter than the lease of {} ms", length.count());
  if (options.refresh_every >= length - options.margin)
    return fail(Code::kInvalidArgument,
                "a lease of {} ms with a margin of {} ms must be refreshed sooner than every {} ms", length.count(),
                options.margin.count(), options.refresh_every.count());
  return {};
}

}  // namespace

Result<LeaseGuard> Leases::hold(const LeaseKey& key, milliseconds length, const HoldOptions& options) {
  DOLMEN_TRY_VOID(check_hold(length, options));
  const LeaseClock& clock = options_.clock;
  const LeaseClock::Moment give_up = later(clock.steady_now(), options.wait);
  while (true) {
    const BothClocks asked = BothClocks::now(clock);
    Result<Lease> lease = acquire(key, length);
    if (lease) {
      auto keeper = std::make_shared<LeaseGuard::Keeper>(*this, std::move(*lease), length, options, asked);
      keeper->start();
      return LeaseGuard(std::move(keeper));
    }
    if (lease.error().code() != Code::kLeaseHeld || clock.steady_now() >= give_up)
      return std::unexpected(std::move(lease).error());
    pause(clock, std::min(clock.steady_now() + kPollInterval, give_up));
  }
}

}  // namespace dolmen
