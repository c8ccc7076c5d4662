#pragma once

#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "dolmen/error.h"
#include "dolmen/store.h"

/// Coroutines over the `async_` calls of a Store:
///
///     Task<Result<Item>> newest(Store& store, std::string topic) {
///       Result<Page> page = co_await awaitable<Page>([&](Callback<Page> done) {
///         store.async_query_page("notes", {.key = key("topic") == topic, .descending = true, .limit = 1},
///         std::move(done));
///       });
///       ...
///     }
///     Result<Item> note = sync_wait(newest(*store, "dolmen"));
///
/// After a `co_await` a coroutine goes on where the call's callback runs. Without an executor
/// (`RemoteOptions::executor`) that is the store's own thread, on which a call that waits would wait for itself: use
/// `co_await` there, never the calls without `async_`. With an executor both are allowed.
namespace dolmen {

namespace detail {

template <class T, class Start>
class CallAwaitable {
 public:
  explicit CallAwaitable(Start start) : start_(std::move(start)) {}

  [[nodiscard]] bool await_ready() const noexcept { return false; }

  /// The callback may come before `start_` returns, on this thread or another. Whoever is second goes on.
  bool await_suspend(std::coroutine_handle<> waiting) {
    start_(Callback<T>([this, waiting](Result<T> result) {
      result_.emplace(std::move(result));
      if (arrived_.exchange(true, std::memory_order_acq_rel)) waiting.resume();
    }));
    return !arrived_.exchange(true, std::memory_order_acq_rel);
  }

  Result<T> await_resume() { return std::move(*result_); }

 private:
  Start start_;
  std::optional<Result<T>> result_;
  std::atomic<bool> arrived_ = false;
};

}  // namespace detail

/// Awaits one `async_` call. `start(done)` must start the call with the callback that it is given.
template <class T, class Start>
detail::CallAwaitable<T, Start> awaitable(Start start) {
  return detail::CallAwaitable<T, Start>(std::move(start));
}

/// A coroutine that gives a T. It starts when it is awaited, runs once, and must not throw.
template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Continue {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
          return ended.promise().awaiting;
        }
        void await_resume() noexcept {}
      };
      return Continue{};
    }
    template <class Value>
    void return_value(Value&& given) {
      value.emplace(std::forward<Value>(given));
    }
    void unhandled_exception() noexcept { std::terminate(); }

    std::optional<T> value;
    std::coroutine_handle<> awaiting = std::noop_coroutine();
  };

  Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, {})) {}
  Task& operator=(Task&&) = delete;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() {
    if (coroutine_) coroutine_.destroy();
  }

  auto operator co_await() && noexcept {
    struct Awaiter {
      std::coroutine_handle<promise_type> coroutine;
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
        coroutine.promise().awaiting = awaiting;
        return coroutine;
      }
      T await_resume() { return std::move(*coroutine.promise().value); }
    };
    return Awaiter{coroutine_};
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

namespace detail {

/// Says when a task is done. The coroutine ends by itself.
struct Notifier {
  struct promise_type {
    Notifier get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

template <class T>
struct Waiter {
  std::mutex value_mutex;
  std::condition_variable arrived;
  std::optional<T> value;
};

template <class T>
Notifier notify_when_done(Task<T> task, Waiter<T>& waiter) {
  T value = co_await std::move(task);
  // Notified under the lock: afterwards nothing here may touch the waiter.
  const std::lock_guard lock(waiter.value_mutex);
  waiter.value.emplace(std::move(value));
  waiter.arrived.notify_one();
}

}  // namespace detail

/// Runs a task and waits for its value. Not for a store's own thread.
template <class T>
T sync_wait(Task<T> task) {
  detail::Waiter<T> waiter;
  detail::notify_when_done(std::move(task), waiter);
  std::unique_lock lock(waiter.value_mutex);
  waiter.arrived.wait(lock, [&] { return waiter.value.has_value(); });
  return std::move(*waiter.value);
}

}  // namespace dolmen
