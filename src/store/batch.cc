#include "dolmen/batch.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/limits.h"
#include "base/random.h"
#include "base/sleep.h"

namespace dolmen {
namespace {

/// From 0 to below 1.
double fraction_of(std::uint64_t bits) { return std::ldexp(static_cast<double>(bits >> 11U), -53); }

/// Pauses between attempts: each drawn from zero to a bound that doubles.
class Backoff {
 public:
  explicit Backoff(const BatchRetry& retry)
      : retry_(retry),
        sleep_(or_real_sleep(retry.sleep)),
        random_(or_system_random(retry.random)),
        bound_(retry.delay_first) {}

  /// After progress the next pause is short again.
  void reset() {
    attempts_ = 0;
    bound_ = retry_.delay_first;
  }

  /// Pauses; false, without a pause, when the attempts are used up.
  bool wait() {
    if (++attempts_ >= retry_.attempts_max) return false;
    sleep_(std::chrono::duration_cast<std::chrono::milliseconds>(bound_ * fraction_of(random_())));
    bound_ = std::min(bound_ * 2, retry_.delay_max);
    return true;
  }

 private:
  const BatchRetry& retry_;
  const Sleep sleep_;
  const RandomNumbers random_;
  std::chrono::milliseconds bound_;
  unsigned attempts_ = 0;
};

/// Moves the first `count` elements out.
template <class T>
std::vector<T> take_front(std::vector<T>& elements, std::size_t count) {
  const auto end = elements.begin() + static_cast<std::ptrdiff_t>(std::min(count, elements.size()));
  std::vector<T> front(std::make_move_iterator(elements.begin()), std::make_move_iterator(end));
  elements.erase(elements.begin(), end);
  return front;
}

/// Puts elements back before the remaining ones.
template <class T>
void put_back(std::vector<T>& elements, std::vector<T> front) {
  front.insert(front.end(), std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
  elements = std::move(front);
}

std::size_t count_keys(const std::vector<KeysOfTable>& tables) {
  std::size_t keys = 0;
  for (const KeysOfTable& table : tables) keys += table.keys.size();
  return keys;
}

/// Takes up to `count` keys from the front, of one or more tables, each of which occurs at most once.
std::vector<KeysOfTable> take_keys(std::vector<KeysOfTable>& tables, std::size_t count) {
  std::vector<KeysOfTable> front;
  while (count > 0 && !tables.empty()) {
    KeysOfTable& first = tables.front();
    const bool repeated = std::ranges::find(front, first.table, &KeysOfTable::table) != front.end();
    if (repeated) break;
    KeysOfTable part{.table = first.table,
                     .keys = take_front(first.keys, count),
                     .projection = first.projection,
                     .consistent_read = first.consistent_read};
    count -= part.keys.size();
    if (!part.keys.empty()) front.push_back(std::move(part));
    if (first.keys.empty()) tables.erase(tables.begin());
  }
  return front;
}

}  // namespace

WriteAllResult write_all(Store& store, std::vector<BatchAction> actions, const BatchRetry& retry) {
  WriteAllResult result;
  Backoff backoff(retry);
  while (!actions.empty()) {
    std::vector<BatchAction> sent = take_front(actions, limits::kBatchWrites);
    Result<BatchWriteResult> written = store.batch_write(sent);
    const bool throttled = !written && written.error().code() == Code::kThrottled;
    std::vector<BatchAction> rest = written ? std::move(written->unprocessed) : sent;
    result.done += sent.size() - rest.size();
    const bool progress = rest.size() < sent.size();
    const bool incomplete = !rest.empty();
    put_back(actions, std::move(rest));
    if (progress) backoff.reset();
    if (!written) result.error = written.error();
    if ((!written && !throttled) || (incomplete && !backoff.wait())) break;
    result.error.reset();
  }
  result.not_done = std::move(actions);
  return result;
}

GetAllResult get_all(Store& store, std::vector<KeysOfTable> keys, const BatchRetry& retry) {
  GetAllResult result;
  Backoff backoff(retry);
  std::erase_if(keys, [](const KeysOfTable& table) { return table.keys.empty(); });
  while (!keys.empty()) {
    std::vector<KeysOfTable> sent = take_keys(keys, limits::kBatchGetKeys);
    const std::size_t asked = count_keys(sent);
    Result<BatchGetResult> found = store.batch_get(sent);
    const bool throttled = !found && found.error().code() == Code::kThrottled;
    if (found)
      for (auto& [table, items] : found->items) std::ranges::move(items, std::back_inserter(result.items[table]));
    std::vector<KeysOfTable> rest = found ? std::move(found->unprocessed) : std::move(sent);
    const bool progress = count_keys(rest) < asked;
    const bool incomplete = !rest.empty();
    put_back(keys, std::move(rest));
    if (progress) backoff.reset();
    if (!found) result.error = found.error();
    if ((!found && !throttled) || (incomplete && !backoff.wait())) break;
    result.error.reset();
  }
  result.not_done = std::move(keys);
  return result;
}

}  // namespace dolmen
