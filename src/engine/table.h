#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "dolmen/table.h"
#include "service/settings_requests.h"

namespace dolmen {
class WriteGate;
}

namespace dolmen::engine {

class KeyCounts;
class VectorSets;

/// Identifies the rows of a table or of an index in the storage. Never reused.
using TableId = std::uint32_t;

/// Contributor Insights that are enabled.
struct Insights {
  InsightsMode mode = InsightsMode::kAccessedAndThrottled;
  TableTime changed;
};

/// The shards of a stream: as many as a table of DynamoDB has partitions when it is new and not provisioned.
inline constexpr std::uint8_t kStreamShardsMax = 4;

/// A resource policy of a table, or of its stream.
struct StoredPolicy {
  /// Null when it was deleted; then the revision is that of the deletion.
  std::shared_ptr<const std::string> text;
  std::int64_t revision = 0;
};

/// A Kinesis stream to which the changes of a table go (kinesis_forwarder.h).
struct KinesisTarget {
  std::string stream_arn;
  KinesisStatus status = KinesisStatus::kActive;
  std::optional<KinesisPrecision> precision = std::nullopt;
  /// Why it could not be enabled.
  std::string problem = {};
  /// Identifies the records that have not been forwarded yet; zero when it was never active.
  TableId records = 0;
};

/// The attributes by which rows are found and sorted. A table has one partition and at most one sort attribute.
struct KeySchema {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
};

enum class IndexState : std::uint8_t {
  kActive,
  kBuilding,  ///< Every write keeps it up to date, but items from before it existed may be missing.
  kDeleting,  ///< Nothing writes or reads it any more.
};

/// An index as the engine knows it.
struct Index {
  TableId id = 0;
  IndexState state = IndexState::kActive;
  bool local = false;
  KeySchema keys;
  IndexDefinition definition;
  /// The attributes that its rows carry, sorted; empty when they carry all.
  std::vector<std::string> projected;
  ThroughputChanges throughput_changes = {};
  /// The highest that it ever was.
  WarmThroughput warm = {};
  std::optional<Insights> insights = std::nullopt;
  /// Null unless its insights count accesses.
  std::shared_ptr<KeyCounts> counts = nullptr;
};

/// A vector index as the engine knows it.
struct VectorIndex {
  TableId id = 0;
  IndexState state = IndexState::kActive;
  VectorIndexDefinition definition;
  /// The attributes that its rows carry besides the vector, sorted; empty when they carry all.
  std::vector<std::string> projected;
  /// Of an index that is added to a table: until when it is being allocated, and when it may be complete at the
  /// earliest. Both have passed when it is made, unless phases are to take time (EngineOptions).
  TableTime allocated_at = {};
  TableTime ready_at = {};
  /// Its vectors in memory. Never null; shared with the index of the table that replaces this one.
  std::shared_ptr<VectorSets> sets;
};

/// The gate that the items of a table must pass before they are written. A mutable part of a table: read under the
/// table's lock, changed while that is held exclusively. A changed table shares it with the one that it replaces.
struct GateSlot {
  std::shared_ptr<const WriteGate> gate;
  /// Counts what the gate refuses. Not null while there is a gate.
  std::shared_ptr<metrics::Counter> refusals;
};

/// From where expired items are looked for; without it every look would pass the places of all that were removed
/// before. A mutable part of a table, which a changed table shares with the one that it replaces.
struct ExpiryMark {
  /// In milliseconds since 1970. No row by which an item expires (expiry.h) is earlier, but for those that are ignored.
  /// Who adds an earlier one lowers it first, under the table's lock; it rises while that is held exclusively.
  std::atomic<std::int64_t> earliest = 0;
};

/// That a table keeps its history (history.h).
struct History {
  /// Identifies its rows. Another one each time it is enabled.
  TableId id = 0;
  TableTime since;
  /// How long it is kept.
  int days = 0;

  friend bool operator==(const History&, const History&) = default;
};

/// How far the rows of an encrypted table are.
enum class SealState : std::uint8_t {
  kSealed,
  kSealing,  ///< What is written is encrypted; rows from before may not be yet.
  kOpening,  ///< What is written is not encrypted; rows from before may still be.
};

/// That the rows of a table are encrypted by a data key (data_keys.h).
struct TableSeal {
  TableId key = 0;
  SealState state = SealState::kSealed;

  friend bool operator==(const TableSeal&, const TableSeal&) = default;
};

/// The moment of the newest row of a table's history. A mutable part of a table, shared with the one that it replaces.
struct HistoryClock {
  std::atomic<std::uint64_t> last = 0;
};

/// A table as the engine knows it. Never changes; a changed table is a new one under the same name.
struct Table {
  TableId id = 0;
  std::string uuid;
  TableDescription::TimePoint created;
  TableDefinition definition;
  KeySchema keys;
  /// Local indexes first, then global ones, each in the order of the definition.
  std::vector<Index> indexes;
  std::vector<VectorIndex> vector_indexes = {};
  /// Identifies the records of its stream. Only while the definition has one.
  TableId stream_id = 0;
  /// Of that stream.
  std::uint8_t stream_shards = kStreamShardsMax;
  /// Of the newest stream, which may have ended; empty when there never was one.
  std::string stream_label = {};
  /// Items from before the definition had a time to live may be missing from the rows by which expired items are found.
  bool expiry_building = false;
  ThroughputChanges throughput_changes = {};
  std::optional<TableTime> pay_per_request_since = std::nullopt;
  std::optional<TableTime> table_class_changed = std::nullopt;
  /// The highest that it ever was.
  WarmThroughput warm = {};
  std::optional<History> history = std::nullopt;
  std::optional<TableSeal> seal = std::nullopt;
  /// While it is being restored. Until then nobody can use it.
  std::optional<RestoreSummary> restore = std::nullopt;
  std::shared_ptr<HistoryClock> history_clock = std::make_shared<HistoryClock>();
  std::optional<Insights> insights = std::nullopt;
  /// Null unless its insights count accesses.
  std::shared_ptr<KeyCounts> counts = nullptr;
  /// By the label of a stream; the policy of the table itself has none.
  std::map<std::string, StoredPolicy> policies = {};
  /// At most one of them is active.
  std::vector<KinesisTarget> kinesis = {};
  std::shared_ptr<GateSlot> gate_slot = std::make_shared<GateSlot>();
  std::shared_ptr<ExpiryMark> expiry_mark = std::make_shared<ExpiryMark>();

  /// The indexes that are not being deleted.
  [[nodiscard]] auto live_indexes() const {
    return std::views::filter(indexes, [](const Index& index) { return index.state != IndexState::kDeleting; });
  }
  /// The same of vector indexes.
  [[nodiscard]] auto live_vector_indexes() const {
    return std::views::filter(vector_indexes,
                              [](const VectorIndex& index) { return index.state != IndexState::kDeleting; });
  }
  /// Null when the index does not exist; one that is being deleted does.
  [[nodiscard]] const Index* find_index(std::string_view name) const;
  [[nodiscard]] const VectorIndex* find_vector_index(std::string_view name) const;
  [[nodiscard]] bool is_key(std::string_view attribute) const;
};

Index make_index(const TableDefinition& table, const IndexDefinition& definition, bool local, TableId id);
VectorIndex make_vector_index(const TableDefinition& table, const VectorIndexDefinition& definition, TableId id);

/// Sets what a new table and its indexes are ready for, from their definitions.
void set_first_warm(Table& table);
void set_first_warm(Index& index, BillingMode mode);

/// Gives the table and its indexes places to count where their insights want that, and takes those that are not wanted.
/// What has been counted stays.
void set_counts(Table& table);

/// Brings the global and vector indexes of the definition up to date with the table's indexes.
void copy_index_definitions(Table& table);

/// The table that a definition asks for; the ids of its indexes are `first_index_id` and those that follow.
Table make_table(TableDefinition definition, TableId first_index_id);

}  // namespace dolmen::engine
