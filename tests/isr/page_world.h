#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/test_directory.h"
#include "dolmen/isr.h"
#include "dolmen/isr/isr.h"
#include "tests/lease/test_clock.h"
#include "tests/support/test_store.h"

namespace dolmen {

using namespace std::chrono_literals;

/// A cache in memory with its bodies in a directory, at second 1000. Time passes only when the test says so, and when
/// somebody waits.
struct PageWorld {
  std::unique_ptr<Store> store;
  TemporaryDirectory directory;
  std::unique_ptr<BodyStore> bodies = open_body_directory(directory.path()).value();
  TestClock clock;
  PageCache cache = make();
  const PageKey key{.name = "/news?page=2"};
  /// How often pages were generated.
  int generated = 0;

  explicit PageWorld(std::unique_ptr<Store> opened = test_store()) : store(std::move(opened)) {
    store->create_table(cache.leases().table_definition()).value();
  }
  PageWorld(const PageWorld&) = delete;
  PageWorld& operator=(const PageWorld&) = delete;

  PageCache make(PageCacheOptions options = {}) {
    options.leases.clock = clock.clock();
    // A guard's thread waits for time to pass; somebody who waits for a page makes it pass.
    options.leases.clock.wait_until = [this, plain = options.leases.clock.wait_until,
                                       owner = std::this_thread::get_id()](auto& lock, auto& changed, auto moment) {
      if (std::this_thread::get_id() != owner) return plain(lock, changed, moment);
      lock.unlock();
      waiting();
      lock.lock();
      clock.advance(std::chrono::ceil<std::chrono::milliseconds>(moment - clock.steady_now()));
    };
    return PageCache(*store, "cache", *bodies, std::move(options));
  }

  /// What happens whenever somebody waits.
  std::function<void()> waiting = [] {};

  GeneratePage generate(std::string body, std::chrono::seconds revalidate = 60s) {
    return [this, body = std::move(body), revalidate](const std::stop_token&) -> Result<GeneratedPage> {
      ++generated;
      return GeneratedPage{.body = body, .revalidate = revalidate};
    };
  }

  ServedPage serve(std::string body, const ServeOptions& options = {}) {
    return cache.serve_or_regenerate(key, generate(std::move(body)), options).value();
  }

  /// The item as it is stored.
  std::optional<Item> row(const std::string& sort) {
    return store->get_item("cache", {{"pk", page_partition(key)}, {"sk", sort}}).value().item;
  }

  /// Somebody else has the lease until a second.
  void lock_until(std::int64_t second) {
    store
        ->put_item(
            "cache",
            {{"pk", page_partition(key)}, {"sk", "LOCK"}, {"lease_token", "another"}, {"lease_expires_at", second}})
        .value();
  }
};

}  // namespace dolmen
