// ExportTableToPointInTime, DescribeExport, ListExports.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/arn.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/export_selection.h"
#include "engine/exporter.h"
#include "engine/history.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "engine/transfer_jobs.h"
#include "service/internal_tables.h"

namespace dolmen::engine {
namespace {

using transfers::ExportJob;

constexpr std::chrono::minutes kWindowMin{15};
constexpr std::chrono::hours kWindowMax{24};

std::unexpected<Error> invalid_export(std::string_view text) {
  return fail(Code::kValidation, "Invalid Request: {}", text);
}

std::unexpected<Error> invalid_export_time(std::string_view text) {
  return std::unexpected(Error(Code::kInvalidExportTime, std::string(text)));
}

/// What can be checked without a table.
Result<void> check_export(const ExportTableRequest& request) {
  const bool incremental = request.incremental.value_or(false);
  if (request.window && !request.incremental)
    return invalid_export(
        "Export Type expected to be Incremental Export when incremental export specification is provided");
  if (request.window && !incremental)
    return invalid_export("When Export Type is Full Export , Incremental Export Specification should not be provided");
  if (incremental && !request.window)
    return invalid_export("Incremental Export Specification expected when export type is set as Incremental Export");
  if (request.window && !request.window->from)
    return invalid_export("ExportFromTime must be provided in IncrementalExportSpecification");
  if (incremental && request.time)
    return invalid_export("ExportTime should not be provided when Export Type is Incremental Export");
  if (request.encryption.kms_key && request.encryption.algorithm != "KMS")
    return invalid_export("KMS Key Id is not supported for this encryption type");
  DOLMEN_TRY_VOID(ExportSelection::of(request.filter));
  return {};
}

Result<void> check_window(const IncrementalExport& window, const Table& table, TableTime now) {
  if (*window.from < table.created)
    return invalid_export_time(
        fmt::format("Incremental export period from time cannot be less than the table creation time : {}",
                    utc_seconds(table.created)));
  if (*window.to > now)
    return invalid_export_time(fmt::format(
        "Incremental export period to time cannot be greater than the current time : {}", utc_seconds(now)));
  if (*window.to - *window.from < kWindowMin)
    return invalid_export_time(
        "Difference between export period from time and export period to time is less than 15 minutes");
  if (*window.to - *window.from > kWindowMax)
    return invalid_export_time(
        "Difference between export period from time and export period to time is more than 24 hours");
  if (*window.from < history::earliest(*table.history, now)) return invalid_export_time("Export Time is invalid");
  return {};
}

}  // namespace

Result<std::shared_ptr<const Table>> Engine::table_to_export(const std::string& arn_text) const {
  constexpr std::string_view kTable = "table/";
  if (arn_text.empty()) return fail(Code::kValidation, "Invalid TableArn: Invalid Table ARN");
  const Arn arn = split_arn(arn_text);
  if (!arn.is_whole() || arn.service() != "dynamodb" || !arn.resource().starts_with(kTable))
    return fail(Code::kValidation, "One or more parameter values were invalid: tableArn is not a valid ARN");
  const std::string name(arn.resource().substr(kTable.size()));
  if (name.contains('/')) return invalid_export("Table ARN is invalid.");
  if (arn.account() != options_.account) return fail(Code::kAccessDenied, "Access is denied");
  std::shared_ptr<const Table> table = catalogue_->find(name);
  if (table != nullptr && catalogue_->lacks_key(*table)) return missing_key();
  if (table == nullptr || table->restore || is_internal_table(name) || arn.region() != options_.region)
    return no_source_table(arn_text);
  return table;
}

void Engine::start(ExportTableToPointInTime /*operation*/, ExportTableRequest request, Done<ExportDescription> done) {
  if (Result<void> checked = check_export(request); !checked) return done(std::unexpected(std::move(checked).error()));
  queue<ExportDescription>([this, request = std::move(request)]() mutable { return begin_export(std::move(request)); },
                           std::move(done));
}

Result<ExportDescription> Engine::begin_export(ExportTableRequest request) {
  DOLMEN_TRY(const std::shared_ptr<const Table> table, table_to_export(request.table_arn));
  DOLMEN_TRY(const std::vector<ExportJob> jobs, transfers::list<ExportJob>(*storage_));
  for (const ExportJob& job : jobs) {
    if (!request.client_token || job.described.asked.client_token != request.client_token) continue;
    ExportTableRequest before = job.described.asked;
    // These were filled in.
    if (!request.time) before.time.reset();
    if (request.window && !request.window->to) before.window->to.reset();
    if (!transfers::same_request(before, request))
      return fail(Code::kExportConflict, "Export conflict: Duplicate request detected with conflicting parameters");
    return job.described;
  }
  const std::string& name = table->definition.name;
  if (!table->history)
    return fail(Code::kPointInTimeUnavailable, "Point in time recovery is not enabled for table '{}'", name);
  const TableTime began = now();
  if (request.window) {
    if (!request.window->to) request.window->to = std::min<TableTime>(*request.window->from + kWindowMax, began);
    DOLMEN_TRY_VOID(check_window(*request.window, *table, began));
  } else if (request.time && *request.time < history::earliest(*table->history, began)) {
    return invalid_export_time("Export Time is invalid");
  } else if (request.time && *request.time > began) {
    return invalid_export_time("Point in Time Recovery is not available for specified export time");
  }
  if (!request.client_token) request.client_token = random_uuid(*options_.random);
  return keep_export(std::move(request), *table, jobs);
}

Result<ExportDescription> Engine::keep_export(ExportTableRequest request, const Table& table,
                                              const std::vector<ExportJob>& others) {
  storage::Batch batch;
  DOLMEN_TRY_VOID(transfers::make_room(batch, others, now(), "export"));
  ExportJob job{.id = transfers::new_id(others, now(), *options_.random),
                .described = {.asked = std::move(request), .table_id = table.uuid, .started = now()},
                .table = table.definition.name,
                .copy = {},
                .source_id = table.id,
                .history_id = table.history->id};
  job.copy = "export-" + job.id;
  job.described.arn = fmt::format("{}/export/{}", arn_of(job.table), job.id);
  const bool latest = !job.described.asked.window && !job.described.asked.time;
  std::vector<storage::KeptRange> rows = rows_to_copy(table);
  rows.push_back({.keyspace = keyspaces::kHistory,
                  .lower = first_key_of(job.history_id),
                  .upper = first_key_of(job.history_id + 1)});
  // The copy is of a later moment than this, and the history knows what changed until then.
  if (latest) job.described.asked.time = now();
  DOLMEN_TRY_VOID(copies_.make(job.copy, rows));
  const auto keep = [&]() -> Result<void> {
    DOLMEN_TRY(const std::shared_ptr<const storage::Storage> copy, copies_.open(job.copy));
    DOLMEN_TRY(const std::optional<Table> copied, Catalogue::stored(*copy, job.table));
    if (!copied || copied->uuid != table.uuid) return no_source_table(job.described.asked.table_arn);
    if (!copied->history || copied->history->id != job.history_id)
      return fail(Code::kPointInTimeUnavailable, "Point in time recovery is not enabled for table '{}'", job.table);
    transfers::put(batch, job);
    return storage_->commit(std::move(batch));
  };
  if (Result<void> kept = keep(); !kept) {
    copies_.remove(job.copy);
    return std::unexpected(std::move(kept).error());
  }
  export_task_->wake();
  return job.described;
}

void Engine::start(DescribeExport /*operation*/, DescribeExportRequest request, Done<ExportDescription> done) {
  done(describe_export(request.arn));
}

Result<ExportDescription> Engine::describe_export(const std::string& arn) const {
  DOLMEN_TRY_VOID(transfers::check_owner(arn, {.region = options_.region, .account = options_.account}));
  const std::optional<transfers::JobName> name = transfers::read_arn(arn, "export");
  if (!name) return fail(Code::kValidation, "Invalid Export ARN");
  if (name->region != options_.region) return fail(Code::kExportNotFound, "Export not found: Invalid export arn");
  DOLMEN_TRY(const std::optional<ExportJob> job, transfers::find<ExportJob>(*storage_, name->id));
  if (!job || job->described.arn != arn)
    return fail(Code::kExportNotFound, "Export not found: Export not found: {}", arn);
  return job->described;
}

void Engine::start(ListExports /*operation*/, ListExportsRequest request, Done<ExportPage> done) {
  done(list_exports(request));
}

Result<ExportPage> Engine::list_exports(const ListExportsRequest& request) const {
  ExportPage page;
  if (request.table_arn) {
    const Result<std::shared_ptr<const Table>> table = table_to_export(*request.table_arn);
    if (!table && table.error().code() == Code::kSourceTableNotFound) return page;
    if (!table) return std::unexpected(table.error());
  }
  DOLMEN_TRY(std::vector<ExportJob> jobs, transfers::list<ExportJob>(*storage_));
  std::erase_if(jobs, [&](const ExportJob& job) {
    return request.table_arn && job.described.asked.table_arn != *request.table_arn;
  });
  DOLMEN_TRY(page.next_token, transfers::cut_page(jobs, request.limit, request.next_token));
  for (ExportJob& job : jobs) page.exports.push_back(std::move(job.described));
  return page;
}

void Engine::start_exports() {
  Exporter::Parts parts{.storage = *storage_,
                        .clock = *options_.clock,
                        .copies = copies_,
                        .buckets = options_.buckets.get(),
                        .log = options_.log};
  export_task_.emplace(
      *storage_, BackgroundTask::Options{.name = "exporting tables", .log = options_.log},
      [exporter = std::make_unique<Exporter>(std::move(parts))](const std::stop_token&) { return exporter->step(); });
}

}  // namespace dolmen::engine
