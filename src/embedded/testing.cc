#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/file_writer.h"
#include "dolmen/testing/store.h"
#include "embedded/embedded.h"
#include "service/store_upkeep.h"

namespace dolmen::testing {
namespace {

/// Every embedded store has it.
template <class T>
T& companion_of(const Store& store) {
  T* found = store.companions().find<T>();
  DOLMEN_CHECK(found != nullptr, "an embedded store has all companions");
  return *found;
}

}  // namespace

TestClock::TestClock() { state_->set(system_clock().now()); }

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code error;
  const std::filesystem::path below = std::filesystem::temp_directory_path(error);
  if (error) return std::unexpected(file_error(error.value(), "find the folder for temporary files", below));
  std::string name = below / "dolmen-test-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return std::unexpected(file_error(errno, "make a folder in", below));
  TemporaryFolder made;
  made.path_ = std::move(name);
  return made;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

TestStore::TestStore(Parts parts, std::string directory, std::unique_ptr<Store> store)
    : parts_(std::move(parts)), directory_(std::move(directory)), store_(std::move(store)) {
  // Where it stays, wherever this object goes.
  parts_.clock->on_move([upkeep = &companion_of<StoreUpkeep>(*store_)] { upkeep->finish_expiry(); });
}

Result<TestStore> TestStore::open(EmbeddedOptions options, Parts parts) {
  if (options.now)
    return fail(Code::kInvalidArgument, "a store for tests has a clock of its own, which its clock() moves");
  options.now = parts.clock->now();
  if (!options.throttling_clock) options.throttling_clock = options.now;
  if (options.faults) parts.faults = options.faults;
  options.faults = parts.faults;
  DOLMEN_TRY(std::unique_ptr<Store> store, open_embedded(options));
  return TestStore(std::move(parts), options.directory, std::move(store));
}

Result<TestStore> TestStore::fork() const {
  Parts parts;
  parts.clock->set(clock().time());
  std::string directory;
  if (!directory_.empty()) {
    DOLMEN_TRY(parts.folder, TemporaryFolder::make());
    directory = parts.folder.path();
  }
  DOLMEN_TRY(std::unique_ptr<Store> store,
             companion_of<StoreForker>(*store_).fork_with(
                 {.directory = directory, .now = parts.clock->now(), .faults = parts.faults}));
  return TestStore(std::move(parts), std::move(directory), std::move(store));
}

Result<TestStore> open_memory(EmbeddedOptions options) {
  options.directory.clear();
  options.durability = Durability::kMemory;
  return TestStore::open(std::move(options), {});
}

Result<TestStore> open_on_disk(EmbeddedOptions options) {
  TestStore::Parts parts;
  if (!options.directory.empty())
    return fail(Code::kInvalidArgument, "a store for tests has a folder of its own; leave the directory out");
  DOLMEN_TRY(parts.folder, TemporaryFolder::make());
  options.directory = parts.folder.path();
  return TestStore::open(std::move(options), std::move(parts));
}

Result<TestStore> fork(const std::string& directory, EmbeddedOptions options) {
  if (!options.directory.empty())
    return fail(Code::kInvalidArgument, "a fork for tests has a folder of its own; leave the directory out");
  TestStore::Parts parts;
  DOLMEN_TRY(parts.folder, TemporaryFolder::make());
  options.directory = parts.folder.path();
  DOLMEN_TRY_VOID(fork_directory(directory, options.directory));
  return TestStore::open(std::move(options), std::move(parts));
}

}  // namespace dolmen::testing
