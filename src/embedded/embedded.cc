#include "embedded/embedded.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "contract/contracts.h"
#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "schema/log_note.h"
#include "schema/registry.h"
#include "service/write_gate.h"

namespace dolmen {
namespace {

/// Checks that the schemas that a log record names are published.
Result<void> inspect_note(std::string_view bytes, const schema::Registry& schemas, RecoveryReport& report) {
  DOLMEN_TRY(const std::vector<SchemaRef> refs, schema::read_log_note(bytes));
  if (refs.empty()) return {};
  ++report.log_notes;
  for (const SchemaRef& ref : refs)
    if (schemas.find(ref) == nullptr)
      return fail(
          Code::kCorruption,
          "the log has documents of {}, whose schema file is missing. Restore metadata/schemas and the file SCHEMAS, "
          "for example from a backup",
          to_string(ref));
  return {};
}

}  // namespace

std::vector<std::string> lines_of(const RecoveryReport& report) {
  std::vector<std::string> lines = report.publications;
  if (report.log_records > 0)
    lines.push_back(fmt::format("applied {} records of the log, {} of them writes of documents", report.log_records,
                                report.log_notes));
  if (report.torn_bytes > 0)
    lines.push_back(fmt::format("the log ended in {} bytes of a record that was never acknowledged; they are dropped",
                                report.torn_bytes));
  return lines;
}

Result<std::unique_ptr<Store>> open_embedded_store(const EmbeddedOptions& options, const StartOptions& start) {
  RecoveryReport report;
  std::shared_ptr<schema::Registry> schemas;
  storage::Options storage_options{.directory = options.directory,
                                   .durability = options.durability,
                                   .keyspaces = engine::keyspaces::names(),
                                   .queued_bytes_max = start.commit_queue_bytes_max,
                                   .verified_keyspaces = engine::keyspaces::verified(),
                                   .faults = start.faults};
  storage_options.inspect_directory = [&](const std::filesystem::path& directory) -> Result<void> {
    DOLMEN_TRY(schemas, schema::Registry::load(directory, start.before_schema_step));
    return {};
  };
  storage_options.inspect_log = [&](std::string_view bytes) { return inspect_note(bytes, *schemas, report); };
  DOLMEN_TRY(std::unique_ptr<storage::Storage> storage, storage::Storage::open(storage_options));
  report.log_records = storage->recovery().log_records;
  report.torn_bytes = storage->recovery().torn_bytes;
  if (schemas) {
    DOLMEN_TRY(report.publications, schemas->repair());
    report.schemas = schemas->list().size();
  }
  DOLMEN_TRY(std::unique_ptr<engine::Engine> service,
             engine::Engine::open(std::move(storage), {.region = options.region, .log = options.log}));
  detail::Companions companions;
  // Lives as long as the service, which the store owns.
  companions.add(std::shared_ptr<WriteGates>(std::shared_ptr<void>(), service.get()));
  if (schemas) companions.add(std::move(schemas));
  auto store = std::make_unique<Store>(std::move(service), std::move(companions));
  DOLMEN_TRY_VOID(contract::Contracts(*store, start.warn).load());
  if (start.report != nullptr) *start.report = std::move(report);
  return store;
}

Result<std::unique_ptr<Store>> open_embedded(const EmbeddedOptions& options) { return open_embedded_store(options); }

}  // namespace dolmen
