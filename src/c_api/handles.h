#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "dolmen/c.h"
#include "dolmen/error.h"
#include "dolmen/store.h"
#include "server/json_door.h"

namespace dolmen::c_api {

/// A store that a program has opened.
struct OpenStore {
  OpenStore(std::unique_ptr<Store> opened, std::string region_of_tables)
      : store(std::move(opened)),
        region(std::move(region_of_tables)),
        door(std::make_unique<JsonDoor>(*store, region)) {}

  std::unique_ptr<Store> store;
  const std::string region;
  std::unique_ptr<JsonDoor> door;
  /// Ends what waits when the store is to be closed.
  std::stop_source closing;
  /// Held by every call under way, and alone by whoever closes the store.
  std::shared_mutex use_mutex;
};

/// A store in use, which is not closed as long as this object lives.
class StoreInUse {
 public:
  explicit StoreInUse(std::shared_ptr<OpenStore> store);
  ~StoreInUse();
  StoreInUse(StoreInUse&& other) noexcept : store_(std::move(other.store_)) {}
  StoreInUse& operator=(StoreInUse&&) = delete;

  OpenStore* operator->() const noexcept { return store_.get(); }

 private:
  std::shared_ptr<OpenStore> store_;
};

/// The open stores of this process by their handles. A handle is a number that is never given again, so that one which
/// is used after its store was closed finds nothing. Thread-safe.
class Handles {
 public:
  /// Those of the process.
  static Handles& all();

  dolmen_store* add(std::shared_ptr<OpenStore> store);
  /// Fails with kClosed.
  Result<StoreInUse> use(dolmen_store* handle);
  /// Waits for the calls under way and closes the store. Fails with kClosed, and with kInvalidArgument when a call of
  /// this thread is under way.
  Result<void> close(dolmen_store* handle);

 private:
  std::shared_mutex stores_mutex_;  // guards the rest
  std::map<std::uintptr_t, std::shared_ptr<OpenStore>> stores_;
  std::uintptr_t last_ = 0;
};

}  // namespace dolmen::c_api
