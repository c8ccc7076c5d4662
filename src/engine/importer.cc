#include "engine/importer.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>
#include <variant>

#include "base/fail.h"
#include "base/file_writer.h"
#include "base/unicode.h"
#include "engine/item_write.h"
#include "engine/job_failure.h"
#include "engine/row_key.h"
#include "engine/vector_entry.h"
#include "service/wait.h"
#include "value/item_rules.h"
#include "value/json.h"

namespace dolmen::engine {
namespace {

using transfers::ImportJob;

constexpr std::string_view kSomeFailed =
    "Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more "
    "details.";

std::string log_line(const ImportJob& job, const ObjectRecord& record, const std::string& message) {
  std::string line = R"({"itemS3Pointer":{"bucket":)";
  json::append_string(line, job.described.asked.from.bucket);
  line += R"(,"key":)";
  json::append_string(line, record.object);
  line += fmt::format(R"(,"itemIndex":{}}},"importArn":)", record.index);
  json::append_string(line, job.described.arn);
  line += R"(,"errorMessages":[)";
  json::append_string(line, is_utf8(message) ? message : "The line is not UTF-8");
  return line + "]}\n";
}

/// The row of an item of the table. Fails with kValidation, in the words of PutItem.
Result<std::string> checked_row_key(const Table& table, const formats::PutLine& put) {
  if (put.condition) return fail(Code::kValidation, "An import has no conditions");
  DOLMEN_TRY_VOID(check_item_size(put.item.bytes));
  DOLMEN_TRY(std::string row_key, row_key_of_item(table, put.item.bytes));
  DOLMEN_TRY_VOID(check_index_keys(table, put.item.bytes));
  DOLMEN_TRY_VOID(check_vectors(table, put.item.bytes));
  return row_key;
}

}  // namespace

Result<BackgroundTask::Next> Importer::step() {
  DOLMEN_TRY(std::vector<ImportJob> jobs, transfers::list<ImportJob>(parts_.storage));
  std::erase_if(jobs, [](const ImportJob& job) { return !transfers::is_running(job); });
  if (jobs.empty()) return std::nullopt;
  const auto next = std::ranges::find_if(jobs, [&](const ImportJob& job) { return job.id > last_turn_; });
  const ImportJob& turn = next == jobs.end() ? jobs.front() : *next;
  last_turn_ = turn.id;
  const Result<void> done = advance(turn);
  if (done) {
    failures_.erase(turn.id);
    return std::chrono::milliseconds(0);
  }
  readings_.erase(turn.id);
  std::optional<JobFailure> failure = failure_of(done.error(), ++failures_[turn.id]);
  if (done.error().code() == Code::kTableExists) failure = JobFailure{"TableAlreadyExists", done.error().message()};
  if (!failure) return std::unexpected(done.error());
  // The row has what was written meanwhile.
  DOLMEN_TRY(std::optional<ImportJob> failed, transfers::find<ImportJob>(parts_.storage, turn.id));
  if (!failed) return std::chrono::milliseconds(0);
  failed->described.status = JobStatus::kFailed;
  failed->described.failure = failure;
  DOLMEN_TRY_VOID(end(*std::move(failed)));
  return std::chrono::milliseconds(0);
}

Result<Importer::Reading*> Importer::reading_of(const ImportJob& job) {
  if (const auto known = readings_.find(job.id); known != readings_.end()) return &known->second;
  const ImportTableRequest& asked = job.described.asked;
  if (parts_.buckets == nullptr) return no_buckets();
  DOLMEN_TRY(std::shared_ptr<ObjectStore> bucket, parts_.buckets->open(asked.from.bucket));
  RecordParser parser(asked.table, asked.format, asked.csv.value_or(CsvInput{}));
  DOLMEN_TRY(std::unique_ptr<ObjectRecords> records,
             ObjectRecords::open(
                 std::move(bucket), asked.from.prefix.value_or(""),
                 {.format = asked.format, .compression = asked.compression, .has_header = parser.wants_header()},
                 job.position));
  const auto [added, is_new] =
      readings_.emplace(job.id, Reading{.records = std::move(records), .parser = std::move(parser)});
  return &added->second;
}

Result<void> Importer::advance(ImportJob job) {
  DOLMEN_TRY(Reading * reading, reading_of(job));
  if (!job.has_table) DOLMEN_TRY_VOID(parts_.create(job));
  const std::shared_ptr<const Table> table = parts_.catalogue.find(job.described.asked.table.name);
  if (table == nullptr || table->uuid != job.described.table_id)
    return fail(Code::kCorruption, "the table {} is gone", job.described.asked.table.name);
  DOLMEN_TRY(const Page page, read_page(job, *reading, *table));
  if (!page.log.empty()) DOLMEN_TRY_VOID(append_log(job, page.log));
  job.described.imported_items += page.imported;
  job.described.processed_bytes = reading->records->bytes_read();
  job.position = reading->records->position();
  DOLMEN_TRY_VOID(write(job, page));
  if (!page.is_last) return {};
  const bool clean = job.described.errors == 0;
  job.described.status = clean ? JobStatus::kCompleted : JobStatus::kFailed;
  if (!clean) job.described.failure = JobFailure{"ItemValidationError", std::string(kSomeFailed)};
  return end(std::move(job));
}

Result<Importer::Page> Importer::read_page(ImportJob& job, Reading& reading, const Table& table) const {
  Page page;
  std::size_t bytes = 0;
  ObjectRecord record;
  for (std::size_t count = 0; count < kPageRecords && bytes < kPageBytes; ++count) {
    const Result<bool> there = reading.records->next(record);
    // What was read before the failure is written first.
    if (!there && count > 0) break;
    if (!there) return std::unexpected(there.error());
    page.is_last = !*there;
    if (page.is_last) break;
    ++job.described.processed_items;
    bytes += record.text.size();
    Result<formats::PutLine> put = record.problem ? std::unexpected(*record.problem)
                                                  : reading.parser.parse(record.text, reading.records->header());
    Result<std::string> row_key = put ? checked_row_key(table, *put) : std::unexpected(put.error());
    if (row_key) {
      ++page.imported;
      page.items.insert_or_assign(*std::move(row_key), std::move(put->item));
      continue;
    }
    ++job.described.errors;
    if (job.log_bytes + page.log.size() < kLogBytesMax) page.log += log_line(job, record, row_key.error().message());
    // DynamoDB does not look further after a line that is no item at all.
    if (row_key.error().code() == Code::kSerialization) reading.records->skip_object();
  }
  return page;
}

Result<void> Importer::write(const ImportJob& job, const Page& page) {
  const LockRequest lock = parts_.pipeline.locks().table(job.described.asked.table.name, LockMode::kExclusive);
  const TableTime now = std::chrono::time_point_cast<std::chrono::milliseconds>(parts_.clock.now());
  // Page and job outlive the work, because this thread waits for it.
  auto work = [&](storage::Batch& batch) -> Result<WritePipeline::Outcome<std::monostate>> {
    const std::shared_ptr<const Table> table = parts_.catalogue.find(job.described.asked.table.name);
    if (table == nullptr || table->uuid != job.described.table_id)
      return fail(Code::kCorruption, "the table {} is gone", job.described.asked.table.name);
    for (const auto& [row_key, item] : page.items) {
      const ItemWrite one = ItemWrite::restore(table, row_key, item);
      DOLMEN_TRY(const ItemWrite::Decision decision, one.decide(parts_.storage));
      DOLMEN_TRY_VOID(one.stage(decision, parts_.storage, batch, now));
    }
    transfers::put(batch, job);
    return WritePipeline::Outcome<std::monostate>{};
  };
  DOLMEN_TRY_VOID(wait_for<std::monostate>([&](Done<std::monostate> done) {
    parts_.pipeline.run<std::monostate>({&lock, 1}, std::move(work), std::move(done));
  }));
  return {};
}

Result<void> Importer::append_log(ImportJob& job, const std::string& lines) const {
  if (parts_.log_directory.empty()) return {};
  DOLMEN_TRY_VOID(FileWriter().make_folders(parts_.log_directory));
  const std::filesystem::path path = parts_.log_directory / (job.id + ".jsonl");
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!file.is_open()) return std::unexpected(file_error(errno, "open", path));
  // Lines of a page that a crash interrupted are written again.
  if (::ftruncate(file.get(), static_cast<off_t>(job.log_bytes)) != 0)
    return std::unexpected(file_error(errno, "write to", path));
  std::size_t written = 0;
  while (written < lines.size()) {
    const ssize_t count = ::pwrite(file.get(), lines.data() + written, lines.size() - written,
                                   static_cast<off_t>(job.log_bytes + written));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::unexpected(file_error(errno, "write to", path));
    written += static_cast<std::size_t>(count);
  }
  if (::fsync(file.get()) != 0) return std::unexpected(file_error(errno, "sync", path));
  if (job.log_bytes == 0) DOLMEN_TRY_VOID(FileWriter().sync_folder(parts_.log_directory));
  job.log_bytes += lines.size();
  return {};
}

Result<void> Importer::end(ImportJob job) {
  job.described.ended = std::chrono::time_point_cast<std::chrono::milliseconds>(parts_.clock.now());
  DOLMEN_TRY_VOID(parts_.finish(job));
  readings_.erase(job.id);
  failures_.erase(job.id);
  if (parts_.log)
    parts_.log(fmt::format("the import {} has ended: {}, {} items, {} errors{}", job.described.arn,
                           job_status_name(job.described.status), job.described.imported_items, job.described.errors,
                           job.described.failure ? ": " + job.described.failure->message : ""));
  return {};
}

}  // namespace dolmen::engine
