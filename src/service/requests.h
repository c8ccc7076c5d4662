#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/operations.h"
#include "dolmen/table.h"
#include "expr/binding.h"
#include "expr/key_condition.h"
#include "value/encoded_item.h"

/// The item operations as they travel between the rooms. Items stay in their binary form from end to end; code that
/// needs a tree decodes one. The values of a request have been checked against DynamoDB's rules for values; its
/// expressions have not been checked, nor has it been compared with the table.
namespace dolmen {

/// The partition that a write went to, in a table with local indexes, and its approximate size in GB.
struct ItemCollectionMetrics {
  EncodedItem key;
  double lower_gb = 0;
  double upper_gb = 1;
};

/// An expression of a request. `generated` marks text made from legacy parameters, which is exempt from the limits for
/// text.
struct Expression {
  std::string text;
  bool generated = false;
};

enum class WriteKind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };

/// Every request that writes one item: PutItem, UpdateItem, DeleteItem, and an action of a transaction, where kCheck
/// only checks a condition.
struct WriteRequest {
  WriteKind kind = WriteKind::kPut;
  std::string table;
  /// The item of a put; otherwise the key.
  EncodedItem item;
  std::optional<Expression> update;
  std::optional<Expression> condition;
  expr::Placeholders placeholders;

  ReturnValues return_values = ReturnValues::kNone;
  /// Return the item when its condition fails.
  bool return_on_failure = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_metrics = false;
};

struct WriteResponse {
  std::optional<EncodedItem> attributes;
  std::optional<ConsumedCapacity> capacity;
  std::optional<ItemCollectionMetrics> collection_metrics;
};

struct GetItemRequest {
  std::string table;
  EncodedItem key;
  std::optional<Expression> projection;
  expr::Placeholders placeholders;
  /// Every read of an embedded store is consistent. At a remote store this decides. It doubles the consumed capacity.
  bool consistent_read = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct GetItemResponse {
  std::optional<EncodedItem> item;
  std::optional<ConsumedCapacity> capacity;
};

enum class Select : std::uint8_t { kAllAttributes, kAllProjected, kSpecific, kCount };

/// A Query when it has a key condition in either form, otherwise a Scan.
struct ReadManyRequest {
  std::string table;
  std::optional<std::string> index;
  std::optional<Expression> key_condition;
  /// The legacy form, which may be combined with expressions for the other parameters.
  std::optional<std::vector<expr::KeyCondition>> key_conditions;
  std::optional<Expression> filter;
  std::optional<Expression> projection;
  expr::Placeholders placeholders;
  std::optional<Select> select;
  std::optional<std::uint32_t> limit;
  std::optional<EncodedItem> start_key;
  std::optional<ScanSegment> segment;
  bool forward = true;
  bool consistent_read = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct ReadManyResponse {
  std::vector<EncodedItem> items;
  std::uint64_t count = 0;
  std::uint64_t scanned_count = 0;
  std::optional<EncodedItem> last_key;
  std::optional<ConsumedCapacity> capacity;
};

struct DescribeTableRequest {
  std::string table;
};

struct DeleteTableRequest {
  std::string table;
};

struct ListTablesRequest {
  std::optional<std::string> after;
  std::optional<int> limit;
};

// ---- Batches ----

struct BatchGetTable {
  std::string table;
  std::vector<EncodedItem> keys;
  std::optional<Expression> projection;
  expr::Placeholders placeholders;
  bool consistent_read = false;
};

struct BatchGetRequest {
  std::vector<BatchGetTable> tables;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct BatchGetResponse {
  /// In the order of the request's tables.
  std::vector<std::vector<EncodedItem>> items;
  /// For each table the positions of the keys that did not fit into the response.
  std::vector<std::vector<std::size_t>> unprocessed;
  std::vector<ConsumedCapacity> capacity;
};

struct BatchWriteRequest {
  /// Puts and deletes without conditions, grouped by table.
  std::vector<WriteRequest> writes;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_metrics = false;
};

struct BatchWriteResponse {
  /// The positions of writes that were not carried out, to be sent again.
  std::vector<std::size_t> unprocessed;
  std::vector<ConsumedCapacity> capacity;
  std::vector<std::pair<std::string, ItemCollectionMetrics>> collection_metrics;
};

// ---- Transactions ----

struct TransactWriteRequest {
  std::vector<WriteRequest> writes;
  std::optional<std::string> client_token;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_metrics = false;
  /// Written to the log with the writes, where the next start sees it (storage::Options::inspect_log). Only for an
  /// embedded service.
  std::string log_note = {};
};

struct TransactWriteResponse {
  std::vector<ConsumedCapacity> capacity;
  std::vector<std::pair<std::string, ItemCollectionMetrics>> collection_metrics;
};

struct TransactGetRequest {
  std::vector<GetItemRequest> gets;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct TransactGetResponse {
  std::vector<std::optional<EncodedItem>> items;
  std::vector<ConsumedCapacity> capacity;
};

}  // namespace dolmen
