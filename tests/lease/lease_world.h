#pragma once

#include <future>
#include <memory>
#include <string>

#include "dolmen/lease.h"
#include "test_clock.h"
#include "tests/support/test_store.h"

namespace dolmen {

using namespace std::chrono_literals;

/// A table for leases in memory, at second 1000, with tokens that count.
struct LeaseWorld {
  std::unique_ptr<Store> store = test_store();
  TestClock clock;
  std::uint64_t drawn = 0;
  const LeaseKey key{.partition = "CACHE#1"};

  LeaseWorld() { store->create_table(leases().table_definition()).value(); }
  LeaseWorld(const LeaseWorld&) = delete;
  LeaseWorld& operator=(const LeaseWorld&) = delete;

  /// The first two tokens are 00000000-0000-4001-8000-000000000002 and 00000000-0000-4003-8000-000000000004.
  Leases leases(LeaseOptions options = {}) {
    options.clock = clock.clock();
    options.random = [this] { return ++drawn; };
    return Leases(*store, "cache", std::move(options));
  }

  /// The row as it is stored, whoever wrote it.
  std::optional<Item> row() { return store->get_item("cache", {{"pk", key.partition}, {"sk", key.sort}}).value().item; }

  void put(const Item& more) {
    Item item{{"pk", key.partition}, {"sk", key.sort}};
    for (const auto& [name, value] : more) item.set(name, value);
    store->put_item("cache", item).value();
  }
};

/// The answer of an `async_` call.
template <class T, class Start>
Result<T> answer_of(Start start) {
  std::promise<Result<T>> promise;
  start(Callback<T>([&](Result<T> result) { promise.set_value(std::move(result)); }));
  return promise.get_future().get();
}

}  // namespace dolmen
