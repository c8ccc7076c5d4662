#pragma once

#include <memory>
#include <utility>

#include "dolmen/embedded.h"
#include "dolmen/error.h"
#include "dolmen/faults.h"
#include "dolmen/store.h"

/// For tests of programs that use a store. Not part of `dolmen/dolmen.h`.
namespace dolmen::testing {

/// A store in memory, and what a test does to it:
///
///     auto store = testing::open_memory().value();
///     store.faults().seed(42).throttle(0.1).cut_after_effect(0.02);
///     code_under_test(*store);
class TestStore {
 public:
  TestStore(std::unique_ptr<Store> store, std::shared_ptr<FaultLab> faults)
      : faults_(std::move(faults)), store_(std::move(store)) {}

  [[nodiscard]] Store& operator*() const noexcept { return *store_; }
  [[nodiscard]] Store* operator->() const noexcept { return store_.get(); }
  [[nodiscard]] FaultLab& faults() const noexcept { return *faults_; }

 private:
  std::shared_ptr<FaultLab> faults_;
  std::unique_ptr<Store> store_;
};

/// `options` may ask for conflicts and throttling, too. The store is in memory whatever they say.
inline Result<TestStore> open_memory(EmbeddedOptions options = {}) {
  options.durability = Durability::kMemory;
  if (!options.faults) options.faults = std::make_shared<FaultLab>();
  std::shared_ptr<FaultLab> faults = options.faults;
  DOLMEN_TRY(std::unique_ptr<Store> store, open_embedded(options));
  return TestStore(std::move(store), std::move(faults));
}

}  // namespace dolmen::testing
