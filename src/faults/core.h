#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "faults/decision.h"
#include "faults/delays.h"
#include "faults/plan.h"
#include "service/moment.h"

namespace dolmen::faults {

/// The inside of a FaultLab: decides what happens to each request, counts it, lets requests wait, and remembers the
/// moments before the latest writes. Thread-safe.
class Core {
 public:
  /// Runs a task after a while.
  using Later = std::function<void(std::chrono::milliseconds delay, Delays::Task task)>;

  explicit Core(std::uint64_t seed) : seed_(seed) {}

  void set_seed(std::uint64_t seed);
  void add(FaultRule rule);
  void add(Plan plan);
  void clear();
  [[nodiscard]] std::uint64_t seed() const;
  [[nodiscard]] std::uint64_t number() const;
  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const;

  /// Whether requests must pass the lab. Takes no lock, because every request of a server asks.
  [[nodiscard]] bool is_active() const { return active_.load(std::memory_order_relaxed); }

  /// Gives the request a number, unless the plan has one, and decides by its rules, or by those of the lab. Fails with
  /// kInvalidArgument when a rule of the lab cannot be.
  Result<Decision> decide(const Subject& subject, const Plan* instead);

  /// Moments are kept from now on, for index-lag.
  void keep_moments();
  [[nodiscard]] bool keeps_moments() const;
  /// Called before each write.
  void before_write(Moments& moments);
  /// Before the latest `writes` writes; null when there is none that old.
  [[nodiscard]] std::shared_ptr<const Moment> before_latest(std::uint32_t writes) const;

  void run_after(std::chrono::milliseconds delay, Delays::Task task);
  /// For tests, which have no time to wait.
  void replace_later(Later later) { later_ = std::move(later); }
  /// The store closes: no moment of it is kept, and what waits is done.
  void release_store();

 private:
  struct Counted {
    FaultRule rule;
    std::uint64_t matched = 0;
    std::uint64_t happened = 0;
  };
  static constexpr std::size_t kMomentsMax = 64;
  static constexpr std::size_t kFaults = static_cast<std::size_t>(Fault::kCutAfter) + 1;

  void update_active() { active_.store(keeps_moments_ || !rules_.empty(), std::memory_order_relaxed); }
  void apply(Counted& counted, const Subject& subject, Decision& decision);

  std::atomic<bool> active_ = false;
  mutable std::mutex lab_mutex_;  // guards the rest, but for the delays
  std::uint64_t seed_;
  std::uint64_t number_ = 0;
  std::vector<Counted> rules_;
  std::string problem_;  // of the first rule that cannot be
  std::array<std::uint64_t, kFaults> counts_{};
  bool keeps_moments_ = false;
  std::deque<std::shared_ptr<const Moment>> moments_;  // the latest last
  Later later_;
  Delays delays_;
};

}  // namespace dolmen::faults
