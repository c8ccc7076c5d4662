#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen {

/// The types that a key attribute can have.
enum class KeyType : std::uint8_t { kString, kNumber, kBinary };

/// S, N or B.
std::string_view key_type_name(KeyType type);

struct KeyAttribute {
  std::string name;
  KeyType type = KeyType::kString;

  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

enum class BillingMode : std::uint8_t { kPayPerRequest, kProvisioned };

/// Capacity units a second of a table that is billed by provisioned throughput.
struct Throughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;

  friend bool operator==(const Throughput&, const Throughput&) = default;
};

/// The most that a table or index billed by requests may consume in a second. Nothing means no limit.
struct OnDemandThroughput {
  std::optional<std::int64_t> max_read_units = std::nullopt;
  std::optional<std::int64_t> max_write_units = std::nullopt;

  friend bool operator==(const OnDemandThroughput&, const OnDemandThroughput&) = default;
};

/// The capacity units a second that a table or index is ready for at once.
struct WarmThroughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;

  friend bool operator==(const WarmThroughput&, const WarmThroughput&) = default;
};

/// What the records of a stream carry besides the key of the changed item.
enum class StreamView : std::uint8_t { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

/// KEYS_ONLY, NEW_IMAGE, OLD_IMAGE or NEW_AND_OLD_IMAGES.
std::string_view stream_view_name(StreamView view);
std::optional<StreamView> stream_view_of(std::string_view name);

/// A label that AWS bills by; it changes nothing in Dolmen.
enum class TableClass : std::uint8_t { kStandard, kInfrequentAccess };

/// STANDARD or STANDARD_INFREQUENT_ACCESS.
std::string_view table_class_name(TableClass table_class);
std::optional<TableClass> table_class_of(std::string_view name);

/// Which attributes the rows of an index carry, besides the keys of the index and of the table.
enum class ProjectionType : std::uint8_t { kAll, kKeysOnly, kInclude };

/// A secondary index. A local one has the table's partition key; a global one has up to four partition and four sort
/// attributes.
///
///     {.name = "by-author", .partition_keys = {{"author", KeyType::kString}}, .sort_keys = {{"written",
///     KeyType::kNumber}}}
struct IndexDefinition {
  std::string name;
  std::vector<KeyAttribute> partition_keys;
  std::vector<KeyAttribute> sort_keys = {};
  ProjectionType projection = ProjectionType::kAll;
  /// Only for ProjectionType::kInclude.
  std::vector<std::string> included_attributes = {};
  /// Only for a global index of a table with BillingMode::kProvisioned.
  Throughput throughput = {};
  /// Only for a global index of a table with BillingMode::kPayPerRequest.
  OnDemandThroughput on_demand = {};
  /// Only for a global index.
  std::optional<WarmThroughput> warm = std::nullopt;

  friend bool operator==(const IndexDefinition&, const IndexDefinition&) = default;
};

/// How a vector index compares vectors (dolmen/vectors.h says what the scores are).
enum class VectorDistance : std::uint8_t { kCosine, kDotProduct, kEuclidean };

/// COSINE, DOT_PRODUCT or EUCLIDEAN.
std::string_view vector_distance_name(VectorDistance distance);
std::optional<VectorDistance> vector_distance_of(std::string_view name);

/// What searches ask of an attribute.
enum class SearchRole : std::uint8_t {
  kHash,          ///< Every search names one value, and looks only at the items that have it.
  kInlineFilter,  ///< A search may name one value.
};

/// HASH or INLINE_FILTER.
std::string_view search_role_name(SearchRole role);
std::optional<SearchRole> search_role_of(std::string_view name);

/// An attribute by which searches choose among the items of a vector index.
struct SearchAttribute {
  std::string name;
  KeyType type = KeyType::kString;
  SearchRole role = SearchRole::kInlineFilter;

  friend bool operator==(const SearchAttribute&, const SearchAttribute&) = default;
};

/// An index that finds the items whose vectors are nearest to another (Store::search_vectors). It has the items whose
/// attribute is a list of so many numbers, and which have the attribute that is kHash. It keeps the numbers as 32-bit
/// floats. Only for a table with BillingMode::kPayPerRequest.
///
///     {.name = "by_meaning", .attribute = "embedding", .dimensions = 384,
///      .search = {{"tenant", KeyType::kString, SearchRole::kHash}}}
struct VectorIndexDefinition {
  std::string name;
  std::string attribute;
  /// 1 to 4096.
  std::int64_t dimensions = 0;
  VectorDistance distance = VectorDistance::kCosine;
  /// At most one of them is kHash.
  std::vector<SearchAttribute> search = {};
  /// What searches can return besides the keys of the table, the attributes of `search` and the vector.
  ProjectionType projection = ProjectionType::kAll;
  /// Only for ProjectionType::kInclude.
  std::vector<std::string> included_attributes = {};

  friend bool operator==(const VectorIndexDefinition&, const VectorIndexDefinition&) = default;
};

/// The definition of a table, as it is created.
///
///     store->create_table({.name = "notes",
///                          .partition_key = {"topic", KeyType::kString},
///                          .sort_key = KeyAttribute{"written", KeyType::kNumber}});
struct TableDefinition {
  std::string name;
  KeyAttribute partition_key;
  std::optional<KeyAttribute> sort_key = std::nullopt;
  std::vector<IndexDefinition> local_indexes = {};
  std::vector<IndexDefinition> global_indexes = {};
  std::vector<VectorIndexDefinition> vector_indexes = {};
  BillingMode billing_mode = BillingMode::kPayPerRequest;
  /// Only for BillingMode::kProvisioned.
  Throughput throughput = {};
  /// While set, the table cannot be deleted.
  bool deletion_protection = false;
  /// Records every change of an item, for 24 hours.
  std::optional<StreamView> stream = std::nullopt;
  /// The attribute with the time, in seconds since 1970, after which an item is removed. A description does not have
  /// it; see `Store::describe_time_to_live`.
  std::optional<std::string> ttl = std::nullopt;
  /// Names and values for people and programs. A description does not have them; see `Store::tags_of`.
  std::map<std::string, std::string> tags = {};
  std::optional<TableClass> table_class = std::nullopt;
  /// Only for BillingMode::kPayPerRequest.
  OnDemandThroughput on_demand = {};
  std::optional<WarmThroughput> warm = std::nullopt;
  /// The key with which the table is encrypted: its ARN, its id or its alias. A store that was opened with table keys
  /// encrypts by them (docs/security.md); another one keeps the name, and encrypts nothing.
  std::optional<std::string> kms_key = std::nullopt;
  /// A resource policy as JSON, which says what other principals may do with the table. A description does not have it.
  std::optional<std::string> resource_policy = std::nullopt;

  friend bool operator==(const TableDefinition&, const TableDefinition&) = default;
};

enum class TableStatus : std::uint8_t {
  kCreating,
  kActive,
  kUpdating,
  kDeleting,
  kInaccessible,  ///< INACCESSIBLE_ENCRYPTION_CREDENTIALS: the key that encrypts the table is missing.
};

/// How much an index or a table holds, with sizes as DynamoDB counts them. Dolmen keeps it exact at any moment; AWS
/// brings it up to date every few hours.
struct Extent {
  std::uint64_t item_count = 0;
  std::uint64_t size_bytes = 0;

  friend bool operator==(const Extent&, const Extent&) = default;
};

/// A moment as descriptions give it.
using TableTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/// When the provisioned throughput of a table or index was changed.
struct ThroughputChanges {
  std::optional<TableTime> last_increase = std::nullopt;
  std::optional<TableTime> last_decrease = std::nullopt;
  /// Since midnight UTC.
  std::int64_t decreases_today = 0;

  friend bool operator==(const ThroughputChanges&, const ThroughputChanges&) = default;
};

/// The description of a global index.
struct GlobalIndexState {
  TableStatus status = TableStatus::kActive;
  /// Only while an index that was added to a table is kCreating: whether it is being filled with the table's items.
  std::optional<bool> backfilling = std::nullopt;
  Extent extent = {};
  ThroughputChanges throughput_changes = {};
  std::optional<WarmThroughput> warm = std::nullopt;
  /// kUpdating while it is being raised.
  TableStatus warm_status = TableStatus::kActive;

  friend bool operator==(const GlobalIndexState&, const GlobalIndexState&) = default;
};

/// The description of a vector index.
struct VectorIndexState {
  TableStatus status = TableStatus::kActive;
  /// As in GlobalIndexState.
  std::optional<bool> backfilling = std::nullopt;
  Extent extent = {};

  friend bool operator==(const VectorIndexState&, const VectorIndexState&) = default;
};

/// Of what a table is being restored.
struct RestoreSummary {
  /// Nothing when it is restored to a point in time.
  std::optional<std::string> backup_arn = std::nullopt;
  std::string table_arn = {};
  /// The moment as of which it will be.
  TableTime time = {};

  friend bool operator==(const RestoreSummary&, const RestoreSummary&) = default;
};

/// The description of an existing table.
struct TableDescription {
  using TimePoint = TableTime;

  TableDefinition definition;
  TableStatus status = TableStatus::kActive;
  /// A UUID that no other table ever has, not even a later one of the same name.
  std::string id;
  std::string arn;
  TimePoint created;
  Extent extent;
  /// In the order of the definition's indexes.
  std::vector<Extent> local_index_extents;
  std::vector<GlobalIndexState> global_index_states;
  std::vector<VectorIndexState> vector_index_states = {};
  ThroughputChanges throughput_changes = {};
  /// When the table was last set to BillingMode::kPayPerRequest; nothing when it never was.
  std::optional<TableTime> pay_per_request_since = std::nullopt;
  std::optional<TableTime> table_class_changed = std::nullopt;
  std::optional<WarmThroughput> warm = std::nullopt;
  /// kUpdating while it is being raised.
  TableStatus warm_status = TableStatus::kActive;
  /// kUpdating while the key is being changed.
  TableStatus encryption_status = TableStatus::kActive;
  /// Since when the key that encrypts the table is missing; nothing while it is there.
  std::optional<TableTime> inaccessible_since = std::nullopt;
  /// Those of the newest stream, which stay when it is disabled; empty when there never was one.
  std::string stream_arn = {};
  std::string stream_label = {};
  /// Only while the table is being restored, and cannot be used yet.
  std::optional<RestoreSummary> restore = std::nullopt;
};

/// One page of table names, in the order of their bytes.
struct TableNamePage {
  std::vector<std::string> names;
  /// Where to go on; nothing on the last page.
  std::optional<std::string> last_name;
};

}  // namespace dolmen
