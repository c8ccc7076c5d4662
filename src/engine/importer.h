#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "dolmen/error.h"
#include "engine/background_task.h"
#include "engine/catalogue.h"
#include "engine/object_records.h"
#include "engine/record_parser.h"
#include "engine/transfer_rows.h"
#include "engine/write_pipeline.h"
#include "objects/object_store.h"

namespace dolmen::engine {

/// Fills the tables of the imports that run, page by page. Each page is one batch with the position after it and the
/// counts so far, so that an import goes on after a crash where it was. Nobody else can use the table meanwhile.
///
/// Records that are not items of the table are counted, and logged as AWS logs them, in the file ID.jsonl of the
/// directory for logs. For one thread.
class Importer {
 public:
  struct Parts {
    storage::Storage& storage;
    WritePipeline& pipeline;
    const Catalogue& catalogue;
    const Clock& clock;
    /// Null when there are none.
    Buckets* buckets;
    /// Empty: nothing is logged.
    std::filesystem::path log_directory;
    /// Makes the table of an import and notes it in the job. Fails with kTableExists.
    std::function<Result<void>(transfers::ImportJob& job)> create;
    /// Makes the table active and stores the job, which has ended.
    std::function<Result<void>(const transfers::ImportJob& job)> finish;
    /// Receives lines for the operator. May be empty.
    std::function<void(std::string line)> log;
  };

  static constexpr std::size_t kPageRecords = 2000;
  static constexpr std::size_t kPageBytes = std::size_t{4} << 20;
  /// The log of an import ends here; what comes later is only counted.
  static constexpr std::uint64_t kLogBytesMax = std::uint64_t{16} << 20;

  explicit Importer(Parts parts) : parts_(std::move(parts)) {}

  /// Fills one page of the import whose turn it is. Nothing is due when none runs.
  Result<BackgroundTask::Next> step();

 private:
  /// What is open while an import runs.
  struct Reading {
    std::unique_ptr<ObjectRecords> records;
    RecordParser parser;
  };
  /// Items by their row keys, and what goes to the log.
  struct Page {
    std::map<std::string, EncodedItem> items;
    std::uint64_t imported = 0;
    std::string log;
    bool is_last = false;
  };

  Result<Reading*> reading_of(const transfers::ImportJob& job);
  Result<void> advance(transfers::ImportJob job);
  Result<Page> read_page(transfers::ImportJob& job, Reading& reading, const Table& table) const;
  Result<void> write(const transfers::ImportJob& job, const Page& page);
  Result<void> append_log(transfers::ImportJob& job, const std::string& lines) const;
  Result<void> end(transfers::ImportJob job);

  Parts parts_;
  std::string last_turn_;
  std::map<std::string, Reading> readings_;
  std::map<std::string, int> failures_;
};

}  // namespace dolmen::engine
