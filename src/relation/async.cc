#include "dolmen/relation/async.h"

#include "base/workers.h"

namespace dolmen {
namespace relation {

/// The threads of an AsyncRelations.
class Callers {
 public:
  explicit Callers(Workers::Limits limits) : workers_(limits) {}

  bool run(std::move_only_function<void()> call) { return workers_.run(std::move(call)); }

 private:
  Workers workers_;
};

}  // namespace relation

AsyncRelations::AsyncRelations(Relations graph, AsyncRelationsOptions options)
    : graph_(std::move(graph)),
      executor_(std::move(options.executor)),
      callers_(std::make_unique<relation::Callers>(
          Workers::Limits{.threads = options.threads, .waiting = options.waiting})) {}

AsyncRelations::~AsyncRelations() {
  graph_.interrupt();
  callers_.reset();
}

bool AsyncRelations::run(std::move_only_function<void()> call) { return callers_->run(std::move(call)); }

Error AsyncRelations::too_many_calls() { return {Code::kThrottled, "too many calls are waiting; try again"}; }

}  // namespace dolmen
