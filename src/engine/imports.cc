// ImportTable, DescribeImport, ListImports, and how the tables of imports begin and end.
#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "engine/importer.h"
#include "engine/transfer_jobs.h"
#include "service/table_rules.h"
#include "service/throughput_rules.h"
#include "service/wait.h"

namespace dolmen::engine {
namespace {

using transfers::ImportJob;

std::unexpected<Error> table_exists(std::string_view name) {
  return fail(Code::kTableExists, "Table already exists: {}", name);
}

}  // namespace

void Engine::start(ImportTable /*operation*/, ImportTableRequest request, Done<ImportDescription> done) {
  const auto check = [&]() -> Result<void> {
    if (request.csv && request.format != ItemFormat::kCsv)
      return fail(Code::kValidation, "Invalid Request: Unsupported InputFormatOptions for the given input format: {}.",
                  item_format_name(request.format));
    DOLMEN_TRY_VOID(check_table_definition(request.table));
    return check_account_limits(request.table, options_.region);
  };
  if (Result<void> checked = check(); !checked) return done(std::unexpected(std::move(checked).error()));
  queue<ImportDescription>([this, request = std::move(request)]() mutable { return begin_import(std::move(request)); },
                           std::move(done));
}

Result<ImportDescription> Engine::begin_import(ImportTableRequest request) {
  DOLMEN_TRY(const std::vector<ImportJob> jobs, transfers::list<ImportJob>(*storage_));
  for (const ImportJob& job : jobs) {
    if (!request.client_token || job.described.asked.client_token != request.client_token) continue;
    if (job.described.asked.table.name != request.table.name)
      return fail(Code::kImportConflict, "Import conflict: Duplicate request detected with conflicting parameters");
    if (transfers::is_running(job)) return job.described;
  }
  if (catalogue_->find(request.table.name) != nullptr) return table_exists(request.table.name);
  if (!request.client_token) request.client_token = random_uuid(*options_.random);
  if (!request.from.owner) request.from.owner = options_.account;
  DOLMEN_TRY(const DataKeys::Plan plan, data_keys_.plan(request.table.kms_key));
  request.table.kms_key = plan.arn;
  storage::Batch batch;
  DOLMEN_TRY_VOID(transfers::make_room(batch, jobs, now(), "import"));
  const std::string table_arn = arn_of(request.table.name);
  ImportJob job{.id = transfers::new_id(jobs, now(), *options_.random),
                .described = {.asked = std::move(request),
                              .table_arn = table_arn,
                              .table_id = random_uuid(*options_.random),
                              .started = now()}};
  job.described.arn = fmt::format("{}/import/{}", table_arn, job.id);
  job.described.log_group_arn =
      fmt::format("arn:aws:logs:{}:{}:log-group:/aws-dynamodb/imports:*", options_.region, options_.account);
  transfers::put(batch, job);
  DOLMEN_TRY_VOID(storage_->commit(std::move(batch)));
  import_task_->wake();
  return job.described;
}

Result<void> Engine::create_import_table(ImportJob& job) {
  const LockRequest lock = LockTable::all_tables();
  const std::string& name = job.described.asked.table.name;
  // This thread waits, so that everything outlives the work.
  auto work = [&](storage::Batch& batch) -> Result<WritePipeline::Outcome<std::monostate>> {
    if (catalogue_->find(name) != nullptr) return table_exists(name);
    DOLMEN_TRY_VOID(check_table_count());
    // A summary without a source: nobody can use the table until it is complete, and nobody is told of a restore.
    NewTable table{.uuid = job.described.table_id,
                   .created = now(),
                   .definition = job.described.asked.table,
                   .restore = RestoreSummary{}};
    DOLMEN_TRY(const DataKeys::Plan plan, data_keys_.plan(table.definition.kms_key));
    DOLMEN_TRY(table.seal, new_seal(batch, plan, table.uuid));
    job.has_table = true;
    DOLMEN_TRY(std::shared_ptr<const Table> created, catalogue_->prepare_create(*storage_, batch, std::move(table)));
    transfers::put(batch, job);
    return WritePipeline::Outcome<std::monostate>{
        {}, [this, created = std::move(created)]() mutable { catalogue_->show(std::move(created)); }};
  };
  DOLMEN_TRY_VOID(wait_for<std::monostate>(
      [&](Done<std::monostate> done) { pipeline_.run<std::monostate>({&lock, 1}, std::move(work), std::move(done)); }));
  return {};
}

Result<void> Engine::finish_import(const ImportJob& job) {
  bool stored = false;
  auto activate = [&](Table& table, storage::Batch& batch) -> Result<void> {
    if (table.uuid != job.described.table_id) return {};
    table.restore.reset();
    transfers::put(batch, job);
    stored = true;
    return {};
  };
  if (job.has_table) DOLMEN_TRY_VOID(change_table_and_wait(job.described.asked.table.name, std::move(activate)));
  if (stored) return {};
  storage::Batch batch;
  transfers::put(batch, job);
  return storage_->commit(std::move(batch));
}

void Engine::start(DescribeImport /*operation*/, DescribeImportRequest request, Done<ImportDescription> done) {
  done(describe_import(request.arn));
}

Result<ImportDescription> Engine::describe_import(const std::string& arn) const {
  DOLMEN_TRY_VOID(transfers::check_owner(arn, {.region = options_.region, .account = options_.account}));
  const std::optional<transfers::JobName> name = transfers::read_arn(arn, "import");
  if (!name) return fail(Code::kValidation, "Invalid Import ARN");
  DOLMEN_TRY(const std::optional<ImportJob> job, transfers::find<ImportJob>(*storage_, name->id));
  if (!job || job->described.arn != arn)
    return fail(Code::kImportNotFound, "Import not found: Import not found: {}", arn);
  return job->described;
}

void Engine::start(ListImports /*operation*/, ListImportsRequest request, Done<ImportPage> done) {
  const auto list = [&]() -> Result<ImportPage> {
    DOLMEN_TRY(std::vector<ImportJob> jobs, transfers::list<ImportJob>(*storage_));
    std::erase_if(
        jobs, [&](const ImportJob& job) { return request.table_arn && job.described.table_arn != *request.table_arn; });
    ImportPage page;
    DOLMEN_TRY(page.next_token, transfers::cut_page(jobs, request.limit, request.next_token));
    for (ImportJob& job : jobs) page.imports.push_back(std::move(job.described));
    return page;
  };
  done(list());
}

void Engine::start_imports() {
  Importer::Parts parts{.storage = *storage_,
                        .pipeline = pipeline_,
                        .catalogue = *catalogue_,
                        .clock = *options_.clock,
                        .buckets = options_.buckets.get(),
                        .log_directory = options_.import_log_directory,
                        .create = [this](ImportJob& job) { return create_import_table(job); },
                        .finish = [this](const ImportJob& job) { return finish_import(job); },
                        .log = options_.log};
  import_task_.emplace(
      *storage_, BackgroundTask::Options{.name = "importing tables", .log = options_.log},
      [importer = std::make_unique<Importer>(std::move(parts))](const std::stop_token&) { return importer->step(); });
}

}  // namespace dolmen::engine
