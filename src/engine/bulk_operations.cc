// StartBulkPutItems, DescribeBulkOperation, CancelBulkOperation, ListBulkOperations.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/fail.h"
#include "engine/bulk_putter.h"
#include "engine/engine.h"
#include "engine/transfer_jobs.h"
#include "service/internal_tables.h"
#include "service/table_rules.h"

namespace dolmen::engine {
namespace {

using transfers::BulkJob;

/// How long a token stands for one request.
constexpr std::chrono::hours kBulkTokenLife{8};
constexpr std::int64_t kBulkPageDefault = 10;

std::unexpected<Error> no_bulk_operation(std::string_view arn) {
  return fail(Code::kTableNotFound, "Requested resource not found: Bulk operation: {} not found", arn);
}

Result<void> check_bulk_put(const BulkPutRequest& request) {
  const auto invalid = [](std::string_view text) {
    return fail(Code::kValidation, "One or more parameter values were invalid: {}", text);
  };
  if (!request.report_errors && !request.report_failed_conditions)
    return invalid("OutputType must have at least one value");
  if (request.reports.bucket.empty()) return invalid("S3Bucket is required in OutputS3Configuration");
  if (request.encryption.kms_key && request.encryption.algorithm != "KMS")
    return fail(Code::kValidation, "Invalid Request: KMS Key Id is not supported for this encryption type");
  return check_table_name(request.table);
}

}  // namespace

void Engine::start(StartBulkPutItems /*operation*/, BulkPutRequest request, Done<BulkOperationDescription> done) {
  if (Result<void> checked = check_bulk_put(request); !checked)
    return done(std::unexpected(std::move(checked).error()));
  queue<BulkOperationDescription>(
      [this, request = std::move(request)]() mutable { return begin_bulk_put(std::move(request)); }, std::move(done));
}

Result<BulkOperationDescription> Engine::begin_bulk_put(BulkPutRequest request) {
  const std::shared_ptr<const Table> table = catalogue_->find(request.table);
  if (table != nullptr && catalogue_->lacks_key(*table)) return missing_key();
  if (table == nullptr || table->restore || is_internal_table(request.table))
    return fail(Code::kTableNotFound, "Requested resource not found: Table: {} not found", request.table);
  const std::lock_guard lock(bulk_jobs_mutex_);
  DOLMEN_TRY(const std::vector<BulkJob> jobs, transfers::list<BulkJob>(*storage_));
  for (const BulkJob& job : jobs) {
    const bool same_token = request.client_token && job.described.asked.client_token == request.client_token;
    if (!same_token || job.described.started + kBulkTokenLife <= now()) continue;
    if (!transfers::same_request(job.described.asked, request))
      return fail(Code::kIdempotencyMismatch, "The client token was used for a bulk operation with other parameters");
    return job.described;
  }
  storage::Batch batch;
  DOLMEN_TRY_VOID(transfers::make_room(batch, jobs, now(), "bulk"));
  if (!request.client_token) request.client_token = random_uuid(*options_.random);
  BulkJob job{.id = transfers::new_id(jobs, now(), *options_.random),
              .described = {.asked = std::move(request), .table_id = table->uuid, .started = now()},
              .table = table->definition.name};
  job.described.arn = fmt::format("{}/bulk-operation/{}", arn_of(job.table), job.id);
  transfers::put(batch, job);
  DOLMEN_TRY_VOID(storage_->commit(std::move(batch)));
  bulk_task_->wake();
  return job.described;
}

Result<transfers::BulkJob> Engine::find_bulk_job(const std::string& arn) const {
  const std::optional<transfers::JobName> name = transfers::read_arn(arn, "bulk-operation");
  if (!name) return fail(Code::kValidation, "Invalid Bulk Operation ARN");
  DOLMEN_TRY(std::optional<BulkJob> job, transfers::find<BulkJob>(*storage_, name->id));
  if (!job || job->described.arn != arn) return no_bulk_operation(arn);
  return *std::move(job);
}

void Engine::start(DescribeBulkOperation /*operation*/, DescribeBulkOperationRequest request,
                   Done<BulkOperationDescription> done) {
  Result<BulkJob> job = find_bulk_job(request.arn);
  if (!job) return done(std::unexpected(std::move(job).error()));
  done(std::move(job->described));
}

void Engine::start(CancelBulkOperation /*operation*/, CancelBulkOperationRequest request,
                   Done<BulkOperationDescription> done) {
  queue<BulkOperationDescription>(
      [this, arn = std::move(request.arn)]() -> Result<BulkOperationDescription> {
        const std::lock_guard lock(bulk_jobs_mutex_);
        DOLMEN_TRY(BulkJob job, find_bulk_job(arn));
        if (job.described.status != JobStatus::kInProgress) return job.described;
        job.described.status = JobStatus::kCancelling;
        storage::Batch batch;
        transfers::put(batch, job);
        DOLMEN_TRY_VOID(storage_->commit(std::move(batch)));
        bulk_task_->wake();
        return job.described;
      },
      std::move(done));
}

void Engine::start(ListBulkOperations /*operation*/, ListBulkOperationsRequest request, Done<BulkOperationPage> done) {
  const auto list = [&]() -> Result<BulkOperationPage> {
    DOLMEN_TRY(std::vector<BulkJob> jobs, transfers::list<BulkJob>(*storage_));
    BulkOperationPage page;
    DOLMEN_TRY(page.next_token,
               transfers::cut_page(jobs, request.limit.value_or(kBulkPageDefault), request.next_token));
    for (BulkJob& job : jobs) page.operations.push_back(std::move(job.described));
    return page;
  };
  done(list());
}

void Engine::start_bulk_puts() {
  BulkPutter::Parts parts{
      .storage = *storage_,
      .catalogue = *catalogue_,
      .clock = *options_.clock,
      .buckets = options_.buckets.get(),
      .put = [this](WriteRequest request, Done<WriteResponse> done) { write(std::move(request), std::move(done)); },
      .jobs_mutex = bulk_jobs_mutex_,
      .log = options_.log};
  bulk_task_.emplace(
      *storage_, BackgroundTask::Options{.name = "putting items in bulk", .log = options_.log},
      [putter = std::make_unique<BulkPutter>(std::move(parts))](const std::stop_token&) { return putter->step(); });
}

}  // namespace dolmen::engine
