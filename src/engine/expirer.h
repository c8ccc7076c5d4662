#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "dolmen/error.h"
#include "engine/background_task.h"
#include "engine/catalogue.h"
#include "engine/expiry.h"
#include "engine/write_pipeline.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Removes items whose time to live has ended, in the order of their times, through the same door as any other write
/// (item_write.h): with their rows in indexes and with a record in the table's stream. It finds them by the rows of
/// expiry.h and looks at no other item.
///
/// A step removes one page of items, which is one batch. Pages are small and have a rest between them, so that other
/// writes do not wait for long.
class Expirer {
 public:
  struct Parts {
    const storage::Storage& storage;
    WritePipeline& pipeline;
    const Catalogue& catalogue;
    const Clock& clock;
  };

  /// At most this many items are removed in one batch, and in one rest: about 8,000 a second.
  static constexpr std::size_t kPageItems = 128;
  static constexpr std::chrono::milliseconds kRest{16};
  /// A batch takes no further item once it has reached this size.
  static constexpr std::size_t kPageBytes = std::size_t{1} << 20;
  /// How often the tables are looked at.
  static constexpr std::chrono::milliseconds kInterval{1000};

  explicit Expirer(Parts parts) : parts_(parts) {}

  /// For a BackgroundTask. Nothing is due until it is woken when no table has a time to live.
  Result<BackgroundTask::Next> step(const std::stop_token& stop);

  /// The last step left expired items. From any thread.
  [[nodiscard]] bool is_behind() const { return behind_; }
  /// How many items have been removed. From any thread.
  [[nodiscard]] std::uint64_t removed_items() const { return removed_items_.value(); }

 private:
  struct Page;

  /// Tables with a time to live, beginning with the one after that which was looked at last.
  [[nodiscard]] std::vector<std::shared_ptr<const Table>> tables() const;
  struct Removed {
    std::size_t items = 0;
    /// Nothing that is due is left.
    bool all = true;
  };
  /// Removes up to `items_max` items of a table.
  Result<Removed> remove_page(const Table& table, TableTime now, std::size_t items_max);
  Result<Page> next_page(const Table& table, expiry::Due due, std::size_t items_max) const;
  Result<std::size_t> remove_locked(const Page& page, TableTime now, storage::Batch& batch) const;
  /// Lets later looks begin at `now`, if nothing is left before it.
  Result<void> raise_mark(const Table& table, TableTime now);

  const Parts parts_;
  std::string last_table_;
  /// For tables, by their uuids, that are in a run of pages: the last row that was removed. The next page begins there,
  /// and not with the places of all that was just removed. Rows that are added before it wait for the end of the run.
  std::map<std::string, std::string> places_;
  /// Since a mark was raised.
  std::size_t removed_ = 0;
  metrics::Counter removed_items_;
  std::atomic<bool> behind_ = false;
};

}  // namespace dolmen::engine
