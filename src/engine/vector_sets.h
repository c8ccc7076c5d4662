#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "engine/vector_entry.h"
#include "vector/search.h"

namespace dolmen::engine {

class VectorPartition;

/// How the graphs of large partitions come to be.
struct GraphOptions {
  /// Gets the partitions whose graphs have work to do, from any thread. It must not block.
  std::function<void(std::weak_ptr<VectorPartition>)> work_due = {};
  /// Partitions with fewer vectors have none; zero leaves that to the room `vector`.
  std::size_t rows_min = 0;
};

/// What the sets of one index hold in memory.
struct VectorSetsSize {
  std::size_t partitions = 0;
  std::size_t rows = 0;
  std::size_t bytes = 0;
};

/// The vectors of one index in memory: a set for each value of its HASH attribute, with the keys of the rows and the
/// values of the filters. Derived from the rows of the index: loaded from them when the index is first searched, and
/// kept up to date by every batch that changes them (Batch::when_visible). Until it is loaded it costs nothing.
///
/// Rows are named by their keys without the id of the index. Thread-safe; a search waits for no change and no change
/// for a search.
class VectorSets {
 public:
  explicit VectorSets(const VectorIndexDefinition& definition);
  ~VectorSets();
  VectorSets(const VectorSets&) = delete;
  VectorSets& operator=(const VectorSets&) = delete;

  /// The row has this entry now, or none. Must be called in the order of the commits of a row.
  void apply(std::string_view row_key, const VectorEntry* entry);

  /// Calls `add` for each row of a moment that is not before the call.
  using Source =
      std::function<Result<void>(const std::function<void(std::string_view row_key, const VectorEntry& entry)>& add)>;
  /// Does nothing when it is loaded; waits when another thread loads it.
  Result<void> load(const Source& source, const GraphOptions& graphs);
  [[nodiscard]] bool is_loaded() const;

  /// A search, once it is loaded.
  struct Query {
    std::string hash = {};
    /// One for each filter of the index: the value that it must have.
    std::vector<std::optional<std::string>> filters = {};
    std::span<const float> vector = {};
    std::size_t top_k = 10;
    vector::Mode mode = vector::Mode::kAuto;
  };
  struct Hit {
    std::string row_key;
    float score = 0;
    /// Of its floats, by which a caller sees that the row has changed.
    std::uint64_t digest = 0;
  };
  struct Answer {
    std::vector<Hit> hits;
    vector::Trace trace = {};
  };
  [[nodiscard]] Result<Answer> search(const Query& query) const;

  /// The number of vectors that a search for this value may have to look at.
  [[nodiscard]] std::size_t rows_for(const std::string& hash) const;
  [[nodiscard]] VectorSetsSize size() const;

 private:
  struct Place {
    std::shared_ptr<VectorPartition> partition;
    vector::Row row = 0;
  };
  struct Change {
    std::string row_key;
    std::optional<VectorEntry> entry;
  };
  enum class State : std::uint8_t { kUnloaded, kLoading, kLoaded };

  void change(std::string_view row_key, const VectorEntry* entry);
  Result<void> add(std::string_view row_key, const VectorEntry& entry);
  void remove(const Place& place);
  void clear();
  std::shared_ptr<VectorPartition> partition_of(const std::string& hash);

  const VectorIndexDefinition definition_;
  mutable std::mutex
      changes_mutex_;  ///< Guards all that follows, but not the content of partitions that searches read.
  std::condition_variable loaded_;
  State state_ = State::kUnloaded;
  std::vector<Change> pending_;  ///< While it is being loaded.
  GraphOptions graphs_;
  std::unordered_map<std::string, std::shared_ptr<VectorPartition>> partitions_;
  /// The keys are those of the rows in the partitions.
  std::unordered_map<std::string_view, Place> places_;
  /// Why a change could not be made. The sets are not complete then.
  std::optional<Error> failure_;
};

/// Carries out some of the work of a partition's graph. Returns whether there is more.
bool work_on(VectorPartition& partition);

}  // namespace dolmen::engine
