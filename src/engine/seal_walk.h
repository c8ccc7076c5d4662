#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/background_task.h"
#include "engine/catalogue.h"
#include "engine/data_keys.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Brings the rows of a table to the form that its state wants, after encryption was enabled or disabled: it writes
/// every row of the table again, page by page (Batch::rewrite), with the position after it, and at the end the files.
/// Writes need not wait for it, and it goes on after a crash where it was. The position is a row of its own:
///
///     kCatalogue   "build/" table uuid "/seal"      the keyspace (one byte) and the key of the last row visited
class SealWalk {
 public:
  struct Parts {
    storage::Storage& storage;
    const Catalogue& catalogue;
    /// Called when the rows of a table have the form that its state wants.
    std::function<Result<void>(const Table& table)> finish;
  };

  explicit SealWalk(Parts parts) : parts_(std::move(parts)) {}

  /// Whether the rows of a table are on their way from one form to the other.
  static bool is_wanted(const Table& table) { return table.seal && table.seal->state != SealState::kSealed; }

  /// Visits the next page of a table that needs it. Tables whose keys are missing must wait.
  Result<BackgroundTask::Next> step(const std::stop_token& stop);

  /// Removes the position.
  static void forget(storage::Batch& batch, const Table& table);

 private:
  [[nodiscard]] std::shared_ptr<const Table> next_table() const;
  /// The rows to visit, in order. Those of streams that have ended are among them.
  [[nodiscard]] Result<std::vector<SealedRows>> rows_of(const Table& table) const;
  /// False when there is nothing left to visit.
  Result<bool> visit_page(const Table& table, const std::vector<SealedRows>& all) const;

  Parts parts_;
};

}  // namespace dolmen::engine
