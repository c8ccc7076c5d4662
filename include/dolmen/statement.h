#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/operations.h"
#include "dolmen/value.h"

/// PartiQL: what the calls of a Store for statements take and return.
///
///     auto rows = store->execute("SELECT * FROM notes WHERE topic = ? AND written > ?", {"dolmen", 0});
namespace dolmen {

struct StatementOptions {
  /// At most so many rows come back; 0 means all. Only `execute` and `select` look at it.
  std::uint32_t limit = 0;
  /// At most so many items are read by one request; 0 leaves it to the store, which reads up to 1 MB.
  std::uint32_t page_size = 0;
  /// Go on where an earlier page of the same statement with the same parameters ended.
  std::optional<std::string> next_token = std::nullopt;
  bool consistent_read = false;
  /// When the condition of an UPDATE or DELETE fails, its error carries the item (`failed_item`).
  bool return_item_on_failure = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

/// The result of a single request.
struct StatementPage {
  /// The rows of a SELECT, or what RETURNING asks for.
  std::vector<Item> items;
  /// Where to go on; nothing on the last page. A page may be empty and still not be the last.
  std::optional<std::string> next_token;
  std::optional<ConsumedCapacity> capacity;
};

/// A statement of a batch or transaction.
struct StatementCall {
  std::string text;
  /// The values of its question marks, in order.
  std::vector<AttributeValue> parameters = {};
  /// Only in a batch; transactions always read what is current.
  bool consistent_read = false;
  /// Only in a transaction.
  bool return_item_on_failure = false;
};

struct BatchExecuteOptions {
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct BatchExecuteResult {
  /// One for each statement, in order: the item that was read or that RETURNING asks for, or why it failed.
  std::vector<Result<std::optional<Item>>> outcomes;
  std::vector<ConsumedCapacity> capacity;
};

struct TransactExecuteOptions {
  /// The same token within ten minutes is the same transaction, carried out once.
  std::string client_token = {};
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct TransactExecuteResult {
  /// One for each statement of a transaction that reads; none of one that writes.
  std::vector<std::optional<Item>> items;
  std::vector<ConsumedCapacity> capacity;
};

}  // namespace dolmen
