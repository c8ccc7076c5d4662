// SearchVectors, and the graphs that are built in the background.
#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/vector_search.h"

namespace dolmen::engine {

void Engine::start(SearchVectors /*operation*/, SearchVectorsRequest request, Done<SearchVectorsResponse> done) {
  if (request.trace) {
    request.trace->begin(SearchVectors::kInfo.name);
    request.trace->enter(ReadTrace::Phase::kPrepare);
  }
  const auto prepare = [&]() -> Result<VectorSearch> {
    const std::string name = request.table;
    DOLMEN_TRY(VectorSearch search, VectorSearch::prepare(std::move(request)));
    DOLMEN_TRY(std::shared_ptr<const Table> table, table_for_items(name));
    DOLMEN_TRY_VOID(search.attach(std::move(table), now()));
    return search;
  };
  Result<VectorSearch> search = prepare();
  if (!search) return done(std::unexpected(std::move(search).error()));
  const auto run = [this](const VectorSearch& one) { return one.run(*storage_, graph_options()); };
  if (search->is_short()) {
    const Elsewhere* const elsewhere = search->request().elsewhere;
    storage::NoWaiting attempt(elsewhere != nullptr && !HasTime::here());
    Result<SearchVectorsResponse> response = run(*search);
    if (!storage_->would_wait(attempt)) return done(std::move(response));
    if (search->request().trace) search->request().trace->begin_again();
    return go_elsewhere_or_stay<SearchVectorsResponse>(
        *elsewhere, std::move(done),
        [run, search = *std::move(search)](Done<SearchVectorsResponse> answer) { answer(run(search)); });
  }
  // Shared, so that it is still there when the queue does not take it.
  auto shared = std::make_shared<Done<SearchVectorsResponse>>(std::move(done));
  if (!searches_.add([shared, run, search = *std::move(search)] { (*shared)(run(search)); }))
    (*shared)(fail(Code::kThrottled, "{} searches wait already; try again", WorkQueue::kWaitingMax));
}

GraphOptions Engine::graph_options() {
  return {.work_due = [this](std::weak_ptr<VectorPartition> partition) { add_graph_work(std::move(partition)); },
          .rows_min = options_.vector_graph_rows_min};
}

void Engine::add_graph_work(std::weak_ptr<VectorPartition> partition) {
  {
    const std::lock_guard lock(graph_work_mutex_);
    graph_work_.push_back(std::move(partition));
  }
  graph_builder_->wake();
}

Result<BackgroundTask::Next> Engine::build_graphs() {
  std::shared_ptr<VectorPartition> partition;
  {
    const std::lock_guard lock(graph_work_mutex_);
    if (graph_work_.empty()) return std::nullopt;
    partition = graph_work_.front().lock();
    if (partition == nullptr) graph_work_.pop_front();
  }
  if (partition == nullptr || work_on(*partition)) return std::chrono::milliseconds(0);
  const std::lock_guard lock(graph_work_mutex_);
  graph_work_.pop_front();
  return graph_work_.empty() ? BackgroundTask::Next() : BackgroundTask::Next(std::chrono::milliseconds(0));
}

void Engine::start_graph_builder() {
  // What it makes is in memory only.
  graph_builder_.emplace(
      *storage_, BackgroundTask::Options{.name = "building vector graphs", .log = options_.log, .free_bytes_min = 0},
      [this](const std::stop_token&) { return build_graphs(); });
}

}  // namespace dolmen::engine
