#include "isr/flights.h"

#include <algorithm>
#include <deque>
#include <map>

namespace dolmen::isr {

bool Flight::claim() {
  const std::lock_guard lock(state_mutex_);
  return !std::exchange(claimed_, true);
}

void Flight::end(FlightOutcome outcome) {
  const std::lock_guard lock(state_mutex_);
  outcome_ = std::move(outcome);
  ended_.notify_all();
}

std::optional<FlightOutcome> Flight::wait(const LeaseClock& clock, std::optional<LeaseClock::Moment> until) {
  std::unique_lock lock(state_mutex_);
  while (!outcome_ && (!until || clock.steady_now() < *until)) {
    if (until)
      clock.wait_until(lock, ended_, *until);
    else
      ended_.wait(lock);
  }
  return outcome_;
}

/// Shared with the jobs that an executor has not begun yet, which may come after the cache has gone.
struct Flights::State {
  using Job = std::move_only_function<void()>;

  State(Executor runs, std::size_t threads_at_most, std::size_t jobs_at_most)
      : executor(std::move(runs)), threads_max(threads_at_most), waiting_max(jobs_at_most) {}

  const Executor executor;
  const std::size_t threads_max;
  const std::size_t waiting_max;
  std::stop_source closing;

  /// Guards the members below.
  std::mutex jobs_mutex;
  std::condition_variable changed;
  std::map<std::string, std::shared_ptr<Flight>> flights;
  std::deque<Job> waiting;
  /// Given to the executor and not begun.
  std::size_t handed_over = 0;
  std::size_t running = 0;
  std::vector<std::jthread> threads;

  /// False when the cache is going.
  bool begin() {
    const std::lock_guard lock(jobs_mutex);
    if (closing.stop_requested()) return false;
    ++running;
    return true;
  }

  void end() {
    const std::lock_guard lock(jobs_mutex);
    --running;
    changed.notify_all();
  }

  void carry_out(const std::shared_ptr<Flight>& flight) {
    if (!flight->claim()) return;
    FlightOutcome outcome = flight->carry_out(closing.get_token());
    // First out of the list: who comes now wants a newer page.
    forget(*flight);
    flight->end(std::move(outcome));
  }

  void forget(const Flight& flight) {
    const std::lock_guard lock(jobs_mutex);
    flights.erase(flight.name());
  }

  void work() {
    std::unique_lock lock(jobs_mutex);
    while (true) {
      changed.wait(lock, [this] { return closing.stop_requested() || !waiting.empty(); });
      if (closing.stop_requested()) return;
      Job job = std::move(waiting.front());
      waiting.pop_front();
      ++running;
      lock.unlock();
      job();
      job = {};
      lock.lock();
      --running;
    }
  }
};

Flights::Flights(Executor executor, std::size_t threads_max, std::size_t waiting_max)
    : state_(std::make_shared<State>(std::move(executor), threads_max, waiting_max)) {}

Flights::~Flights() {
  {
    const std::lock_guard lock(state_->jobs_mutex);
    state_->closing.request_stop();
    state_->changed.notify_all();
  }
  for (std::jthread& thread : state_->threads) thread.join();
  std::unique_lock lock(state_->jobs_mutex);
  state_->changed.wait(lock, [this] { return state_->running == 0; });
  state_->waiting.clear();
}

Flights::Joined Flights::join(const std::string& name, const std::function<Flight::Work()>& make_work) {
  const std::lock_guard lock(state_->jobs_mutex);
  std::shared_ptr<Flight>& flight = state_->flights[name];
  const bool is_new = flight == nullptr;
  if (is_new) flight = std::make_shared<Flight>(name, make_work());
  return {flight, is_new};
}

bool Flights::launch(const std::shared_ptr<Flight>& flight) {
  return post([state = state_.get(), flight] { state->carry_out(flight); });
}

void Flights::carry_out(const std::shared_ptr<Flight>& flight) { state_->carry_out(flight); }

void Flights::give_up(const std::shared_ptr<Flight>& flight) {
  if (!flight->claim()) return;
  state_->forget(*flight);
  flight->end({});
}

bool Flights::post(std::move_only_function<void()> job) {
  if (state_->threads_max == 0 && !state_->executor) return false;
  {
    const std::lock_guard lock(state_->jobs_mutex);
    if (state_->closing.stop_requested()) return false;
    if (state_->waiting.size() + state_->handed_over >= state_->waiting_max) return false;
    if (state_->executor) {
      ++state_->handed_over;
    } else {
      state_->waiting.push_back(std::move(job));
      add_thread_if_needed();
      state_->changed.notify_one();
      return true;
    }
  }
  state_->executor([state = state_, job = std::move(job)]() mutable {
    {
      const std::lock_guard lock(state->jobs_mutex);
      --state->handed_over;
    }
    if (!state->begin()) return;
    job();
    job = {};
    state->end();
  });
  return true;
}

/// A thread that waits takes the job, else there is one more.
void Flights::add_thread_if_needed() {
  const std::size_t idle = state_->threads.size() - std::min(state_->threads.size(), state_->running);
  if (idle >= state_->waiting.size() || state_->threads.size() >= state_->threads_max) return;
  state_->threads.emplace_back([state = state_.get()] { state->work(); });
}

}  // namespace dolmen::isr
