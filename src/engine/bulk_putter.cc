#include "engine/bulk_putter.h"

#include <algorithm>
#include <condition_variable>
#include <fmt/format.h>
#include <utility>

#include "base/fail.h"
#include "base/unicode.h"
#include "engine/capacity.h"
#include "engine/job_failure.h"
#include "service/failures.h"
#include "value/item_rules.h"
#include "value/json.h"

namespace dolmen::engine {
namespace {

using transfers::BulkJob;

std::string report_key(const BulkJob& job, std::string_view name) {
  std::string prefix = job.described.asked.reports.prefix.value_or("");
  if (!prefix.empty() && !prefix.ends_with('/')) prefix.push_back('/');
  return fmt::format("{}AWSDynamoDB/{}/{}", prefix, job.id, name);
}

bool is_failed_condition(const Error& error) { return error.code() == Code::kConditionFailed; }

/// Errors that are about the item, and not about the store.
bool is_about_item(const Error& error) {
  switch (error.code()) {
    case Code::kValidation:
    case Code::kSerialization:
    case Code::kConditionFailed:
    case Code::kMalformedEncoding:
    case Code::kRequestTooLarge:
    case Code::kSchemaValidationFailed:
    case Code::kInvalidModel:
    case Code::kCollectionTooLarge: return true;
    default: return false;
  }
}

}  // namespace

Result<BackgroundTask::Next> BulkPutter::step() {
  DOLMEN_TRY(std::vector<BulkJob> jobs, transfers::list<BulkJob>(parts_.storage));
  std::erase_if(jobs, [](const BulkJob& job) { return !transfers::is_running(job); });
  if (jobs.empty()) return std::nullopt;
  const auto next = std::ranges::find_if(jobs, [&](const BulkJob& job) { return job.id > last_turn_; });
  const BulkJob& turn = next == jobs.end() ? jobs.front() : *next;
  last_turn_ = turn.id;
  const Result<std::chrono::milliseconds> done = advance(turn);
  if (done) {
    failures_.erase(turn.id);
    return *done;
  }
  readings_.erase(turn.id);
  std::optional<JobFailure> failure = failure_of(done.error(), ++failures_[turn.id]);
  if (done.error().code() == Code::kTableNotFound) failure = JobFailure{"TableNotFound", done.error().message()};
  if (!failure) return std::unexpected(done.error());
  DOLMEN_TRY(std::optional<BulkJob> failed, transfers::find<BulkJob>(parts_.storage, turn.id));
  if (!failed) return std::chrono::milliseconds(0);
  failed->described.failure = failure;
  DOLMEN_TRY_VOID(end(*std::move(failed), JobStatus::kFailed));
  return std::chrono::milliseconds(0);
}

Result<BulkPutter::Reading*> BulkPutter::reading_of(const BulkJob& job) {
  if (const auto known = readings_.find(job.id); known != readings_.end()) return &known->second;
  const BulkPutRequest& asked = job.described.asked;
  if (parts_.buckets == nullptr) return no_buckets();
  DOLMEN_TRY(std::shared_ptr<ObjectStore> bucket, parts_.buckets->open(asked.from.bucket));
  DOLMEN_TRY(std::unique_ptr<ObjectRecords> records,
             ObjectRecords::open(std::move(bucket), asked.from.prefix.value_or(""),
                                 {.format = asked.format, .compression = asked.compression}, job.position));
  const auto [added, is_new] = readings_.emplace(
      job.id, Reading{.records = std::move(records), .parser = RecordParser(TableDefinition{}, asked.format)});
  return &added->second;
}

Result<std::chrono::milliseconds> BulkPutter::advance(BulkJob job) {
  if (job.described.status == JobStatus::kCancelling) {
    DOLMEN_TRY_VOID(end(std::move(job), JobStatus::kCancelled));
    return std::chrono::milliseconds(0);
  }
  const std::shared_ptr<const Table> table = parts_.catalogue.find(job.table);
  if (table == nullptr || table->uuid != job.described.table_id)
    return fail(Code::kTableNotFound, "Requested resource not found: Table: {} not found", job.table);
  const Clock::TimePoint began = parts_.clock.now();
  DOLMEN_TRY(Reading * reading, reading_of(job));
  bool is_last = false;
  DOLMEN_TRY(std::vector<Attempt> attempts, read_page(job, *reading, is_last));
  put_all(attempts);
  double units = 0;
  for (const Attempt& attempt : attempts) {
    if (attempt.problem && !is_about_item(*attempt.problem)) return std::unexpected(*attempt.problem);
    ++job.described.processed_items;
    if (attempt.item) units += capacity::write_units(0, item_size(attempt.item->bytes));
    if (!attempt.problem) job.described.put_bytes += item_size(attempt.item->bytes);
    if (attempt.problem && is_failed_condition(*attempt.problem)) ++job.described.failed_conditions;
    if (attempt.problem && !is_failed_condition(*attempt.problem)) ++job.described.failed_items;
  }
  DOLMEN_TRY_VOID(report(job, attempts));
  job.described.processed_bytes = reading->records->bytes_read();
  job.position = reading->records->position();
  DOLMEN_TRY_VOID(store(job));
  if (is_last) {
    const bool clean = job.described.failed_items == 0;
    DOLMEN_TRY_VOID(end(std::move(job), clean ? JobStatus::kCompleted : JobStatus::kCompletedWithErrors));
    return std::chrono::milliseconds(0);
  }
  if (!job.described.asked.max_write_units) return std::chrono::milliseconds(0);
  // So that no more is written in a second than was allowed.
  const auto worth = std::chrono::duration<double>(units / static_cast<double>(*job.described.asked.max_write_units));
  const auto rest = std::chrono::ceil<std::chrono::milliseconds>(worth - (parts_.clock.now() - began));
  return std::max(rest, std::chrono::milliseconds(0));
}

Result<std::vector<BulkPutter::Attempt>> BulkPutter::read_page(const BulkJob& job, Reading& reading,
                                                               bool& is_last) const {
  std::vector<Attempt> attempts;
  std::size_t bytes = 0;
  while (attempts.size() < kPageRecords && bytes < kPageBytes) {
    Attempt attempt;
    const Result<bool> there = reading.records->next(attempt.record);
    if (!there && !attempts.empty()) break;
    if (!there) return std::unexpected(there.error());
    is_last = !*there;
    if (is_last) break;
    bytes += attempt.record.text.size();
    Result<formats::PutLine> put = attempt.record.problem ? std::unexpected(*attempt.record.problem)
                                                          : reading.parser.parse(attempt.record.text, {});
    if (put) {
      attempt.item = put->item;
      WriteRequest request{.kind = WriteKind::kPut, .table = job.table, .item = std::move(put->item)};
      if (put->condition) request.condition = Expression{.text = *std::move(put->condition)};
      request.placeholders = {.names = std::move(put->names), .values = std::move(put->values)};
      request.return_on_failure = true;
      attempt.request = std::move(request);
    } else {
      attempt.problem = put.error();
    }
    attempts.push_back(std::move(attempt));
  }
  return attempts;
}

void BulkPutter::put_all(std::vector<Attempt>& attempts) {
  std::mutex pending_mutex;
  std::condition_variable ended;
  std::size_t pending = 1;
  const auto one_less = [&] {
    // Notified under the lock: afterwards nothing here may touch the waiter's stack.
    const std::lock_guard lock(pending_mutex);
    if (--pending == 0) ended.notify_one();
  };
  for (Attempt& attempt : attempts) {
    if (!attempt.request) continue;
    {
      const std::lock_guard lock(pending_mutex);
      ++pending;
    }
    parts_.put(*std::move(attempt.request), [&attempt, &one_less](Result<WriteResponse> done) {
      if (!done) attempt.problem = done.error();
      one_less();
    });
  }
  one_less();
  std::unique_lock lock(pending_mutex);
  ended.wait(lock, [&] { return pending == 0; });
}

Result<void> BulkPutter::report(BulkJob& job, const std::vector<Attempt>& attempts) {
  const BulkPutRequest& asked = job.described.asked;
  std::string lines;
  for (const Attempt& attempt : attempts) {
    if (!attempt.problem) continue;
    const bool condition = is_failed_condition(*attempt.problem);
    if (condition ? !asked.report_failed_conditions : !asked.report_errors) continue;
    lines += condition ? R"({"type":"CONDITION_CHECK_FAILURE")" : R"({"type":"ERROR")";
    lines += R"(,"inputS3Pointer":{"bucket":)";
    json::append_string(lines, asked.from.bucket);
    lines += R"(,"key":)";
    json::append_string(lines, attempt.record.object);
    lines += fmt::format(R"(,"itemIndex":{}}},"message":)", attempt.record.index);
    const std::string& message = attempt.problem->message();
    json::append_string(lines, is_utf8(message) ? message : "The line is not UTF-8");
    if (attempt.item) {
      lines += R"(,"item":)";
      DOLMEN_TRY_VOID(json::append_item(lines, attempt.item->bytes));
    }
    if (const auto* failed = attempt.problem->payload<ConditionFailure>(); failed != nullptr && failed->item) {
      lines += R"(,"existingItem":)";
      DOLMEN_TRY_VOID(json::append_item(lines, failed->item->bytes));
    }
    lines += "}\n";
  }
  if (lines.empty()) return {};
  DOLMEN_TRY(const std::shared_ptr<ObjectStore> bucket, parts_.buckets->open(asked.reports.bucket));
  DOLMEN_TRY_VOID(bucket->put(report_key(job, fmt::format("report/{:08}.json", job.reports + 1)), lines));
  ++job.reports;
  return {};
}

Result<void> BulkPutter::store(BulkJob& job) {
  const std::lock_guard lock(parts_.jobs_mutex);
  // Somebody may have cancelled it meanwhile.
  DOLMEN_TRY(const std::optional<BulkJob> now, transfers::find<BulkJob>(parts_.storage, job.id));
  if (now) job.described.status = now->described.status;
  storage::Batch batch;
  transfers::put(batch, job);
  return parts_.storage.commit(std::move(batch));
}

Result<void> BulkPutter::end(BulkJob job, JobStatus status) {
  job.described.status = status;
  job.described.ended = std::chrono::time_point_cast<std::chrono::milliseconds>(parts_.clock.now());
  const BulkPutRequest& asked = job.described.asked;
  if (status != JobStatus::kFailed && (asked.report_errors || asked.report_failed_conditions)) {
    DOLMEN_TRY(const std::shared_ptr<ObjectStore> bucket, parts_.buckets->open(asked.reports.bucket));
    std::string summary = R"({"bulkOperationArn":)";
    json::append_string(summary, job.described.arn);
    summary += fmt::format(
        R"(,"status":"{}","processedItemCount":{},"failedItemCount":{},"conditionCheckFailureCount":{},"reports":{}}})",
        job_status_name(status), job.described.processed_items, job.described.failed_items,
        job.described.failed_conditions, job.reports);
    DOLMEN_TRY_VOID(bucket->put(report_key(job, "manifest-summary.json"), summary));
  }
  {
    const std::lock_guard lock(parts_.jobs_mutex);
    storage::Batch batch;
    transfers::put(batch, job);
    DOLMEN_TRY_VOID(parts_.storage.commit(std::move(batch)));
  }
  readings_.erase(job.id);
  failures_.erase(job.id);
  if (parts_.log)
    parts_.log(fmt::format("the bulk operation {} has ended: {}, {} items, {} errors", job.described.arn,
                           job_status_name(status), job.described.processed_items, job.described.failed_items));
  return {};
}

}  // namespace dolmen::engine
