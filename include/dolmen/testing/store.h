#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "dolmen/embedded.h"
#include "dolmen/error.h"
#include "dolmen/faults.h"
#include "dolmen/store.h"
#include "dolmen/testing/clock.h"

namespace dolmen::testing {

/// A folder of its own, which is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  /// Below the system's folder for such (TMPDIR). Fails with kDirectoryUnusable.
  static Result<TemporaryFolder> make();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }

  /// Empty when there is none.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// A store, and what a test does to it:
///
///     auto store = testing::fork("fixtures/shop").value();          // a writable copy in milliseconds
///     store.faults().seed(42).throttle(0.1).cut_after_effect(0.02);  // what production does to you
///     store.clock().advance(1h);                                     // leases end, items expire, no sleep
///     code_under_test(*store);
class TestStore {
 public:
  struct Parts {
    std::unique_ptr<TestClock> clock = std::make_unique<TestClock>();
    std::shared_ptr<FaultLab> faults = std::make_shared<FaultLab>();
    TemporaryFolder folder = {};
  };

  /// Opens a store by `options` with the clock of the parts, and with their faults unless the options have some. Fails
  /// with kInvalidArgument when the options have a clock.
  static Result<TestStore> open(EmbeddedOptions options, Parts parts);

  [[nodiscard]] Store& operator*() const noexcept { return *store_; }
  [[nodiscard]] Store* operator->() const noexcept { return store_.get(); }
  [[nodiscard]] FaultLab& faults() const noexcept { return *parts_.faults; }
  [[nodiscard]] TestClock& clock() const noexcept { return *parts_.clock; }
  /// Where the store is, until this object goes; empty in memory.
  [[nodiscard]] const std::string& directory() const noexcept { return directory_; }

  /// Another store with what this one has now, in memory or in a folder of its own as this one is. Its faults and its
  /// clock are its own; the clock stands where this one does.
  Result<TestStore> fork() const;

 private:
  TestStore(Parts parts, std::string directory, std::unique_ptr<Store> store);

  Parts parts_;
  std::string directory_;
  std::unique_ptr<Store> store_;
};

/// `options` may ask for conflicts and throttling, too. The store is in memory, whatever directory and durability they
/// name.
Result<TestStore> open_memory(EmbeddedOptions options = {});

/// A store on disk, in a folder that is removed with it.
Result<TestStore> open_on_disk(EmbeddedOptions options = {});

/// A writable copy of the store in a directory, which nobody may have open: in a folder that is removed with it. The
/// original does not change. Takes milliseconds where both are on one file system, however large the store is.
Result<TestStore> fork(const std::string& directory, EmbeddedOptions options = {});

}  // namespace dolmen::testing
