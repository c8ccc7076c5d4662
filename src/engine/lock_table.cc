#include "engine/lock_table.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "base/hash.h"

namespace dolmen::engine {
namespace {

/// Runs continuations one after the other instead of inside each other. A continuation that was started from here and
/// frees locks only queues the continuations that become ready. This keeps the stack flat for queues of any length.
class Trampoline {
 public:
  using Task = std::move_only_function<void()>;

  static void run(Task task) {
    if (running_ != nullptr) {
      running_->push_back(std::move(task));
      return;
    }
    std::deque<Task> tasks;
    running_ = &tasks;
    tasks.push_back(std::move(task));
    while (!tasks.empty()) {
      Task next = std::move(tasks.front());
      tasks.pop_front();
      next();
    }
    running_ = nullptr;
  }

 private:
  static thread_local std::deque<Task>* running_;
};

thread_local std::deque<Trampoline::Task>* Trampoline::running_ = nullptr;

}  // namespace

/// A request in the queue of a lock that it is waiting for.
struct LockTable::Waiter {
  std::vector<LockRequest> locks;
  std::size_t next;  // the lock that is waited for
  Granted granted;
  Waiter* behind = nullptr;
};

LockTable::Held::Held(LockTable& table, std::vector<LockRequest> locks) : table_(&table), locks_(std::move(locks)) {}

LockTable::Held::Held(Held&& other) noexcept : table_(other.table_), locks_(std::exchange(other.locks_, {})) {}

LockTable::Held::~Held() {
  for (const LockRequest& lock : locks_) table_->release(lock);
}

void LockTable::Lock::admit(LockMode mode) {
  if (mode == LockMode::kExclusive) {
    written = true;
  } else {
    ++readers;
  }
}

LockRequest LockTable::table(std::string_view name, LockMode mode) const {
  return {.lock = kFirstTableLock + static_cast<std::uint32_t>(hash64(name, seed_) % kTableLocks), .mode = mode};
}

LockRequest LockTable::item(std::string_view storage_key, LockMode mode) const {
  return {.lock = kFirstKeyLock + static_cast<std::uint32_t>(hash64(storage_key, seed_) % kKeyLocks), .mode = mode};
}

LockRequest LockTable::client_token(std::string_view token) const { return item(token); }

void LockTable::acquire(std::span<const LockRequest> requests, Granted granted) {
  std::vector<LockRequest> locks(requests.begin(), requests.end());
  // Of two requests for one lock only the exclusive one counts; it sorts first.
  std::ranges::sort(locks, [](const LockRequest& a, const LockRequest& b) {
    return a.lock != b.lock ? a.lock < b.lock : a.mode > b.mode;
  });
  const auto repeated = std::ranges::unique(locks, {}, &LockRequest::lock);
  locks.erase(repeated.begin(), repeated.end());
  take_from(0, std::move(locks), std::move(granted));
}

void LockTable::take_from(std::size_t next, std::vector<LockRequest> locks, Granted granted) {
  for (; next < locks.size(); ++next) {
    const LockRequest wanted = locks[next];
    Lock& lock = locks_[wanted.lock];
    const std::lock_guard guard(lock.mutex);
    if (lock.first_waiter == nullptr && lock.admits(wanted.mode)) {
      lock.admit(wanted.mode);
      continue;
    }
    auto waiter = std::make_unique<Waiter>(std::move(locks), next, std::move(granted));
    (lock.first_waiter == nullptr ? lock.first_waiter : lock.last_waiter->behind) = waiter.get();
    lock.last_waiter = waiter.release();  // The queue owns it until `release` takes it out.
    return;
  }
  granted(Held(*this, std::move(locks)));
}

void LockTable::release(const LockRequest& held) {
  std::vector<std::unique_ptr<Waiter>> ready;
  {
    Lock& lock = locks_[held.lock];
    const std::lock_guard guard(lock.mutex);
    if (held.mode == LockMode::kExclusive) {
      lock.written = false;
    } else {
      --lock.readers;
    }
    while (lock.first_waiter != nullptr) {
      Waiter* const first = lock.first_waiter;
      const LockMode mode = first->locks[first->next].mode;
      if (!lock.admits(mode)) break;
      lock.admit(mode);
      lock.first_waiter = first->behind;
      ready.emplace_back(first);
    }
  }
  for (std::unique_ptr<Waiter>& waiter : ready)
    Trampoline::run([this, waiter = std::move(waiter)] {
      take_from(waiter->next + 1, std::move(waiter->locks), std::move(waiter->granted));
    });
}

}  // namespace dolmen::engine
