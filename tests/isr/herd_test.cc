// A thousand requests for one stale page at the same time.
#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <latch>
#include <thread>
#include <vector>

#include "base/test_result.h"
#include "page_world.h"

namespace dolmen {
namespace {

constexpr int kRequests = 1000;

struct Herd {
  std::unique_ptr<Store> store = test_store();
  TemporaryDirectory directory;
  std::unique_ptr<BodyStore> bodies = open_body_directory(directory.path()).value();
  std::atomic<int> generated = 0;
  std::atomic<int> served = 0;

  Herd() { store->create_table(Leases(*store, "cache").table_definition()).value(); }
  Herd(const Herd&) = delete;
  Herd& operator=(const Herd&) = delete;

  /// All at the same time, each as a program of its own. Returns how often each state came back.
  std::array<int, 3> stampede(const GeneratePage& generate, const ServeOptions& options) {
    std::array<std::atomic<int>, 3> states{};
    std::latch start(kRequests);
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < kRequests; ++i)
        threads.emplace_back([&] {
          PageCache cache(*store, "cache", *bodies, {.poll_interval = 5ms});
          start.arrive_and_wait();
          const Result<ServedPage> page = cache.serve_or_regenerate({"/"}, generate, options);
          ++served;
          if (!page) return ADD_FAILURE() << page.error().message(), void();
          ++states[static_cast<std::size_t>(page->state)];
        });
    }
    return {states[0], states[1], states[2]};
  }
};

TEST(ThunderingHerd, generates_a_stale_page_once_while_all_others_get_the_old_one) {
  Herd herd;
  ASSERT_THAT(herd.bodies->put("old", "old"), succeeds());
  PageCache cache(*herd.store, "cache", *herd.bodies);
  ASSERT_THAT(cache.put_metadata({"/"}, {.s3_key = "old", .generated_at = 1, .revalidate_seconds = 1}), succeeds());
  // The page is not ready before everybody else has been served.
  const GeneratePage generate = [&](const std::stop_token&) -> Result<GeneratedPage> {
    ++herd.generated;
    while (herd.served < kRequests - 1) std::this_thread::yield();
    return GeneratedPage{.body = "new", .revalidate = 60s};
  };
  const std::array<int, 3> states = herd.stampede(generate, {});
  EXPECT_EQ(herd.generated, 1);
  EXPECT_EQ(states, (std::array<int, 3>{0, kRequests - 1, 1}));
}

TEST(ThunderingHerd, generates_a_missing_page_once_while_all_others_wait_for_it) {
  Herd herd;
  const GeneratePage generate = [&](const std::stop_token&) -> Result<GeneratedPage> {
    ++herd.generated;
    return GeneratedPage{.body = "new", .revalidate = 60s};
  };
  const std::array<int, 3> states = herd.stampede(generate, {.wait_max = 60s});
  EXPECT_EQ(herd.generated, 1);
  EXPECT_EQ(states, (std::array<int, 3>{kRequests - 1, 0, 1}));
}

}  // namespace
}  // namespace dolmen
