#include "transfer/parallel_writer.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/limits.h"
#include "transfer/item_check.h"
#include "value/encoded_item.h"

namespace dolmen::transfer {
namespace {

/// Batches of a lane that wait for the one under way.
constexpr std::size_t kBatchesWaiting = 2;
/// Threads that start batches. Two keep two cores busy with encoding; more would wait for the store's own threads.
constexpr unsigned kStarters = 2;
/// Threads that repeat batches; a store that throttles makes many of them wait.
constexpr unsigned kMenders = 8;
/// All batches that wait or are under way.
constexpr std::size_t kBytesWaiting = std::size_t{64} << 20;
/// A batch is closed when it is so large, so that a few large items do not fill the memory.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

/// Whether the store, or the way to it, is the reason, and other items would fail as well.
bool is_trouble(Code code) {
  switch (code) {
    case Code::kThrottled:
    case Code::kUnavailable:
    case Code::kUnknownOutcome:
    case Code::kTimeout:
    case Code::kCanceled:
    case Code::kCredentials:
    case Code::kUnexpectedResponse:
    case Code::kTableNotFound:
    case Code::kTableInUse:
    case Code::kAccessDenied:
    case Code::kMissingAuthentication:
    case Code::kUnrecognizedClient:
    case Code::kInvalidSignature:
    case Code::kExpiredToken:
    case Code::kNoSpace:
    case Code::kIo:
    case Code::kCorruption:
    case Code::kClosed: return true;
    default: return false;
  }
}

}  // namespace

ParallelWriter::ParallelWriter(Store& store, TableDefinition table, Options options)
    : store_(store), table_(std::move(table)), options_(std::move(options)) {
  for (unsigned i = 0; i < std::max(1U, options_.lanes); ++i) lanes_.push_back(std::make_unique<Lane>());
  for (unsigned i = 0; i < kStarters; ++i)
    starters_.emplace_back([this](const std::stop_token& stop) { start_batches(stop); });
  for (unsigned i = 0; i < kMenders; ++i)
    menders_.emplace_back([this](const std::stop_token& stop) { mend_batches(stop); });
}

ParallelWriter::~ParallelWriter() {
  for (auto* threads : {&starters_, &menders_}) {
    for (std::jthread& thread : *threads) thread.request_stop();
    for (std::jthread& thread : *threads) thread.join();
  }
  std::unique_lock lock(lanes_mutex_);
  freed_.wait(lock, [&] { return under_way_ == 0; });
}

Result<void> ParallelWriter::outcome() const {
  return error_ ? Result<void>(std::unexpected(*error_)) : Result<void>();
}

void ParallelWriter::stop_with(Error error) {
  const std::scoped_lock lock(lanes_mutex_);
  if (!error_) error_ = std::move(error);
  freed_.notify_all();
}

void ParallelWriter::hand_over(Lane& lane, std::unique_lock<std::mutex>& lock) {
  freed_.wait(lock, [&] { return error_ || (lane.waiting.size() < kBatchesWaiting && bytes_ <= kBytesWaiting); });
  if (error_ || lane.filling.actions.empty()) return;
  bytes_ += lane.filling.bytes;
  lane.waiting.push_back(std::exchange(lane.filling, {}));
  lane.places.clear();
  if (std::exchange(lane.busy, true)) return;
  ready_.push_back(&lane);
  has_ready_.notify_one();
}

Result<void> ParallelWriter::put(Item item, std::uint64_t line) {
  std::string key = key_bytes(item, table_);
  const std::size_t bytes = item_size(item);
  Lane& lane = *lanes_[hash64(key) % lanes_.size()];
  BatchPut put{.table = table_.name, .item = std::move(item)};
  std::unique_lock lock(lanes_mutex_);
  if (error_) return outcome();
  if (const auto place = lane.places.find(key); place != lane.places.end()) {
    // A batch may name an item only once; what was put before would be replaced anyway.
    lane.filling.actions[place->second] = std::move(put);
    lane.filling.lines[place->second] = line;
    lane.filling.bytes += bytes;
    ++written_;
  } else {
    lane.places.emplace(std::move(key), lane.filling.actions.size());
    lane.filling.actions.emplace_back(std::move(put));
    lane.filling.lines.push_back(line);
    lane.filling.bytes += bytes;
  }
  if (lane.filling.actions.size() == limits::kBatchWrites || lane.filling.bytes > kBatchBytes) hand_over(lane, lock);
  return outcome();
}

bool ParallelWriter::is_idle() const {
  return under_way_ == 0 && troubled_.empty() &&
         std::ranges::none_of(lanes_, [](const auto& lane) { return lane->busy; });
}

Result<void> ParallelWriter::drain() {
  std::unique_lock lock(lanes_mutex_);
  for (const std::unique_ptr<Lane>& lane : lanes_) hand_over(*lane, lock);
  freed_.wait(lock, [&] { return error_ || is_idle(); });
  return outcome();
}

void ParallelWriter::start_batches(const std::stop_token& stop) {
  std::unique_lock lock(lanes_mutex_);
  while (has_ready_.wait(lock, stop, [&] { return !ready_.empty(); })) {
    Lane& lane = *ready_.front();
    ready_.pop_front();
    Batch batch = std::move(lane.waiting.front());
    lane.waiting.pop_front();
    freed_.notify_all();
    const bool stopped = error_.has_value() || stop.stop_requested();
    if (!stopped) ++under_way_;
    lock.unlock();
    if (stopped)
      finish(lane, batch.bytes);
    else
      start(lane, std::move(batch));
    lock.lock();
  }
}

void ParallelWriter::start(Lane& lane, Batch batch) {
  auto kept = std::make_shared<Batch>(std::move(batch));
  store_.async_batch_write(kept->actions, {}, [this, &lane, kept](Result<BatchWriteResult> done) {
    const bool is_written = done && done->unprocessed.empty();
    if (is_written) {
      written_ += kept->actions.size();
      finish(lane, kept->bytes);
    }
    // Notified under the lock: afterwards the writer may be gone.
    const std::scoped_lock lock(lanes_mutex_);
    if (!is_written) {
      troubled_.push_back({&lane, std::move(*kept), std::move(done)});
      has_troubled_.notify_one();
    }
    --under_way_;
    freed_.notify_all();
  });
}

/// Lets a lane go on with its next batch.
void ParallelWriter::finish(Lane& lane, std::size_t bytes) {
  const std::scoped_lock lock(lanes_mutex_);
  bytes_ -= bytes;
  lane.busy = !lane.waiting.empty();
  if (lane.busy) {
    ready_.push_back(&lane);
    has_ready_.notify_one();
  }
  freed_.notify_all();
}

void ParallelWriter::mend_batches(const std::stop_token& stop) {
  std::unique_lock lock(lanes_mutex_);
  while (has_troubled_.wait(lock, stop, [&] { return !troubled_.empty(); })) {
    Troubled troubled = std::move(troubled_.front());
    troubled_.pop_front();
    const bool stopped = error_.has_value() || stop.stop_requested();
    lock.unlock();
    Lane& lane = *troubled.lane;
    const std::size_t bytes = troubled.batch.bytes;
    if (!stopped) mend(std::move(troubled));
    finish(lane, bytes);
    lock.lock();
  }
}

void ParallelWriter::mend(Troubled troubled) {
  Batch& batch = troubled.batch;
  Result<BatchWriteResult>& done = troubled.outcome;
  if (done || is_trouble(done.error().code())) {
    // What has been written may be written again: it is the same.
    const WriteAllResult rest = write_all(store_, done ? done->unprocessed : batch.actions, options_.retry);
    written_ += batch.actions.size() - rest.not_done.size();
    if (!rest.complete())
      stop_with(rest.error.value_or(Error(Code::kThrottled, "the store left items unprocessed too often")));
    return;
  }
  for (std::size_t i = 0; i < batch.actions.size(); ++i)
    write_one(std::get<BatchPut>(batch.actions[i]).item, batch.lines[i]);
}

/// Finds out which item of a batch is refused.
void ParallelWriter::write_one(const Item& item, std::uint64_t line) {
  const Result<WriteResult> done = store_.put_item(table_.name, item);
  if (done) {
    ++written_;
    return;
  }
  if (is_trouble(done.error().code())) return stop_with(done.error());
  if (!options_.refused)
    return stop_with(
        Error(done.error().code(), fmt::format("line {}: {}", line, done.error().message()), done.error().details()));
  const std::scoped_lock lock(refused_mutex_);
  options_.refused(line, item, done.error());
}

}  // namespace dolmen::transfer
