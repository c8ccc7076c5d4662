#include "storage/commit_queue.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "base/broken.h"
#include "base/check.h"
#include "base/round.h"
#include "base/thread_name.h"

namespace dolmen::storage {
namespace {

/// A group larger than this is written in parts, so that the first of many large commits need not wait for the last.
constexpr std::size_t kGroupBytesMax = std::size_t{1} << 20;

/// The end of the part of a group that begins with `first`.
std::size_t end_of_part(std::span<const Batch> group, std::size_t first) {
  std::size_t bytes = group[first].byte_size();
  std::size_t last = first + 1;
  while (last < group.size() && bytes + group[last].byte_size() <= kGroupBytesMax) bytes += group[last++].byte_size();
  return last;
}

constexpr std::uint64_t kCommitBounds[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
constexpr std::uint64_t kBytesBounds[] = {1U << 10U,   4U << 10U, 16U << 10U, 64U << 10U,
                                          256U << 10U, 1U << 20U, 4U << 20U};

/// Tells the processor that this is a spin loop, where it has an instruction for that.
void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

CommitQueue::Statistics::Statistics()
    : commits(kCommitBounds), bytes(kBytesBounds), time(metrics::latency_bounds(), metrics::kNanosecondsPerSecond) {}

CommitQueue::CommitQueue(CommitSink& sink, Mode mode, Limits limits, OnFailure on_failure)
    : sink_(sink),
      mode_(mode),
      limits_(limits),
      on_failure_(std::move(on_failure)),
      thread_([this] { run(); }),
      thread_id_(thread_.get_id()) {}

CommitQueue::~CommitQueue() { stop(); }

void CommitQueue::submit(Batch batch, Done done) {
  // Checked before waiting for a turn: a waiter that is woken to write and does not would block the others.
  if (auto reason = oversize(batch)) return done(std::unexpected(std::move(*reason)));
  if (broken(Defect::kAnswerBeforeCommit, 20)) std::exchange(done, [](const Result<void>&) {})({});
  if (mode_ == Mode::kInline) {
    if (!put_off(batch, done)) write_inline({&batch, 1}, {&done, 1});
    return;
  }
  Lock lock(mutex_);
  if (auto reason = refusal(batch)) {
    lock.unlock();
    return done(std::unexpected(std::move(*reason)));
  }
  enqueue(std::move(batch), std::move(done));
}

/// An inline write takes a few microseconds, less than suspending and waking a thread.
void CommitQueue::spin_while_writing() const {
  constexpr int kSpinsMax = 2'000;
  for (int i = 0; i < kSpinsMax && writing_.load(std::memory_order_relaxed); ++i) pause_briefly();
}

struct CommitQueue::PutOff {
  CommitQueue* queue = nullptr;
  Group group;
};

CommitQueue::PutOff& CommitQueue::put_off_here() {
  thread_local PutOff put_off;
  return put_off;
}

/// False when the calling thread does not work in rounds, or has put off commits of another queue.
bool CommitQueue::put_off(Batch& batch, Done& done) {
  Round* const round = Round::current();
  if (round == nullptr) return false;
  PutOff& here = put_off_here();
  if (here.queue != nullptr && here.queue != this) return false;
  here.group.batches.push_back(std::move(batch));
  here.group.dones.push_back(std::move(done));
  if (std::exchange(here.queue, this) == nullptr) {
    ++rounds_;
    round->at_end([this] { end_round(); });
  }
  return true;
}

void CommitQueue::end_round() {
  PutOff& here = put_off_here();
  // What is committed by a `done` belongs to the next round.
  here.queue = nullptr;
  Group group = std::exchange(here.group, {});
  for (std::size_t first = 0; first < group.batches.size();) {
    const std::size_t last = end_of_part(group.batches, first);
    write_inline(std::span(group.batches).subspan(first, last - first),
                 std::span(group.dones).subspan(first, last - first));
    first = last;
  }
  group.batches.clear();
  group.dones.clear();
  if (here.group.batches.empty()) here.group = std::move(group);  // for its memory
  if (--rounds_ == 0) rounds_.notify_all();
}

void CommitQueue::write_inline(std::span<Batch> batches, std::span<Done> dones) {
  spin_while_writing();
  Lock lock(mutex_);
  turn_.wait(lock, [this] { return !writing_ || is_behind() || failure_ || stopping_; });
  if (is_behind() || failure_ || stopping_) return enqueue_or_refuse(lock, batches, dones);

  writing_ = true;
  lock.unlock();
  const Result<bool> written = sink_.try_write(batches);
  lock.lock();
  const Result<void> result = written ? Result<void>() : std::unexpected(written.error());
  end_write(result);
  if (written && !*written) {
    for (std::size_t i = 0; i < batches.size(); ++i) enqueue(std::move(batches[i]), std::move(dones[i]));
    return;
  }
  lock.unlock();
  if (written) statistics_.inline_commits.add(batches.size());
  for (Done& done : dones) std::exchange(done, nullptr)(result);
}

// Holds the lock on entry, but not on return.
void CommitQueue::enqueue_or_refuse(Lock& lock, std::span<Batch> batches, std::span<Done> dones) {
  std::vector<std::pair<Done, Error>> refused;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    if (std::optional<Error> reason = refusal(batches[i])) {
      refused.emplace_back(std::move(dones[i]), *std::move(reason));
    } else {
      enqueue(std::move(batches[i]), std::move(dones[i]));
    }
  }
  lock.unlock();
  for (auto& [done, reason] : refused) done(std::unexpected(std::move(reason)));
}

// Needs the lock. Writers that wait for their turn to write inline must not overtake queued batches: they queue too.
void CommitQueue::enqueue(Batch batch, Done done) {
  queued_.bytes += batch.byte_size();
  queued_.batches.push_back(std::move(batch));
  queued_.dones.push_back(std::move(done));
  // The queue's thread sleeps until there is a batch, and then until there are as many as it expects.
  if (queued_.batches.size() == 1 || queued_.batches.size() >= expected_) work_.notify_one();
  if (mode_ == Mode::kInline) turn_.notify_all();
}

// Needs the lock. Waking one writer is enough, because it calls this function in turn. A failure, a backlog or the end,
// which make writers leave without writing, wake all of them.
void CommitQueue::end_write(const Result<void>& written) {
  writing_ = false;
  if (written) {
    turn_.notify_one();
  } else {
    recoverable_ = sink_.may_recover();
    failure_ = Error(written.error().code(),
                     fmt::format("the store refuses writes {}, because one has failed: {}",
                                 recoverable_ ? "for now" : "until it is reopened", written.error().message()));
    if (on_failure_) on_failure_(failure_);
    turn_.notify_all();
    if (recoverable_) work_.notify_one();
  }
  if (stopping_) work_.notify_one();
}

// Holds the lock on entry and on return. Nobody else writes meanwhile, because every batch is refused.
void CommitQueue::recover(Lock& lock) {
  writing_ = true;
  lock.unlock();
  const Result<bool> recovered = sink_.recover();
  lock.lock();
  writing_ = false;
  if (recovered && !*recovered) return;
  recoverable_ = false;
  failure_.reset();
  if (!recovered)
    failure_ = Error(recovered.error().code(),
                     fmt::format("the store refuses writes until it is reopened, because one has failed: {}",
                                 recovered.error().message()));
  if (on_failure_) on_failure_(failure_);
}

std::optional<Error> CommitQueue::oversize(const Batch& batch) const {
  if (batch.byte_size() <= limits_.batch_bytes_max) return std::nullopt;
  return Error(Code::kLimitExceeded, fmt::format("a commit of {} bytes is larger than the {} bytes allowed",
                                                 batch.byte_size(), limits_.batch_bytes_max));
}

// Needs the lock. Every cause of a refusal has woken all writers that wait for their turn, so none waits forever.
std::optional<Error> CommitQueue::refusal(const Batch& batch) const {
  if (stopping_) return Error(Code::kClosed, "the store is closed");
  if (failure_) return failure_;
  if (!queued_.batches.empty() && queued_.bytes + batch.byte_size() > limits_.queued_bytes_max) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    return Error(Code::kThrottled,
                 fmt::format("{} bytes are waiting to be committed already, and the limit is {} bytes; try again",
                             queued_.bytes, limits_.queued_bytes_max));
  }
  return std::nullopt;
}

void CommitQueue::run() {
  name_thread("commit");
  Group group;
  Lock lock(mutex_);
  for (;;) {
    // An inline writer may still queue its batch, so stopping waits for it.
    const auto must_act = [this] { return !queued_.batches.empty() || (stopping_ && !writing_); };
    work_.wait(lock, [&] { return must_act() || recoverable_; });
    if (recoverable_ && !must_act()) {
      if (!work_.wait_for(lock, limits_.recovery_pause, must_act)) recover(lock);
      continue;
    }
    if (queued_.batches.empty()) return;
    gather(lock);
    std::swap(group, queued_);
    const std::size_t size = group.batches.size();
    const auto started = std::chrono::steady_clock::now();
    write_group(lock, group);
    write_time_ = std::chrono::steady_clock::now() - started;
    expected_ = size + queued_.batches.size();
    group.batches.clear();
    group.dones.clear();
    group.bytes = 0;
  }
}

/// Waits briefly for clients that commit again as soon as they are answered. Without it they fall into two halves that
/// take turns, one being written while the other is answered, and every sync serves only half of them. The wait is
/// short compared with the write that it may save, and there is none when all of them have come.
void CommitQueue::gather(Lock& lock) {
  constexpr std::chrono::nanoseconds kGatherMax = std::chrono::milliseconds(2);
  constexpr int kRestAfterFailure = 16;
  if (mode_ != Mode::kGrouped || queued_.batches.size() >= expected_) return;
  if (groups_without_gather_ > 0) {
    --groups_without_gather_;
    return;
  }
  const std::size_t missing = expected_ - queued_.batches.size();
  const auto patience = std::min<std::chrono::nanoseconds>(write_time_ / 2, kGatherMax);
  work_.wait_for(lock, patience, [this] { return queued_.batches.size() >= expected_ || stopping_; });
  const bool in_vain = queued_.batches.size() < expected_ && expected_ - queued_.batches.size() > missing / 2;
  if (in_vain) groups_without_gather_ = kRestAfterFailure;
}

// Holds the lock on entry and on return.
void CommitQueue::write_group(Lock& lock, Group& group) {
  thread_writes_ = true;
  std::size_t first = 0;
  while (first < group.batches.size()) {
    const std::size_t last = end_of_part(group.batches, first);
    const Result<void> result = write_part(lock, std::span(group.batches).subspan(first, last - first));
    thread_writes_ = last < group.batches.size();
    lock.unlock();
    for (; first < last; ++first) std::exchange(group.dones[first], nullptr)(result);
    lock.lock();
  }
}

Result<void> CommitQueue::write_part(Lock& lock, std::span<const Batch> part) {
  DOLMEN_CHECK(!writing_, "nobody writes inline while batches are queued");
  if (failure_) return std::unexpected(*failure_);
  writing_ = true;
  lock.unlock();
  const auto began = std::chrono::steady_clock::now();
  Result<void> result = sink_.write(part);
  const auto time = std::chrono::steady_clock::now() - began;
  std::size_t bytes = 0;
  for (const Batch& batch : part) bytes += batch.byte_size();
  statistics_.commits.observe(part.size());
  statistics_.bytes.observe(bytes);
  statistics_.time.observe(static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count()));
  lock.lock();
  end_write(result);
  return result;
}

void CommitQueue::stop() {
  DOLMEN_CHECK(!is_own_thread(), "a commit's callback cannot close the store");
  for (std::size_t rounds = rounds_; rounds > 0; rounds = rounds_) rounds_.wait(rounds);
  {
    const Lock lock(mutex_);
    stopping_ = true;
    work_.notify_one();
    turn_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

std::optional<Error> CommitQueue::failure() const {
  const Lock lock(mutex_);
  return failure_;
}

}  // namespace dolmen::storage
