#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "dolmen/error.h"
#include "engine/background_task.h"
#include "engine/past_changes.h"
#include "engine/table_copies.h"
#include "engine/transfer_rows.h"
#include "objects/object_store.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Writes the exports that run, a data file at a time, in the layout of AWS:
///
///     PREFIX/AWSDynamoDB/ID/_started               empty
///     PREFIX/AWSDynamoDB/ID/data/NAME.json.gz      items, one a line; of an incremental export it is
///     PREFIX/AWSDynamoDB/data/NAME.json.gz
///     PREFIX/AWSDynamoDB/ID/manifest-files.json    a line for each data file
///     PREFIX/AWSDynamoDB/ID/manifest-summary.json  written last; manifest-*.md5 have the checksums of both
///
/// A data file that is in the bucket is noted together with the position after it. So an export goes on after a crash
/// where it was; a file that was not noted is written again under the same name. For one thread.
class Exporter {
 public:
  struct Parts {
    storage::Storage& storage;
    const Clock& clock;
    TableCopies& copies;
    /// Null when there are none.
    Buckets* buckets;
    /// Receives lines for the operator. May be empty.
    std::function<void(std::string line)> log;
  };

  /// A data file ends with the item that reaches this size, compressed.
  static constexpr std::size_t kFileBytes = std::size_t{8} << 20;

  explicit Exporter(Parts parts) : parts_(std::move(parts)) {}

  /// Writes one data file of the export whose turn it is. Nothing is due when none runs.
  Result<BackgroundTask::Next> step();

 private:
  struct DataFile {
    std::string bytes;
    std::uint64_t items = 0;
    std::uint64_t item_bytes = 0;
    /// From where on the next file has items; nothing when there are none.
    std::optional<std::string> next;
  };
  class FileMaker;

  Result<void> advance(transfers::ExportJob job);
  Result<DataFile> make_file(const transfers::ExportJob& job, const storage::Storage& copy);
  Result<void> finish(transfers::ExportJob job, ObjectStore& bucket);
  Result<void> end(transfers::ExportJob job);
  Result<const PastChanges*> changes_from(const transfers::ExportJob& job, const storage::Storage& copy);

  Parts parts_;
  std::string last_turn_;
  /// How often the current step of an export has failed in a row.
  std::map<std::string, int> failures_;

  /// The changes that the last file needed; the next one most likely needs them too.
  struct KnownChanges {
    std::string job;
    std::string lower;
    PastChanges changes;
  };
  std::optional<KnownChanges> known_;
};

}  // namespace dolmen::engine
