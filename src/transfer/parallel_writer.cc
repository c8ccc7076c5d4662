#include "transfer/parallel_writer.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/limits.h"
#include "transfer/item_check.h"
#include "value/encoded_item.h"

namespace dolmen::transfer {
namespace {

/// Batches of a lane that wait for its thread.
constexpr std::size_t kBatchesWaiting = 2;
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
  for (const std::unique_ptr<Lane>& lane : lanes_)
    lane->thread = std::jthread([this, &lane = *lane](const std::stop_token& stop) { work(lane, stop); });
}

ParallelWriter::~ParallelWriter() {
  for (const std::unique_ptr<Lane>& lane : lanes_) lane->thread.request_stop();
  for (const std::unique_ptr<Lane>& lane : lanes_) lane->thread.join();
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
  freed_.wait(lock, [&] { return error_ || lane.waiting.size() < kBatchesWaiting; });
  if (error_ || lane.filling.actions.empty()) return;
  lane.waiting.push_back(std::exchange(lane.filling, {}));
  lane.places.clear();
  lane.ready.notify_one();
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

Result<void> ParallelWriter::drain() {
  std::unique_lock lock(lanes_mutex_);
  for (const std::unique_ptr<Lane>& lane : lanes_) hand_over(*lane, lock);
  freed_.wait(lock, [&] {
    return error_ || std::ranges::all_of(lanes_, [](const auto& lane) { return !lane->busy && lane->waiting.empty(); });
  });
  return outcome();
}

void ParallelWriter::work(Lane& lane, const std::stop_token& stop) {
  std::unique_lock lock(lanes_mutex_);
  while (lane.ready.wait(lock, stop, [&] { return !lane.waiting.empty(); })) {
    Batch batch = std::move(lane.waiting.front());
    lane.waiting.pop_front();
    lane.busy = true;
    freed_.notify_all();
    const bool stopped = error_.has_value() || stop.stop_requested();
    lock.unlock();
    if (!stopped) write(std::move(batch));
    lock.lock();
    lane.busy = false;
    freed_.notify_all();
  }
}

void ParallelWriter::write(Batch batch) {
  const Result<BatchWriteResult> done = store_.batch_write(batch.actions);
  if (done && done->unprocessed.empty()) {
    written_ += batch.actions.size();
    return;
  }
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
