// A remote store: 10,000 GetItems one after the other, compared with 1,000 at a time on two threads, the store's own
// and the one that starts them. The server runs in the same process, on its own threads.
#include <atomic>
#include <benchmark/benchmark.h>
#include <chrono>
#include <fmt/core.h>
#include <semaphore>

#include "base/check.h"
#include "dolmen/remote.h"
#include "server/server.h"

namespace {

using namespace dolmen;

constexpr int kGets = 10'000;
constexpr int kUnderWay = 1'000;
constexpr int kRounds = 5;

const Item kKey{{"p", "a"}};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void get_in_turn(Store& store) {
  for (int i = 0; i < kGets; ++i) DOLMEN_CHECK(store.get_item("bench", kKey).value().item, "the item is there");
}

void get_at_once(Store& store) {
  std::counting_semaphore<kUnderWay> free(kUnderWay);
  std::atomic<int> found = 0;
  for (int i = 0; i < kGets; ++i) {
    free.acquire();
    store.async_get_item("bench", kKey, {}, [&](const Result<GetResult>& result) {
      if (result && result->item) ++found;
      free.release();
    });
  }
  for (int i = 0; i < kUnderWay; ++i) free.acquire();
  DOLMEN_CHECK(found == kGets, "every item was found");
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::unique_ptr<Server> server =
      Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  const std::unique_ptr<Store> store =
      open_remote({.endpoint = fmt::format("http://127.0.0.1:{}", server->port()),
                   .credentials = AwsCredentials{.access_key_id = "local", .secret_access_key = "local"}})
          .value();
  store->create_table({.name = "bench", .partition_key = {"p", KeyType::kString}}).value();
  store->put_item("bench", {{"p", "a"}, {"data", std::string(1000, 'x')}}).value();
  double in_turn = 1e9;
  double at_once = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    in_turn = std::min(in_turn, seconds_of([&] { get_in_turn(*store); }));
    at_once = std::min(at_once, seconds_of([&] { get_at_once(*store); }));
  }
  fmt::print("in turn: {:.0f}/s; {} at a time on two threads: {:.0f}/s; ratio {:.2f}\n", kGets / in_turn, kUnderWay,
             kGets / at_once, in_turn / at_once);
  benchmark::Shutdown();
}
