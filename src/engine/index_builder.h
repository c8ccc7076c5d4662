#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "base/metrics.h"
#include "engine/background_task.h"
#include "engine/catalogue.h"
#include "engine/item_walk.h"

namespace dolmen::engine {

/// Fills new indexes with the items that were there before them, for all tables in turn, a page at a time. Every write
/// keeps such an index up to date from the start (index_rows.h), so a page and a write of the same item only need the
/// lock of the item, and it does not matter which of them comes first. Items that cannot be in the index are skipped.
///
/// For one thread.
class IndexBuilder {
 public:
  struct Parts {
    ItemWalk::Parts walk;
    /// Makes an index that is complete active, and forgets its walk. Does nothing when nobody wants the index any more.
    std::function<Result<void>(const std::string& table, TableId index)> activate;
    /// Receives lines for the operator. May be empty.
    std::function<void(std::string line)> log;
    /// Counts the items that are looked at. Outlives this object.
    metrics::Counter* visited;
  };

  explicit IndexBuilder(Parts parts) : parts_(std::move(parts)), walk_(parts_.walk) {}

  /// Fills one page of the index whose turn it is. Nothing is due when no index is being built.
  Result<BackgroundTask::Next> step();

 private:
  /// What is known about a build since this process began.
  struct Build {
    Clock::TimePoint begun;
    Clock::TimePoint last_line;
    std::uint64_t visited = 0;
  };

  static constexpr std::chrono::seconds kLineInterval{10};

  /// The index whose turn it is, with its table.
  struct Turn {
    std::shared_ptr<const Table> table;
    /// One of them, or none when there is nothing to do.
    const Index* index = nullptr;
    const VectorIndex* vector = nullptr;

    explicit operator bool() const { return table != nullptr; }
    [[nodiscard]] TableId id() const { return index != nullptr ? index->id : vector->id; }
    [[nodiscard]] const std::string& name() const {
      return index != nullptr ? index->definition.name : vector->definition.name;
    }
  };
  /// Calls `visit` for all indexes that are being built and can go on.
  void for_each_build(const std::function<void(Turn)>& visit) const;
  /// Whether an index waits for a moment before it can go on, or end.
  [[nodiscard]] bool any_waits() const;
  [[nodiscard]] TableTime now() const;
  [[nodiscard]] Turn next_turn() const;
  Result<void> begin(const Turn& turn);
  [[nodiscard]] ItemWalk::Job job_of(const Turn& turn);
  Result<void> finish(const Turn& turn);
  Result<void> report_progress(const Turn& turn);
  void log(const Turn& turn, std::string_view text) const;

  Parts parts_;
  ItemWalk walk_;
  std::map<TableId, Build> builds_;
  TableId last_turn_ = 0;
};

}  // namespace dolmen::engine
