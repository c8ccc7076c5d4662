#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/value.h"

/// What the operations of a Store take and return. Every member has a default, so that a call names only what matters:
///
///     store->put_item("notes", note, {.condition = attr("topic").not_exists()});
namespace dolmen {

/// Which attributes of the written item come back. A put or delete has only kNone and kAllOld.
enum class ReturnValues : std::uint8_t {
  kNone,
  kAllOld,
  kUpdatedOld,  ///< as they were, only what the update names
  kAllNew,
  kUpdatedNew,
};

/// Which consumed capacity is returned.
enum class ReturnCapacity : std::uint8_t { kNone, kTotal, kIndexes };

/// Capacity units, and where they were consumed.
struct ConsumedCapacity {
  std::string table;
  double total = 0;
  double of_table = 0;
  std::map<std::string, double> of_local_indexes;
  std::map<std::string, double> of_global_indexes;
  /// Transactions say how their units are made up.
  std::optional<double> read;
  std::optional<double> write;
  /// Bytes that a write changed in vector indexes. They are not units, and not part of the others.
  std::map<std::string, double> of_vector_indexes = {};
};

/// The partition of a table with local indexes that a write went to, and about how large it is.
struct CollectionSize {
  Item key;
  double lower_gb = 0;
  double upper_gb = 1;
};

// ---- One item ----

struct PutOptions {
  Condition condition = {};
  ReturnValues return_values = ReturnValues::kNone;
  /// When the condition fails, its error carries the item (`failed_item`).
  bool return_item_on_failure = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_size = false;
};

using DeleteOptions = PutOptions;
using UpdateOptions = PutOptions;

struct WriteResult {
  /// The attributes that `return_values` asked for; empty when there are none.
  std::optional<Item> attributes;
  std::optional<ConsumedCapacity> capacity;
  std::optional<CollectionSize> collection_size;
};

struct GetOptions {
  Projection projection = {};
  /// Whether the read is strongly consistent. Reads of an embedded store always are.
  bool consistent_read = true;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct GetResult {
  /// Nothing when there is no item with that key.
  std::optional<Item> item;
  std::optional<ConsumedCapacity> capacity;
};

// ---- Many items ----

/// A part of a parallel scan.
struct ScanSegment {
  std::uint32_t segment = 0;
  std::uint32_t total = 1;

  friend bool operator==(const ScanSegment&, const ScanSegment&) = default;
};

struct QueryOptions {
  /// All attributes of the partition key by `==`, and at most one condition on the sort key.
  Condition key = {};
  /// Of an index; without it the table is read.
  std::string index = {};
  /// What is read but does not match is left out.
  Condition filter = {};
  Projection projection = {};
  bool descending = false;
  /// At most so many items come back; 0 means all.
  std::uint32_t limit = 0;
  /// At most so many items are read by one request; 0 leaves it to the store, which reads up to 1 MB.
  std::uint32_t page_size = 0;
  /// Go on after this key: the `last_key` of an earlier page.
  std::optional<Item> start_after = std::nullopt;
  bool consistent_read = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct ScanOptions {
  std::string index = {};
  Condition filter = {};
  Projection projection = {};
  std::optional<ScanSegment> segment = std::nullopt;
  std::uint32_t limit = 0;
  std::uint32_t page_size = 0;
  std::optional<Item> start_after = std::nullopt;
  bool consistent_read = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct Page {
  std::vector<Item> items;
  /// Items that matched, and items that were read.
  std::uint64_t count = 0;
  std::uint64_t scanned_count = 0;
  /// Where to go on; nothing on the last page. A page may be empty and still not be the last.
  std::optional<Item> last_key;
  std::optional<ConsumedCapacity> capacity;
};

/// How many items matched and were read on all pages.
struct Counted {
  std::uint64_t count = 0;
  std::uint64_t scanned_count = 0;
};

// ---- Batches ----

/// Keys of one table to get.
struct KeysOfTable {
  std::string table;
  std::vector<Item> keys;
  Projection projection = {};
  bool consistent_read = true;
};

struct BatchGetOptions {
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct BatchGetResult {
  /// By table, in no particular order.
  std::map<std::string, std::vector<Item>> items;
  /// What to ask for again.
  std::vector<KeysOfTable> unprocessed;
  std::vector<ConsumedCapacity> capacity;
};

struct BatchPut {
  std::string table;
  Item item;

  friend bool operator==(const BatchPut&, const BatchPut&) = default;
};

struct BatchDelete {
  std::string table;
  Item key;

  friend bool operator==(const BatchDelete&, const BatchDelete&) = default;
};

using BatchAction = std::variant<BatchPut, BatchDelete>;

struct BatchWriteOptions {
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_size = false;
};

struct BatchWriteResult {
  /// What to send again.
  std::vector<BatchAction> unprocessed;
  std::vector<ConsumedCapacity> capacity;
  std::map<std::string, std::vector<CollectionSize>> collection_sizes;
};

// ---- Transactions ----

struct PutAction {
  std::string table;
  Item item;
  Condition condition = {};
  bool return_item_on_failure = false;
};

struct UpdateAction {
  std::string table;
  Item key;
  Update update;
  Condition condition = {};
  bool return_item_on_failure = false;
};

struct DeleteAction {
  std::string table;
  Item key;
  Condition condition = {};
  bool return_item_on_failure = false;
};

/// Changes nothing, and fails the transaction unless the condition holds.
struct CheckAction {
  std::string table;
  Item key;
  Condition condition;
  bool return_item_on_failure = false;
};

using TransactAction = std::variant<PutAction, UpdateAction, DeleteAction, CheckAction>;

struct TransactWriteOptions {
  /// The same token within ten minutes is the same transaction, carried out once.
  std::string client_token = {};
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_size = false;
};

struct TransactWriteResult {
  std::vector<ConsumedCapacity> capacity;
  std::map<std::string, std::vector<CollectionSize>> collection_sizes;
};

struct TransactGet {
  std::string table;
  Item key;
  Projection projection = {};
};

struct TransactGetOptions {
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct TransactGetResult {
  /// One for each of the asked keys, in order.
  std::vector<std::optional<Item>> items;
  std::vector<ConsumedCapacity> capacity;
};

// ---- Failures ----

/// The item that made a condition fail, when the error is kConditionFailed and the item was asked for.
std::optional<Item> failed_item(const Error& error);

/// Why one action of a canceled transaction was not carried out.
struct TransactFailure {
  /// DynamoDB's word: None, ConditionalCheckFailed, TransactionConflict, ValidationError, ...
  std::string reason = "None";
  std::string message = {};
  std::optional<Item> item = std::nullopt;
};

/// One for each action in order, when the error is kTransactionCanceled.
std::vector<TransactFailure> transact_failures(const Error& error);

}  // namespace dolmen
