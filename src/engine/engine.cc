#include "engine/engine.h"

#include <utility>

#include "engine/extents.h"
#include "service/cancelable.h"

namespace dolmen::engine {

Engine::Engine(std::unique_ptr<storage::Storage> storage, std::unique_ptr<Catalogue> catalogue, EngineOptions options)
    : storage_(std::move(storage)),
      catalogue_(std::move(catalogue)),
      options_(std::move(options)),
      pipeline_(*storage_, options_.random->next_u64()) {}

Result<std::unique_ptr<Engine>> Engine::open(std::unique_ptr<storage::Storage> storage, EngineOptions options) {
  DOLMEN_TRY(std::unique_ptr<Catalogue> catalogue, Catalogue::load(*storage));
  DOLMEN_TRY_VOID(extents::count_uncounted(*storage, *catalogue));
  return std::unique_ptr<Engine>(new Engine(std::move(storage), std::move(catalogue), std::move(options)));
}

Engine::~Engine() {
  // Closed before the pipeline is destroyed: the callbacks of the last commits still use its locks. An error of closing
  // loses no commit.
  static_cast<void>(storage_->close());
}

std::unique_ptr<Service> Engine::cancelable(std::stop_token stop, detail::Companions& /*companions*/) {
  return std::make_unique<CancelableService>(*this, std::move(stop));
}

}  // namespace dolmen::engine
