#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "dolmen/error.h"
#include "engine/background_task.h"
#include "engine/backup_rows.h"
#include "engine/catalogue.h"
#include "engine/table_copies.h"
#include "engine/write_pipeline.h"

namespace dolmen::engine {

/// Fills the tables that are being restored, page by page: first with the items of the copy, then, for a point in time,
/// with what later changes had replaced, the newest first. Each page is one batch with the position after it, so that a
/// restore goes on after a crash where it was. Nobody else can use the table meanwhile.
///
/// For one thread.
class Restorer {
 public:
  struct Parts {
    storage::Storage& storage;
    WritePipeline& pipeline;
    const Catalogue& catalogue;
    const Clock& clock;
    TableCopies& copies;
    /// Makes a table that is complete active and forgets its restore.
    std::function<Result<void>(const backups::Restore& restore)> finish;
    /// Removes a table that cannot be restored, and forgets its restore.
    std::function<Result<void>(const backups::Restore& restore)> abandon;
    /// Receives lines for the operator. May be empty.
    std::function<void(std::string line)> log;
  };

  static constexpr std::size_t kPageRows = 512;
  static constexpr std::size_t kPageBytes = std::size_t{1} << 20;

  explicit Restorer(Parts parts) : parts_(std::move(parts)) {}

  /// Fills one page of the table whose turn it is. Nothing is due when no table is being restored.
  Result<BackgroundTask::Next> step();

 private:
  /// Items of the table that is being restored, by their row keys; nothing removes one.
  struct Page {
    std::map<std::string, std::optional<EncodedItem>> items;
    /// The last key of the copy that was read; empty when nothing is left.
    std::string position;
  };

  Result<BackgroundTask::Next> fill_page(backups::Restore restore, const Table& target);
  static Result<Page> next_items(const backups::Restore& restore, const Table& target, const storage::Storage& copy);
  static Result<Page> next_changes(const backups::Restore& restore, const Table& target, const storage::Storage& copy);
  Result<void> write(const backups::Restore& restore, const Page& page);
  Result<void> give_up(const backups::Restore& restore, const Error& reason);

  Parts parts_;
  std::string last_turn_;
  std::uint64_t writes_seen_ = 0;
};

}  // namespace dolmen::engine
