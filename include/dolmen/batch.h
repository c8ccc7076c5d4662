#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"

/// Batches of any size: split into requests as large as DynamoDB takes, and what comes back unprocessed is sent again
/// after a pause that grows and is drawn at random, so that many clients do not return at the same moment.
namespace dolmen {

/// How often and how soon a batch is tried again.
struct BatchRetry {
  /// Requests in a row that may leave something unprocessed or be throttled before the batch gives up on the rest.
  unsigned attempts_max = 10;
  std::chrono::milliseconds delay_first{50};
  std::chrono::milliseconds delay_max{5000};
  /// Waits between two requests.
  Sleep sleep = {};
  /// Randomises the pauses.
  RandomNumbers random = {};
};

/// What became of a large batch of writes.
struct WriteAllResult {
  std::size_t done = 0;
  /// In the order of the request. Empty when everything was done.
  std::vector<BatchAction> not_done;
  /// Why something was not done; nothing when the store only left it unprocessed too often.
  std::optional<Error> error;

  [[nodiscard]] bool complete() const noexcept { return not_done.empty(); }
};

/// Writes all of it, 25 at a time. Stops at the first error that is not throttling. Two writes of one item are refused
/// by DynamoDB when they fall into the same request.
WriteAllResult write_all(Store& store, std::vector<BatchAction> actions, const BatchRetry& retry = {});

/// What became of a large batch of keys.
struct GetAllResult {
  /// By table, in no particular order.
  std::map<std::string, std::vector<Item>> items;
  std::vector<KeysOfTable> not_done;
  std::optional<Error> error;

  [[nodiscard]] bool complete() const noexcept { return not_done.empty(); }
};

/// Gets all of it, 100 keys at a time.
GetAllResult get_all(Store& store, std::vector<KeysOfTable> keys, const BatchRetry& retry = {});

}  // namespace dolmen
