#include "engine/engine.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "engine/extents.h"
#include "engine/history.h"
#include "engine/stream_trimming.h"
#include "service/cancelable.h"

namespace dolmen::engine {

Engine::Engine(std::unique_ptr<storage::Storage> storage, std::unique_ptr<Catalogue> catalogue, EngineOptions options)
    : storage_(std::move(storage)),
      catalogue_(std::move(catalogue)),
      options_(std::move(options)),
      data_keys_({.table_keys = options_.table_keys,
                  .region = options_.region,
                  .account = options_.account,
                  .random = options_.random,
                  .log = options_.log}),
      pipeline_(*storage_, options_.random->next_u64()),
      conflicts_(options_.refuse_conflicts ? std::make_unique<Conflicts>() : nullptr),
      copies_(*storage_),
      expiry_walk_({*storage_, pipeline_, *catalogue_, *options_.clock}),
      expirer_({*storage_, pipeline_, *catalogue_, *options_.clock}),
      kinesis_forwarder_({.storage = *storage_,
                          .catalogue = *catalogue_,
                          .region = options_.region,
                          .account = options_.account,
                          .directory = options_.kinesis_directory}),
      searches_(std::max(std::thread::hardware_concurrency(), 1U)) {}

Result<std::unique_ptr<Engine>> Engine::open(std::unique_ptr<storage::Storage> storage, EngineOptions options) {
  DOLMEN_TRY(std::unique_ptr<Catalogue> catalogue, Catalogue::load(*storage));
  DOLMEN_TRY_VOID(DataKeys::remove_unused(*storage, catalogue->all()));
  DOLMEN_TRY_VOID(extents::count_uncounted(*storage, *catalogue));
  for (const std::shared_ptr<const Table>& table : catalogue->all()) DOLMEN_TRY_VOID(history::resume(*storage, *table));
  auto engine = std::unique_ptr<Engine>(new Engine(std::move(storage), std::move(catalogue), std::move(options)));
  DOLMEN_TRY_VOID(engine->data_keys_.load(*engine->storage_, engine->now()));
  DOLMEN_TRY(engine->token_clock_,
             TokenClock::load(*engine->storage_, *engine->options_.clock, engine->options_.even_time));
  DOLMEN_TRY_VOID(engine->remove_lost_copies());
  engine->start_background();
  return engine;
}

void Engine::start_background() {
  start_index_builder();
  start_reclaimer();
  start_expiry();
  stream_trimmer_.emplace(*storage_,
                          BackgroundTask::Options{.name = "trimming streams", .log = options_.log, .free_bytes_min = 0},
                          [this](const std::stop_token& stop) -> Result<BackgroundTask::Next> {
                            return streams::trim(*storage_, now(), stop);
                          });
  start_restorer();
  start_graph_builder();
  history_trimmer_.emplace(
      *storage_, BackgroundTask::Options{.name = "trimming histories", .log = options_.log, .free_bytes_min = 0},
      [this](const std::stop_token& stop) { return trim_history(stop); });
  start_kinesis();
  start_exports();
  start_imports();
  start_bulk_puts();
  start_sealing();
}

Engine::~Engine() {
  work_.stop();
  // They write like requests, so they end first.
  export_task_->stop();
  import_task_->stop();
  bulk_task_->stop();
  searches_.stop();
  // It wakes the others.
  seal_task_->stop();
  // The callbacks of the last commits still wake them.
  index_builder_->stop();
  reclaimer_->stop();
  expiry_builder_->stop();
  expiry_task_->stop();
  stream_trimmer_->stop();
  restorer_->stop();
  history_trimmer_->stop();
  graph_builder_->stop();
  kinesis_task_->stop();
  // Closed before the pipeline is destroyed: the callbacks of the last commits still use its locks. An error of closing
  // loses no commit.
  static_cast<void>(storage_->close());
}

std::unique_ptr<Service> Engine::cancelable(std::stop_token stop, detail::Companions& /*companions*/) {
  return until_stopped(*this, std::move(stop));
}

}  // namespace dolmen::engine
