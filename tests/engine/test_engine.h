#pragma once

// Shared by the concurrency tests of this room. Not part of the library.

#include <filesystem>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "tests/service/test_calls.h"
#include "value/encoded_item.h"

namespace dolmen::engine {

/// In memory every write commits on its own thread; with a synced log it commits on the queue's thread.
inline std::unique_ptr<Service> open_engine(const std::filesystem::path& directory = {},
                                            std::size_t block_cache_bytes = storage::Options{}.block_cache_bytes) {
  return Engine::open(storage::Storage::open({.directory = directory,
                                              .durability = directory.empty() ? Durability::kMemory : Durability::kSync,
                                              .keyspaces = keyspaces::names(),
                                              .block_cache_bytes = block_cache_bytes,
                                              .prefix_bytes = kRowPartitionAt})
                          .value())
      .value();
}

/// Runs `work(0)` to `work(threads - 1)` at the same time and waits for all of them.
inline void at_once(int threads, const std::function<void(int)>& work) {
  std::latch start(threads);
  std::vector<std::jthread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      start.arrive_and_wait();
      work(i);
    });
}

inline WriteRequest put(const std::string& table, const Item& item) {
  return {.kind = WriteKind::kPut, .table = table, .item = encode_item(item)};
}

inline WriteRequest update(const std::string& table, const Item& key, std::string text, Item values = {}) {
  return {.kind = WriteKind::kUpdate,
          .table = table,
          .item = encode_item(key),
          .update = Expression{std::move(text)},
          .placeholders = {.values = std::move(values)}};
}

inline Item item_at(Service& service, const std::string& table, const Item& key) {
  return decode_item(call(service, GetItemRequest{.table = table, .key = encode_item(key)}).value().item.value().bytes)
      .value();
}

inline std::vector<Item> items_of(const Result<ReadManyResponse>& response) {
  std::vector<Item> items;
  for (const EncodedItem& item : response.value().items) items.push_back(decode_item(item.bytes).value());
  return items;
}

inline std::int64_t number_in(const Item& item, std::string_view name) {
  return item.at(name).number().to_int64().value();
}

}  // namespace dolmen::engine
