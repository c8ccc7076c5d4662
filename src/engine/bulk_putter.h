#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "dolmen/error.h"
#include "engine/background_task.h"
#include "engine/catalogue.h"
#include "engine/object_records.h"
#include "engine/record_parser.h"
#include "engine/transfer_rows.h"
#include "objects/object_store.h"
#include "service/service.h"

namespace dolmen::engine {

/// Carries out the bulk operations that run, page by page. Every item is put like one of PutItem, with its condition,
/// the gates, indexes and streams of the table. The position is stored after each page: after a crash the items of the
/// last page may be put once more.
///
/// Items that could not be put are reported in objects of the bucket for reports:
///
///     PREFIX/AWSDynamoDB/ID/report/00000001.json   lines of the form {"type", "inputS3Pointer", "message", "item"}
///     PREFIX/AWSDynamoDB/ID/manifest-summary.json  the counts; written last
///
/// For one thread.
class BulkPutter {
 public:
  struct Parts {
    storage::Storage& storage;
    const Catalogue& catalogue;
    const Clock& clock;
    /// Null when there are none.
    Buckets* buckets;
    /// Puts an item, as every PutItem does.
    std::function<void(WriteRequest request, Done<WriteResponse> done)> put;
    /// Guards the rows of bulk operations, which requests change too when they cancel one.
    std::mutex& jobs_mutex;
    /// Receives lines for the operator. May be empty.
    std::function<void(std::string line)> log;
  };

  /// As many items are put at a time.
  static constexpr std::size_t kPageRecords = 512;
  static constexpr std::size_t kPageBytes = std::size_t{2} << 20;

  explicit BulkPutter(Parts parts) : parts_(std::move(parts)) {}

  /// Puts one page of the operation whose turn it is. Nothing is due when none runs.
  Result<BackgroundTask::Next> step();

 private:
  struct Reading {
    std::unique_ptr<ObjectRecords> records;
    RecordParser parser;
  };
  /// A record on its way.
  struct Attempt {
    ObjectRecord record;
    std::optional<EncodedItem> item = std::nullopt;
    std::optional<WriteRequest> request = std::nullopt;
    std::optional<Error> problem = std::nullopt;
  };

  Result<Reading*> reading_of(const transfers::BulkJob& job);
  /// How long to rest before the next page.
  Result<std::chrono::milliseconds> advance(transfers::BulkJob job);
  Result<std::vector<Attempt>> read_page(const transfers::BulkJob& job, Reading& reading, bool& is_last) const;
  void put_all(std::vector<Attempt>& attempts);
  Result<void> report(transfers::BulkJob& job, const std::vector<Attempt>& attempts);
  Result<void> store(transfers::BulkJob& job);
  Result<void> end(transfers::BulkJob job, JobStatus status);

  Parts parts_;
  std::string last_turn_;
  std::map<std::string, Reading> readings_;
  std::map<std::string, int> failures_;
};

}  // namespace dolmen::engine
