#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "dolmen/isr/options.h"
#include "dolmen/lease.h"
#include "dolmen/store.h"

namespace dolmen::isr {

/// How an attempt to renew a page has ended.
struct FlightOutcome {
  /// Nothing when another program is generating the page, and when the attempt was given up before it began.
  std::optional<Result<ServedPage>> page = std::nullopt;
  /// What the generator threw.
  std::exception_ptr thrown = nullptr;
};

/// One attempt to renew a page, which everybody in this program waits for who wants that page. Thread-safe.
class Flight {
 public:
  /// `closing` requests a stop when the cache goes.
  using Work = std::function<FlightOutcome(const std::stop_token& closing)>;

  explicit Flight(std::string name, Work work) : name_(std::move(name)), work_(std::move(work)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  /// True for one caller, who must then carry it out or give it up.
  bool claim();
  FlightOutcome carry_out(const std::stop_token& closing) const { return work_(closing); }
  void end(FlightOutcome outcome);

  /// Waits until it has ended; nothing when the moment comes first. Without a moment it waits for ever.
  std::optional<FlightOutcome> wait(const LeaseClock& clock, std::optional<LeaseClock::Moment> until);

 private:
  const std::string name_;
  const Work work_;
  /// Guards the members below.
  std::mutex state_mutex_;
  std::condition_variable ended_;
  bool claimed_ = false;
  std::optional<FlightOutcome> outcome_;
};

/// The attempts of a cache: one for each page at a time, on its threads, on an executor, or on the thread of a caller.
class Flights {
 public:
  Flights(Executor executor, std::size_t threads_max, std::size_t waiting_max);
  /// Asks those under way to stop, waits for them, and drops the others.
  ~Flights();
  Flights(const Flights&) = delete;
  Flights& operator=(const Flights&) = delete;

  struct Joined {
    std::shared_ptr<Flight> flight;
    /// This call has added it, and must launch it or carry it out.
    bool is_new = false;
  };
  /// The one of this name that has not ended, or a new one.
  Joined join(const std::string& name, const std::function<Flight::Work()>& make_work);

  /// Lets it run in the background. False when too many wait; then the caller must carry it out or give it up.
  bool launch(const std::shared_ptr<Flight>& flight);
  /// On this thread, unless it has begun elsewhere.
  void carry_out(const std::shared_ptr<Flight>& flight);
  /// It will not be carried out. Does nothing when it has begun.
  void give_up(const std::shared_ptr<Flight>& flight);

  /// Runs something else in the background, or destroys it when the cache goes first. False when too much waits.
  bool post(std::move_only_function<void()> job);

 private:
  struct State;
  void add_thread_if_needed();

  std::shared_ptr<State> state_;
};

}  // namespace dolmen::isr
