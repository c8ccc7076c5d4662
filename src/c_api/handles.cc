#include "c_api/handles.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/fail.h"

namespace dolmen::c_api {
namespace {

/// The stores that calls of this thread use, the outermost first. More than one when a callback makes calls.
std::vector<const OpenStore*>& used_here() {
  thread_local std::vector<const OpenStore*> stores;
  return stores;
}

std::unexpected<Error> closed_store() { return fail(Code::kClosed, "the store is closed, or was never opened"); }

}  // namespace

StoreInUse::StoreInUse(std::shared_ptr<OpenStore> store) : store_(std::move(store)) {
  // Whoever waits to close the store must not keep a callback of a call from making another.
  if (std::ranges::count(used_here(), store_.get()) == 0) store_->use_mutex.lock_shared();
  used_here().push_back(store_.get());
}

StoreInUse::~StoreInUse() {
  if (!store_) return;
  used_here().pop_back();
  if (std::ranges::count(used_here(), store_.get()) == 0) store_->use_mutex.unlock_shared();
}

Handles& Handles::all() {
  // Never destroyed: threads may call while the process ends.
  static Handles& handles = *std::make_unique<Handles>().release();
  return handles;
}

dolmen_store* Handles::add(std::shared_ptr<OpenStore> store) {
  const std::lock_guard lock(stores_mutex_);
  stores_.emplace(++last_, std::move(store));
  return reinterpret_cast<dolmen_store*>(last_);
}

Result<StoreInUse> Handles::use(dolmen_store* handle) {
  const std::shared_lock lock(stores_mutex_);
  const auto found = stores_.find(reinterpret_cast<std::uintptr_t>(handle));
  if (found == stores_.end()) return closed_store();
  return StoreInUse(found->second);
}

Result<void> Handles::close(dolmen_store* handle) {
  std::shared_ptr<OpenStore> store;
  {
    const std::lock_guard lock(stores_mutex_);
    const auto found = stores_.find(reinterpret_cast<std::uintptr_t>(handle));
    if (found == stores_.end()) return closed_store();
    if (std::ranges::count(used_here(), found->second.get()) > 0)
      return fail(Code::kInvalidArgument, "a callback cannot close the store that calls it");
    store = std::move(found->second);
    stores_.erase(found);
  }
  store->closing.request_stop();
  // Nobody can begin a call any more; those under way end.
  const std::lock_guard lock(store->use_mutex);
  // Here, and not where the last call forgets the store, so that its directory is free when this returns.
  store->door.reset();
  store->store.reset();
  return {};
}

}  // namespace dolmen::c_api
