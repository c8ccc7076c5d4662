#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "dolmen/error.h"
#include "engine/catalogue.h"
#include "engine/write_pipeline.h"
#include "storage/storage.h"
#include "value/encoded_item.h"

namespace dolmen::engine {

/// Visits all items of a table in the background, in pages, and lets a visitor add rows that follow from them: those of
/// a new index, or of a new time to live.
///
/// Each page is one batch, made under the locks of its items, with the position after it. So a walk goes on after a
/// crash where it was, and never undoes what a request has just written. The position is a row of its own:
///
///     kCatalogue   "build/" table uuid "/" name of the walk      the key of the last item visited
///
/// Items that are written while the walk goes on may be visited or not, before or after the write: whoever starts a
/// walk first makes the writes themselves keep the rows up to date.
///
/// While others write, pages are small and the walk rests as long as it works. When nobody does, pages grow.
class ItemWalk {
 public:
  struct Parts {
    storage::Storage& storage;
    WritePipeline& pipeline;
    const Catalogue& catalogue;
    const Clock& clock;
  };

  /// What a walk does. The functions are called under the lock of the table and with the table as it is then.
  struct Job {
    std::string table;
    /// A later table of the same name is not walked.
    std::string table_uuid;
    /// Names the walk among those of its table: "expiry", "index/7".
    std::string name;
    /// False when there is no need for the walk any more.
    std::function<bool(const Table& table)> wanted;
    /// Adds to the batch what follows from an item, whose lock is held.
    std::function<Result<void>(const Table& table, std::string_view row_key, const EncodedItem& item,
                               storage::Batch& batch)>
        visit;
  };

  enum class State : std::uint8_t {
    kGoesOn,
    kFinished,  ///< All items have been visited. The owner changes the table, if `is_at_end` still holds then.
    kUnwanted,  ///< The table is gone, or the walk is not wanted any more.
  };

  struct Progress {
    State state = State::kGoesOn;
    /// How long to rest before the next page.
    std::chrono::milliseconds rest{0};
  };

  static constexpr std::size_t kPageItemsMin = 16;
  static constexpr std::size_t kPageItemsMax = 512;
  /// A page ends with the item that reaches this size.
  static constexpr std::size_t kPageBytesMax = std::size_t{1} << 20;

  explicit ItemWalk(Parts parts) : parts_(parts) {}

  /// Visits the next page of a walk and waits until it is durable. For one thread, which may not be one that completes
  /// commits. A failure changes nothing; the page can be tried again.
  Result<Progress> visit_page(const Job& job);

  /// No item is behind the position of a walk. The caller holds the lock of the table exclusively.
  [[nodiscard]] Result<bool> is_at_end(const Table& table, std::string_view name) const;

  /// Whether a walk has a position.
  static Result<bool> has_begun(const storage::Storage& storage, const Table& table, std::string_view name);
  /// Removes the position of a walk, or of all walks of a table.
  static void forget(storage::Batch& batch, const Table& table, std::string_view name);
  static void forget_all(storage::Batch& batch, const Table& table);

 private:
  struct Page;

  /// The keys of the items that come next.
  Result<Page> next_page(const Table& table, std::string_view name, std::size_t items_max) const;
  Result<State> visit_locked(const Job& job, const Page& page, storage::Batch& batch) const;
  /// Chooses the size of the next page, and how long to rest before it.
  std::chrono::milliseconds adapt(Clock::TimePoint begun);

  Parts parts_;
  std::size_t page_items_ = kPageItemsMin;
  /// The number of writes, this walk's own included, when the last page ended.
  std::uint64_t writes_seen_ = 0;
};

}  // namespace dolmen::engine
