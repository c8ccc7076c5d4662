// What an engine says about itself.
#include <algorithm>

#include "engine/engine.h"

namespace dolmen::engine {
namespace {

void describe_task(metrics::Report& report, std::string_view name, const std::optional<BackgroundTask>& task) {
  report.gauge("dolmen_background_failing", "1 while work in the background fails and is tried again",
               task && task->has_failed() ? 1 : 0, {{"task", name}});
}

}  // namespace

std::optional<Error> Engine::write_failure() const { return storage_->write_failure(); }

void Engine::describe(metrics::Report& report) const {
  std::size_t streams = 0;
  std::size_t index_builds = 0;
  std::size_t expiry_builds = 0;
  for (const std::shared_ptr<const Table>& table : catalogue_->all()) {
    streams += table->stream_id != 0 ? 1 : 0;
    expiry_builds += table->expiry_building ? 1 : 0;
    index_builds += static_cast<std::size_t>(
        std::ranges::count(table->indexes, IndexState::kBuilding, [](const Index& index) { return index.state; }));
  }
  const auto gauge = [&](std::string_view name, std::string_view help, std::size_t value) {
    report.gauge(name, help, static_cast<double>(value));
  };
  gauge("dolmen_tables", "Tables", catalogue_->size());
  gauge("dolmen_streams", "Tables with a stream", streams);
  gauge("dolmen_index_builds", "Indexes that are being built", index_builds);
  gauge("dolmen_ttl_builds", "Tables whose items are looked through for times to live", expiry_builds);
  gauge("dolmen_ttl_behind", "1 while expired items wait to be removed", expirer_.is_behind() ? 1 : 0);
  report.counter("dolmen_index_build_items_total", "Items that were looked at to build indexes",
                 counters_.index_build_items.value());
  report.counter("dolmen_ttl_removed_items_total", "Items that were removed because they expired",
                 expirer_.removed_items());
  report.counter("dolmen_gate_refusals_total", "Writes that a contract refused", counters_.gate_refusals->value());
  report.counter("dolmen_stream_records_total", "Records that were added to streams", storage_->appended_rows());
  describe_task(report, "building indexes", index_builder_);
  describe_task(report, "giving back disk space", reclaimer_);
  describe_task(report, "removing expired items", expiry_task_);
  describe_task(report, "building a time to live", expiry_builder_);
  describe_task(report, "trimming streams", stream_trimmer_);
  gauge("dolmen_writes_refused", "1 when the store refuses writes until it is opened again", write_failure() ? 1 : 0);
  if (const Result<std::uint64_t> free = storage_->free_bytes(); free && *free != UINT64_MAX)
    report.gauge("dolmen_disk_free_bytes", "Bytes that are free on the disk of the data", static_cast<double>(*free));
  storage_->describe(report);
}

}  // namespace dolmen::engine
