#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/backup.h"
#include "dolmen/operations.h"
#include "dolmen/stream.h"
#include "dolmen/table.h"
#include "dolmen/time_to_live.h"
#include "expr/binding.h"
#include "expr/key_condition.h"
#include "service/elsewhere.h"
#include "service/moment.h"
#include "service/read_trace.h"
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

/// An expression that has been read and bound, as the planner of statements makes them. The one who asks for it takes
/// the part that it needs.
struct BoundExpression {
  expr::Node condition = {};
  std::vector<expr::UpdateAction> actions = {};
  std::vector<expr::Path> paths = {};
  /// Owns the values that the trees point to.
  std::shared_ptr<const void> values = nullptr;
};

/// An expression of a request. `generated` marks text made from legacy parameters, which is exempt from the limits for
/// text. Instead of text it may have been read and bound before.
struct Expression {
  std::string text;
  bool generated = false;
  std::shared_ptr<const BoundExpression> bound = nullptr;
};

enum class WriteKind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };

/// Every request that writes one item: PutItem, UpdateItem, DeleteItem, and an action of a transaction, where kCheck
/// only checks a condition.
struct WriteRequest {
  WriteKind kind = WriteKind::kPut;
  std::string table;
  /// The item of a put; otherwise the key.
  EncodedItem item;
  /// The size of `item` by DynamoDB's rules (item_size), when whoever read the item has counted it.
  std::optional<std::size_t> item_bytes;
  std::optional<Expression> update;
  std::optional<Expression> condition;
  expr::Placeholders placeholders;

  ReturnValues return_values = ReturnValues::kNone;
  /// Return the item when its condition fails.
  bool return_on_failure = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_metrics = false;
  /// An update is limited by what its statement writes, too (expr/statement_size.h), as by AWS in most regions. One by
  /// legacy parameters never is.
  bool limit_statement = true;
  /// Where it goes when its condition may take long to evaluate, or when it would have to wait for the disk; null:
  /// nowhere. Outlives the request. Only for an embedded service.
  const Elsewhere* elsewhere = nullptr;
};

/// The size of the request's item by DynamoDB's rules.
inline std::size_t item_bytes_of(const WriteRequest& request) {
  return request.item_bytes ? *request.item_bytes : item_size(request.item.bytes);
}

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
  /// Explains the read. Usually null.
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Where it goes when it would have to wait for the disk (see WriteRequest). Not looked at in a transaction.
  const Elsewhere* elsewhere = nullptr;
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
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Reads what was there at an earlier moment. Only for the embedded service that the moment is of.
  std::shared_ptr<const Moment> as_of = nullptr;
  /// A part of the plan of a statement (partiql/read_plan.h), which has checked what the filter may name. The filter
  /// sees the rows of an index as they are, even where items are fetched from the table.
  bool of_statement = false;
  /// Where a long page goes on, and one begins again that would have to wait for the disk (see WriteRequest).
  const Elsewhere* elsewhere = nullptr;
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
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Where more than a few items are read (see WriteRequest).
  const Elsewhere* elsewhere = nullptr;
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
  /// See WriteRequest; those of the writes are not looked at.
  const Elsewhere* elsewhere = nullptr;
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
  /// By what a repeated request is recognised, where the writes were made from something else: a statement.
  std::string digest = {};
  /// See WriteRequest; those of the writes are not looked at.
  const Elsewhere* elsewhere = nullptr;
};

struct TransactWriteResponse {
  std::vector<ConsumedCapacity> capacity;
  std::vector<std::pair<std::string, ItemCollectionMetrics>> collection_metrics;
};

struct TransactGetRequest {
  std::vector<GetItemRequest> gets;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Where more than a few items are read (see WriteRequest).
  const Elsewhere* elsewhere = nullptr;
};

struct TransactGetResponse {
  std::vector<std::optional<EncodedItem>> items;
  std::vector<ConsumedCapacity> capacity;
};

// ---- Statements ----

/// A PartiQL statement with the values of its parameters, which have been checked against DynamoDB's rules for values.
struct StatementRequest {
  std::string text;
  std::vector<AttributeValue> parameters = {};
  bool consistent_read = false;
  /// Return the item when its condition fails.
  bool return_on_failure = false;
  /// What is wrong with it, if that was found before: a bad parameter, or an access that is denied. In a batch it is
  /// the answer of this statement alone.
  std::optional<Error> mistake = std::nullopt;
};

struct ExecuteStatementRequest {
  StatementRequest statement;
  std::optional<std::uint32_t> limit = std::nullopt;
  std::optional<std::string> next_token = std::nullopt;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  /// Explains a SELECT; other statements ignore it.
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Where a SELECT goes, unless it reads one item, and a write whose condition may take long (see WriteRequest).
  const Elsewhere* elsewhere = nullptr;
};

struct ExecuteStatementResponse {
  std::vector<EncodedItem> items;
  /// Where to go on; nothing on the last page.
  std::optional<std::string> next_token = std::nullopt;
  std::optional<ConsumedCapacity> capacity = std::nullopt;
};

struct BatchExecuteRequest {
  std::vector<StatementRequest> statements;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Where more than a few statements go (see WriteRequest).
  const Elsewhere* elsewhere = nullptr;
};

/// Why a statement of a batch failed. The code is one of DynamoDB's BatchStatementErrorCodeEnum.
struct StatementFailure {
  std::string code;
  std::string message;
  std::optional<EncodedItem> item = std::nullopt;
};

struct StatementOutcome {
  std::optional<EncodedItem> item = std::nullopt;
  /// Of a statement that was carried out, or refused by what it found.
  std::optional<std::string> table = std::nullopt;
  std::optional<StatementFailure> failure = std::nullopt;
};

struct BatchExecuteResponse {
  /// In the order of the statements.
  std::vector<StatementOutcome> outcomes;
  std::vector<ConsumedCapacity> capacity;
};

struct ExecuteTransactionRequest {
  std::vector<StatementRequest> statements;
  std::optional<std::string> client_token = std::nullopt;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Where more than a few statements go (see WriteRequest).
  const Elsewhere* elsewhere = nullptr;
};

struct ExecuteTransactionResponse {
  /// One for each statement of a transaction that reads; none of one that writes.
  std::vector<std::optional<EncodedItem>> items;
  std::vector<ConsumedCapacity> capacity;
};

// ---- Time to live ----

struct UpdateTimeToLiveRequest {
  std::string table;
  TimeToLiveChange change;
};

struct DescribeTimeToLiveRequest {
  std::string table;
};

// ---- Backups ----

struct UpdateContinuousBackupsRequest {
  std::string table;
  PointInTimeChange change;
};

struct DescribeContinuousBackupsRequest {
  std::string table;
};

struct CreateBackupRequest {
  std::string table;
  std::string name;
};

struct DescribeBackupRequest {
  std::string arn;
};

struct DeleteBackupRequest {
  std::string arn;
};

// ---- Tags ----

struct Tag {
  std::string key;
  std::string value;

  friend bool operator==(const Tag&, const Tag&) = default;
};

struct TagResourceRequest {
  std::string arn;
  std::vector<Tag> tags;
};

struct UntagResourceRequest {
  std::string arn;
  std::vector<std::string> keys;
};

/// What TagResource and UntagResource answer.
struct TagsChanged {};

struct ListTagsOfResourceRequest {
  std::string arn;
  std::optional<std::string> next_token = std::nullopt;
};

struct ListTagsOfResourceResponse {
  std::vector<Tag> tags;
  /// Where to go on; nothing on the last page.
  std::optional<std::string> next_token = std::nullopt;
};

// ---- Streams ----

struct ListStreamsRequest {
  /// Only the streams of this table. It need not exist any more.
  std::optional<std::string> of_table;
  /// Streams that come after the one with this ARN.
  std::optional<std::string> after;
  std::optional<int> limit;
};

struct StreamName {
  std::string arn;
  std::string table;
  std::string label;
};

struct StreamPage {
  std::vector<StreamName> streams;
  /// The ARN of the last stream when there are more.
  std::optional<std::string> last_arn;
};

struct DescribeStreamRequest {
  std::string arn;
  /// Shards whose ids come after this one, which need not exist.
  std::optional<std::string> after_shard;
  std::optional<int> limit;
  /// Only the shards that continue this one.
  std::optional<std::string> children_of;
};

struct StreamShard {
  std::string id;
  std::optional<std::string> parent;
  std::string first_number;
  /// Only of a shard that gets no more records.
  std::optional<std::string> last_number;
};

enum class StreamStatus : std::uint8_t { kEnabling, kEnabled, kDisabling, kDisabled };

/// ENABLING, ENABLED, DISABLING or DISABLED.
std::string_view stream_status_name(StreamStatus status);

struct StreamDescription {
  StreamName name;
  StreamStatus status = StreamStatus::kEnabled;
  StreamView view = StreamView::kKeysOnly;
  TableTime created;
  /// The partition key, and the sort key if the table has one. Their types are not part of a description.
  std::vector<std::string> key_names;
  std::vector<StreamShard> shards;
  /// The id of the last shard when there are more.
  std::optional<std::string> last_shard;
};

enum class ShardIteratorType : std::uint8_t {
  kTrimHorizon,
  kLatest,
  kAtSequenceNumber,
  kAfterSequenceNumber,
  kAtTimestamp,
};

/// TRIM_HORIZON, LATEST, AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER or AT_TIMESTAMP.
std::string_view shard_iterator_type_name(ShardIteratorType type);

struct GetShardIteratorRequest {
  std::string arn;
  std::string shard;
  ShardIteratorType type = ShardIteratorType::kTrimHorizon;
  /// Only for the two types that are named so, which need it.
  std::optional<std::string> sequence_number;
  /// Only for kAtTimestamp, which needs it.
  std::optional<TableTime> timestamp = std::nullopt;
};

struct ShardIterator {
  std::string text;
};

struct GetRecordsRequest {
  std::string iterator;
  std::optional<int> limit;
  /// Where a long page is read, and one that has to wait for the disk (see WriteRequest).
  const Elsewhere* elsewhere = nullptr;
};

/// The change of one item.
struct StreamChange {
  std::string event_id;
  StreamEvent event = StreamEvent::kInsert;
  std::string region;
  /// In whole seconds.
  TableTime created;
  std::string sequence_number;
  StreamView view = StreamView::kKeysOnly;
  std::uint64_t size_bytes = 0;
  /// Time to live removed the item.
  bool expired = false;
  EncodedItem key;
  std::optional<EncodedItem> old_image;
  std::optional<EncodedItem> new_image;
};

struct GetRecordsResponse {
  std::vector<StreamChange> records;
  /// Nothing at the end of a shard that gets no more records.
  std::optional<std::string> next;
};

}  // namespace dolmen
