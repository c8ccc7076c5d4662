#include "store/embedded/embedded.h"

#include "engine/engine.h"
#include "engine/keyspaces.h"

namespace dolmen {

Result<std::unique_ptr<Service>> open_embedded_service(const EmbeddedOptions& options) {
  DOLMEN_TRY(std::unique_ptr<storage::Storage> storage,
             storage::Storage::open({.directory = options.directory,
                                     .durability = options.durability,
                                     .keyspaces = keyspaces::names(),
                                     .verified_keyspaces = keyspaces::verified()}));
  DOLMEN_TRY(std::unique_ptr<Service> engine, Engine::open(std::move(storage)));
  return engine;
}

Result<std::unique_ptr<Store>> open_embedded(const EmbeddedOptions& options) {
  DOLMEN_TRY(std::unique_ptr<Service> service, open_embedded_service(options));
  return std::make_unique<Store>(std::move(service));
}

}  // namespace dolmen
