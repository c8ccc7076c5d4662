#include "http_client/http_client.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "http_client/transfer.h"

namespace dolmen::http {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Initialises libcurl once in a process.
void initialise_once() {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  DOLMEN_CHECK(initialised == CURLE_OK, "libcurl can be initialised");
}

/// The program's signals are for its own threads, and a broken connection must not raise one.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

/// The number of idle handles that are kept; more are freed.
constexpr std::size_t kIdleHandlesMax = 64;

/// Calls a function when a stop is requested during its lifetime.
using StopCallback = std::stop_callback<std::function<void()>>;

}  // namespace

/// The thread and its work. Requests and timers are added under the mutex; everything else belongs to the thread.
class Client::Loop {
 public:
  explicit Loop(ClientOptions options) : options_(std::move(options)) {
    initialise_once();
    multi_ = curl_multi_init();
    DOLMEN_CHECK(multi_ != nullptr, "libcurl gives a multi handle");
    curl_multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, options_.connections_max);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, options_.connections_max);
    thread_ = std::thread([this] { run(); });
  }

  ~Loop() {
    close();
    for (CURL* easy : idle_) curl_easy_cleanup(easy);
    curl_multi_cleanup(multi_);
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void send(std::unique_ptr<Transfer> transfer) {
    {
      const std::lock_guard lock(inbox_mutex_);
      if (!finished_) {
        arriving_.push_back(std::move(transfer));
        curl_multi_wakeup(multi_);
        return;
      }
    }
    transfer->complete(std::unexpected(transfer->cut_off(Code::kClosed)));
  }

  void after(SteadyClock::time_point when, Task task, std::stop_token stop) {
    {
      const std::lock_guard lock(inbox_mutex_);
      if (!finished_) {
        Timer timer{.task = std::move(task), .stop = stop, .on_stop = waker(stop)};
        timers_.emplace(when, std::move(timer));
        curl_multi_wakeup(multi_);
        return;
      }
    }
    task();
  }

  void close() {
    if (!thread_.joinable()) return;
    DOLMEN_CHECK(std::this_thread::get_id() != thread_.get_id(), "a store is not destroyed in its own callback");
    {
      const std::lock_guard lock(inbox_mutex_);
      closing_ = true;
      curl_multi_wakeup(multi_);
    }
    thread_.join();
  }

 private:
  struct Timer {
    Task task;
    std::stop_token stop;
    std::unique_ptr<StopCallback> on_stop;
  };
  struct Active {
    std::unique_ptr<Transfer> transfer;
    std::unique_ptr<StopCallback> on_stop;
  };

  /// Wakes the thread to look for stopped requests. Takes no lock, so the code that requests the stop may hold one.
  std::unique_ptr<StopCallback> waker(const std::stop_token& stop) {
    if (!stop.stop_possible()) return nullptr;
    return std::make_unique<StopCallback>(stop, [this] {
      stop_requested_ = true;
      curl_multi_wakeup(multi_);
    });
  }

  void run() {
    block_signals();
    while (take_arriving()) {
      if (stop_requested_.exchange(false)) finish_stopped();
      int running = 0;
      curl_multi_perform(multi_, &running);
      finish_completed();
      curl_multi_poll(multi_, nullptr, 0, run_timers(), nullptr);
    }
  }

  /// Starts new requests. False when the loop must end; everything has been completed then.
  bool take_arriving() {
    std::vector<std::unique_ptr<Transfer>> arrived;
    bool closing = false;
    {
      const std::lock_guard lock(inbox_mutex_);
      closing = closing_;
      if (!closing) arrived.swap(arriving_);
    }
    for (auto& transfer : arrived) start(std::move(transfer));
    if (closing) finish_all();
    return !closing;
  }

  /// Completing one call may start another, so this repeats until nothing is left.
  void finish_all() {
    while (true) {
      std::vector<std::unique_ptr<Transfer>> rest;
      std::multimap<SteadyClock::time_point, Timer> timers;
      {
        const std::lock_guard lock(inbox_mutex_);
        rest.swap(arriving_);
        timers.swap(timers_);
        if (rest.empty() && timers.empty() && active_.empty()) {
          finished_ = true;
          return;
        }
      }
      for (auto& [easy, active] : std::exchange(active_, {})) cut_off(*active.transfer, Code::kClosed);
      for (auto& transfer : rest) transfer->complete(std::unexpected(transfer->cut_off(Code::kClosed)));
      for (auto& [when, timer] : timers) timer.task();
    }
  }

  /// Removes a transfer and its connection from libcurl, and completes it.
  void cut_off(Transfer& transfer, Code why) {
    Failure failure = transfer.cut_off(why);
    curl_multi_remove_handle(multi_, transfer.easy());
    curl_easy_cleanup(transfer.easy());
    transfer.complete(std::unexpected(std::move(failure)));
  }

  void finish_stopped() {
    std::vector<Active> stopped;
    for (auto entry = active_.begin(); entry != active_.end();) {
      const auto next = std::next(entry);
      if (entry->second.transfer->stop().stop_requested())
        stopped.push_back(std::move(active_.extract(entry).mapped()));
      entry = next;
    }
    std::vector<Task> due;
    {
      const std::lock_guard lock(inbox_mutex_);
      for (auto timer = timers_.begin(); timer != timers_.end();) {
        const auto next = std::next(timer);
        if (timer->second.stop.stop_requested()) due.push_back(std::move(timers_.extract(timer).mapped().task));
        timer = next;
      }
    }
    for (Active& active : stopped) cut_off(*active.transfer, Code::kCanceled);
    for (Task& task : due) task();
  }

  void start(std::unique_ptr<Transfer> transfer) {
    if (transfer->stop().stop_requested())
      return transfer->complete(std::unexpected(transfer->cut_off(Code::kCanceled)));
    CURL* easy = take_handle();
    if (Result<void> attached = transfer->attach(easy, options_); !attached) {
      give_back(easy);
      return transfer->complete(std::unexpected(Failure{std::move(attached).error()}));
    }
    const CURLMcode added = curl_multi_add_handle(multi_, easy);
    DOLMEN_CHECK(added == CURLM_OK, "a fresh handle can be added");
    Active active{.transfer = std::move(transfer)};
    active.on_stop = waker(active.transfer->stop());
    active_.emplace(easy, std::move(active));
  }

  void finish_completed() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL* easy = message->easy_handle;
      const CURLcode code = message->data.result;
      const auto found = active_.find(easy);
      DOLMEN_CHECK(found != active_.end(), "libcurl finishes what was started");
      const std::unique_ptr<Transfer> transfer = std::move(found->second.transfer);
      active_.erase(found);
      Outcome outcome = transfer->outcome(code);
      curl_multi_remove_handle(multi_, easy);
      give_back(easy);
      transfer->complete(std::move(outcome));
    }
  }

  /// Runs the timers that are due, and returns the milliseconds until the next one.
  int run_timers() {
    constexpr auto kLongest = std::chrono::milliseconds(60'000);
    std::vector<Task> due;
    auto wait = kLongest;
    {
      const std::lock_guard lock(inbox_mutex_);
      const auto now = SteadyClock::now();
      while (!timers_.empty() && timers_.begin()->first <= now) {
        due.push_back(std::move(timers_.begin()->second.task));
        timers_.erase(timers_.begin());
      }
      if (!timers_.empty())
        wait = std::min(wait, std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first - now));
    }
    for (Task& task : due) task();
    // A request that a task has sent wakes the poll by itself.
    return static_cast<int>(wait.count());
  }

  CURL* take_handle() {
    if (idle_.empty()) {
      CURL* easy = curl_easy_init();
      DOLMEN_CHECK(easy != nullptr, "libcurl gives a handle");
      return easy;
    }
    CURL* easy = idle_.back();
    idle_.pop_back();
    return easy;
  }

  void give_back(CURL* easy) {
    if (idle_.size() >= kIdleHandlesMax) return curl_easy_cleanup(easy);
    curl_easy_reset(easy);
    idle_.push_back(easy);
  }

  const ClientOptions options_;
  CURLM* multi_ = nullptr;
  std::vector<CURL*> idle_;
  std::unordered_map<CURL*, Active> active_;
  std::atomic<bool> stop_requested_ = false;

  std::mutex inbox_mutex_;
  std::vector<std::unique_ptr<Transfer>> arriving_;
  std::multimap<SteadyClock::time_point, Timer> timers_;
  bool closing_ = false;
  /// No more requests are accepted; each is answered at once.
  bool finished_ = false;

  std::thread thread_;
};

Client::Client(ClientOptions options) : loop_(std::make_unique<Loop>(std::move(options))) {}

Client::~Client() = default;

void Client::send(Request request, Completion done) {
  loop_->send(std::make_unique<Transfer>(std::move(request), std::move(done)));
}

Outcome Client::send_and_wait(Request request) {
  std::promise<Outcome> promise;
  std::future<Outcome> outcome = promise.get_future();
  send(std::move(request),
       [promise = std::move(promise)](Outcome result) mutable { promise.set_value(std::move(result)); });
  return outcome.get();
}

void Client::after(std::chrono::milliseconds delay, Task task, std::stop_token stop) {
  loop_->after(SteadyClock::now() + delay, std::move(task), std::move(stop));
}

void Client::close() { loop_->close(); }

}  // namespace dolmen::http
