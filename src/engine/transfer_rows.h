#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "service/transfer_requests.h"
#include "storage/storage.h"

/// Exports, imports and bulk operations as the catalogue has them, while they run and afterwards:
///
///     kCatalogue   "export/" id                  an export
///     kCatalogue   "export-file/" id "/" number  a data file of an export that runs
///     kCatalogue   "import/" id                  an import
///     kCatalogue   "bulk/" id                    a bulk operation
///
/// An id is that of backups: 14 digits of its time in milliseconds, a dash and 8 hexadecimal digits.
namespace dolmen::engine::transfers {

/// How many of each kind a store remembers, and for how long.
inline constexpr std::size_t kJobsMax = 10'000;
inline constexpr std::chrono::days kRemembered{90};
/// How many of each kind may run at a time.
inline constexpr std::size_t kRunningMax = 50;

struct ExportJob {
  std::string id;
  ExportDescription described;
  /// The table as it was when the export began.
  std::string table;
  /// The name of the copy from which it reads; empty once it has ended.
  std::string copy;
  TableId source_id = 0;
  TableId history_id = 0;
  /// The bucket has the file _started.
  bool begun = false;
  /// From which row on the next data file has items; empty at the beginning.
  std::string position = {};
  /// All data files are in the bucket.
  bool written = false;
  std::uint64_t files = 0;
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
};

/// A data file that is in the bucket.
struct ExportFile {
  std::string key;
  std::uint64_t items = 0;
  std::string md5_base64;
  std::string etag;
};

/// Where the reading of objects is.
struct RecordPosition {
  /// The object that is being read; empty at the beginning.
  std::string object = {};
  /// How many of its records have been read.
  std::uint64_t records = 0;
  /// The size of all objects before it.
  std::uint64_t bytes_before = 0;
  /// All objects have been read.
  bool done = false;
};

struct ImportJob {
  std::string id;
  ImportDescription described;
  /// The table has been made. Its id is known before.
  bool has_table = false;
  RecordPosition position = {};
  /// The length of the log of errors.
  std::uint64_t log_bytes = 0;
};

struct BulkJob {
  std::string id;
  BulkOperationDescription described;
  std::string table;
  RecordPosition position = {};
  /// How many reports are in the bucket.
  std::uint64_t reports = 0;
};

void put(storage::Batch& batch, const ExportJob& job);
void put(storage::Batch& batch, const ImportJob& job);
void put(storage::Batch& batch, const BulkJob& job);
void put_file(storage::Batch& batch, const std::string& id, std::uint64_t number, const ExportFile& file);
void forget_files(storage::Batch& batch, const std::string& id);
Result<std::vector<ExportFile>> files_of(const storage::Storage& storage, const std::string& id);

/// A job of one of the three kinds.
template <class Job>
Result<std::optional<Job>> find(const storage::Storage& storage, std::string_view id);
/// From the oldest to the newest.
template <class Job>
Result<std::vector<Job>> list(const storage::Storage& storage);
/// Removes the row of a job that has ended.
template <class Job>
void forget(storage::Batch& batch, const std::string& id);

/// Whether two requests ask for the same.
bool same_request(const ExportTableRequest& one, const ExportTableRequest& other);
bool same_request(const BulkPutRequest& one, const BulkPutRequest& other);

template <class Job>
bool is_running(const Job& job) {
  return job.described.status == JobStatus::kInProgress || job.described.status == JobStatus::kCancelling;
}

}  // namespace dolmen::engine::transfers
