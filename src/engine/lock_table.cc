#include "engine/lock_table.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

namespace dolmen::engine {
namespace {

/// Runs continuations one after the other instead of inside each other: a continuation that frees locks, and so makes
/// others ready, only queues them when it was itself started from here. Keeps the stack flat however long a queue is.
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

/// A request that stands in the queue of the stripe that it could not take yet.
struct LockTable::Waiter {
  std::vector<Entry> entries;
  std::size_t next;  // the entry that is waited for
  Granted granted;
  Waiter* behind = nullptr;
};

LockTable::Held::Held(LockTable& table, std::vector<Entry> entries) : table_(&table), entries_(std::move(entries)) {}

LockTable::Held::Held(Held&& other) noexcept : table_(other.table_), entries_(std::exchange(other.entries_, {})) {}

LockTable::Held::~Held() {
  for (const Entry& entry : entries_) table_->release(entry);
}

void LockTable::Stripe::admit(LockMode mode) {
  if (mode == LockMode::kExclusive) {
    written = true;
  } else {
    ++readers;
  }
}

void LockTable::acquire(std::span<const LockRequest> requests, Granted granted) {
  std::vector<Entry> entries;
  entries.reserve(requests.size());
  for (const LockRequest& request : requests)
    entries.push_back({static_cast<std::uint32_t>(request.hash % kStripes), request.mode});
  // Of two requests for one stripe the exclusive one counts; it sorts first.
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.stripe != b.stripe ? a.stripe < b.stripe : a.mode > b.mode;
  });
  const auto repeated = std::ranges::unique(entries, {}, &Entry::stripe);
  entries.erase(repeated.begin(), repeated.end());
  take_from(0, std::move(entries), std::move(granted));
}

void LockTable::take_from(std::size_t next, std::vector<Entry> entries, Granted granted) {
  for (; next < entries.size(); ++next) {
    const Entry entry = entries[next];
    Stripe& stripe = stripes_[entry.stripe];
    const std::lock_guard lock(stripe.mutex);
    if (stripe.first_waiter == nullptr && stripe.admits(entry.mode)) {
      stripe.admit(entry.mode);
      continue;
    }
    auto waiter = std::make_unique<Waiter>(std::move(entries), next, std::move(granted));
    (stripe.first_waiter == nullptr ? stripe.first_waiter : stripe.last_waiter->behind) = waiter.get();
    stripe.last_waiter = waiter.release();  // The queue owns it until `release` takes it out.
    return;
  }
  granted(Held(*this, std::move(entries)));
}

void LockTable::release(const Entry& entry) {
  std::vector<std::unique_ptr<Waiter>> ready;
  {
    Stripe& stripe = stripes_[entry.stripe];
    const std::lock_guard lock(stripe.mutex);
    if (entry.mode == LockMode::kExclusive) {
      stripe.written = false;
    } else {
      --stripe.readers;
    }
    while (stripe.first_waiter != nullptr) {
      Waiter* const first = stripe.first_waiter;
      const LockMode mode = first->entries[first->next].mode;
      if (!stripe.admits(mode)) break;
      stripe.admit(mode);
      stripe.first_waiter = first->behind;
      ready.emplace_back(first);
    }
  }
  for (std::unique_ptr<Waiter>& waiter : ready)
    Trampoline::run([this, waiter = std::move(waiter)] {
      take_from(waiter->next + 1, std::move(waiter->entries), std::move(waiter->granted));
    });
}

}  // namespace dolmen::engine
