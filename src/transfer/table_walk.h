#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/store.h"
#include "transfer/format.h"

namespace dolmen::transfer {

/// What is done with the items of a table that somebody walks through.
class ItemVisitor {
 public:
  /// Adds what was found on a page to the visitor's result.
  using Settle = std::move_only_function<void()>;

  virtual ~ItemVisitor() = default;

  /// Looks at a page, and may wait. Called by several threads at a time, so that it must leave the result alone: that
  /// is what the returned function is for, which is called by one thread at a time, and together with the note that the
  /// page is done. A failure ends the walk before the page.
  virtual Result<Settle> visit(std::vector<Item> items) = 0;

  /// The result so far, as a JSON object; not called while a `Settle` runs.
  [[nodiscard]] virtual std::string saved() const = 0;
  /// Takes over what `saved` returned in an earlier process. Fails when it cannot be read.
  virtual Result<void> restore(std::string_view saved) = 0;
};

struct WalkOptions {
  /// Parts of the table that are read at a time. A resumed walk keeps its own.
  unsigned segments = 4;
  /// Read units in a second, over all segments; 0 means as fast as it goes.
  double units_per_second = 0;
  bool consistent_read = false;
  /// A file that says how far the walk is. When it exists, the walk goes on from there; it is gone when the walk has
  /// ended. Empty: none.
  std::string resume = {};
  /// What the walk is about: the file of another one is refused.
  std::string purpose = {};
  std::function<void(const Progress&)> progress = {};
  /// Asked after each page; true ends the walk early.
  std::function<bool()> stopped = {};
  /// For tests.
  Now now = {};
  Sleep sleep = {};
};

struct WalkResult {
  /// All items that were looked at, and those that an earlier process had looked at.
  std::uint64_t items = 0;
  std::uint64_t before = 0;
  /// False when it was stopped.
  bool complete = true;
};

/// Shows all items of a table to a visitor, each once: the result is that of all items even when the process is killed
/// in between and started again with the same file. Writes of others meanwhile may be seen or not. Fails with kIo when
/// the file belongs to another walk.
Result<WalkResult> walk_table(Store& store, const TableDescription& table, ItemVisitor& visitor,
                              const WalkOptions& options);

}  // namespace dolmen::transfer
