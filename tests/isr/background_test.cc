// Stale pages that are served at once while one generation runs in the background, and those who wait for it.
#include <atomic>
#include <deque>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <stdexcept>
#include <thread>

#include "base/fail.h"
#include "base/test_result.h"
#include "page_world.h"

namespace dolmen {
namespace {

/// What is to run in the background runs when the test says so.
struct ManualExecutor {
  std::deque<std::move_only_function<void()>> jobs;

  Executor executor() {
    return [this](std::move_only_function<void()> job) { jobs.push_back(std::move(job)); };
  }
  void run_all() {
    while (!jobs.empty()) {
      std::move_only_function<void()> job = std::move(jobs.front());
      jobs.pop_front();
      job();
    }
  }
};

/// A page "one" that has just become stale.
struct StaleWorld {
  PageWorld pages;
  ManualExecutor background;
  PageCache cache;

  explicit StaleWorld(PageCacheOptions options = {}) : cache(make(std::move(options))) {
    pages.serve("one");
    pages.clock.advance(60s);
    pages.generated = 0;
  }

  PageCache make(PageCacheOptions options) {
    options.executor = background.executor();
    return pages.make(std::move(options));
  }

  Result<ServedPage> serve(const GeneratePage& generate, const ServeOptions& options = at_once()) {
    return cache.serve_or_regenerate(pages.key, generate, options);
  }
  ServedPage serve(const char* body, const ServeOptions& options = at_once()) {
    return serve(pages.generate(body), options).value();
  }

  static ServeOptions at_once() { return {.when_stale = WhenStale::kServeAtOnce}; }
};

TEST(StaleAtOnce, returns_the_stale_page_and_generates_one_in_the_background) {
  StaleWorld world;
  for (int visitor = 0; visitor < 100; ++visitor) {
    const ServedPage page = world.serve("two");
    EXPECT_EQ(page.state, PageState::kStale);
    EXPECT_EQ(page.body, "one");
    EXPECT_EQ(page.problem, std::nullopt);
  }
  EXPECT_EQ(world.pages.generated, 0);
  EXPECT_EQ(world.background.jobs.size(), 1U);
  world.background.run_all();
  EXPECT_EQ(world.pages.generated, 1);
  const ServedPage page = world.serve("three");
  EXPECT_EQ(page.state, PageState::kFresh);
  EXPECT_EQ(page.body, "two");
  EXPECT_TRUE(world.background.jobs.empty());
}

TEST(StaleAtOnce, leaves_it_to_another_program_that_is_generating) {
  StaleWorld world;
  world.pages.lock_until(2000);
  EXPECT_EQ(world.serve("two").state, PageState::kStale);
  world.background.run_all();
  EXPECT_EQ(world.pages.generated, 0);
  // The next visitor tries again.
  world.pages.clock.advance(1000s);
  EXPECT_EQ(world.serve("two").state, PageState::kStale);
  world.background.run_all();
  EXPECT_EQ(world.pages.generated, 1);
}

TEST(StaleAtOnce, generates_a_missing_page_while_the_caller_waits) {
  StaleWorld world;
  const Result<ServedPage> missing = world.cache.serve_or_regenerate(
      {"/other"}, world.pages.generate("x"), {.when_stale = WhenStale::kServeAtOnce, .wait_max = 3s});
  // Nobody ran the background.
  EXPECT_THAT(missing, fails_with(Code::kTimeout, "/other was not generated within 3000 ms"));
  world.background.run_all();
  EXPECT_EQ(world.cache.serve_or_regenerate({"/other"}, world.pages.generate("y"))->body, "x");
}

TEST(StaleAtOnce, generates_nothing_for_who_saw_an_older_page_than_there_is) {
  StaleWorld world;
  EXPECT_EQ(world.serve("two").body, "one");
  // Another program is faster, and its page is stale again already.
  ASSERT_THAT(world.pages.bodies->put("theirs.html", "theirs"), succeeds());
  ASSERT_THAT(world.cache.put_metadata(world.pages.key, {.s3_key = "theirs.html", .generated_at = 1}), succeeds());
  world.background.run_all();
  EXPECT_EQ(world.pages.generated, 0);
}

TEST(StaleAtOnce, tells_how_a_generation_in_the_background_has_ended) {
  std::vector<Result<PageMetadata>> told;
  StaleWorld world({.on_generated = [&](const PageKey& key, const Result<PageMetadata>& page) {
    EXPECT_EQ(key.name, "/news?page=2");
    told.push_back(page);
  }});
  world.serve([](const std::stop_token&) -> Result<GeneratedPage> { return fail(Code::kUnavailable, "away"); }).value();
  world.background.run_all();
  world.serve([](const std::stop_token&) -> Result<GeneratedPage> { throw std::runtime_error("broken"); }).value();
  world.background.run_all();
  world.serve("two");
  world.background.run_all();
  ASSERT_EQ(told.size(), 3U);
  EXPECT_THAT(told[0], fails_with(Code::kUnavailable, "away"));
  EXPECT_THAT(told[1], fails_with(Code::kUnavailable, "the page was not generated: broken"));
  EXPECT_EQ(told[2].value(), world.cache.metadata(world.pages.key).value());
  EXPECT_EQ(world.pages.row("LOCK"), std::nullopt);
}

TEST(StaleAtOnce, stays_stale_when_too_much_waits) {
  StaleWorld world({.waiting_max = 0});
  EXPECT_EQ(world.serve("two").state, PageState::kStale);
  EXPECT_TRUE(world.background.jobs.empty());
  // Whoever waits generates it without the background.
  EXPECT_EQ(world.serve("two", {.when_stale = WhenStale::kWaitAtMost}).state, PageState::kRegenerated);
}

TEST(StaleAtOnce, completes_the_request_in_the_background) {
  StaleWorld world;
  ServeOptions options = StaleWorld::at_once();
  options.request = PageRequest{"r1", "h1"};
  EXPECT_EQ(world.serve("two", options).body, "one");
  EXPECT_EQ(world.pages.row("REQ#r1")->at("status"), AttributeValue("STARTED"));
  EXPECT_EQ(world.serve("again", options).body, "one");
  world.background.run_all();
  EXPECT_EQ(world.pages.row("REQ#r1")->at("status"), AttributeValue("COMPLETED"));
  EXPECT_EQ(world.pages.generated, 1);
  world.pages.clock.advance(60s);
  EXPECT_EQ(world.serve("again", options).body, "two");
  world.background.run_all();
  EXPECT_EQ(world.pages.generated, 1);
}

TEST(StaleAtOnce, drops_what_has_not_begun_when_the_cache_goes) {
  PageWorld pages;
  ManualExecutor background;
  pages.serve("one");
  pages.clock.advance(60s);
  {
    PageCache cache = pages.make({.executor = background.executor()});
    ASSERT_THAT(cache.serve_or_regenerate(pages.key, pages.generate("two"), StaleWorld::at_once()), succeeds());
  }
  background.run_all();
  EXPECT_EQ(pages.generated, 1);
}

TEST(StaleAtOnce, stops_what_is_under_way_when_the_cache_goes) {
  PageWorld pages;
  pages.serve("one");
  pages.clock.advance(60s);
  std::latch begun(1);
  std::atomic<bool> stopped = false;
  {
    PageCache cache = pages.make();
    const GeneratePage endless = [&](const std::stop_token& stop) -> Result<GeneratedPage> {
      begun.count_down();
      while (!stop.stop_requested()) std::this_thread::yield();
      stopped = true;
      return fail(Code::kCanceled, "stopped");
    };
    EXPECT_EQ(cache.serve_or_regenerate(pages.key, endless, StaleWorld::at_once())->body, "one");
    begun.wait();
  }
  EXPECT_TRUE(stopped);
  EXPECT_EQ(pages.row("LOCK"), std::nullopt);
}

TEST(WaitAtMost, returns_the_stale_page_when_its_time_is_over_and_the_generation_goes_on) {
  StaleWorld world;
  const ServedPage page = world.serve("two", {.when_stale = WhenStale::kWaitAtMost, .wait_max = 200ms});
  EXPECT_EQ(page.state, PageState::kStale);
  EXPECT_EQ(world.pages.clock.now().time_since_epoch(), 1060'200ms);
  world.background.run_all();
  EXPECT_EQ(world.serve("three").body, "two");
}

TEST(WaitAtMost, returns_the_new_page_when_it_comes_in_time) {
  StaleWorld world;
  world.pages.waiting = [&] { world.background.run_all(); };
  const ServedPage page = world.serve("two", {.when_stale = WhenStale::kWaitAtMost, .wait_max = 200ms});
  EXPECT_EQ(page.state, PageState::kRegenerated);
  EXPECT_EQ(page.body, "two");
}

TEST(WaitAtMost, waits_for_another_program_too) {
  StaleWorld world;
  world.cache = world.pages.make({.executor = [](std::move_only_function<void()> job) { job(); }});
  world.pages.lock_until(2000);
  int waits = 0;
  world.pages.waiting = [&] {
    if (++waits < 5) return;
    EXPECT_THAT(world.pages.bodies->put("theirs.html", "theirs"), succeeds());
    EXPECT_THAT(world.cache.put_metadata(world.pages.key, {.s3_key = "theirs.html", .generated_at = 1000}), succeeds());
  };
  // It took longer to generate than it is fresh.
  const ServedPage page = world.serve("two", {.when_stale = WhenStale::kWaitAtMost});
  EXPECT_EQ(page.body, "theirs");
  EXPECT_EQ(page.state, PageState::kStale);
  EXPECT_EQ(world.pages.generated, 0);
}

TEST(Wait, generates_on_the_thread_of_the_caller_so_that_pages_can_be_made_of_pages) {
  StaleWorld world;
  const GeneratePage outer = [&](const std::stop_token&) -> Result<GeneratedPage> {
    DOLMEN_TRY(const ServedPage part, world.cache.serve_or_regenerate({"/part"}, world.pages.generate("part"),
                                                                      {.when_stale = WhenStale::kWait}));
    return GeneratedPage{.body = "with " + part.body};
  };
  const Result<ServedPage> page = world.serve(outer, {.when_stale = WhenStale::kWait});
  EXPECT_EQ(page->body, "with part");
  EXPECT_TRUE(world.background.jobs.empty());
}

TEST(Wait, carries_out_what_waits_in_the_background) {
  StaleWorld world;
  EXPECT_EQ(world.serve("two").body, "one");
  EXPECT_EQ(world.serve("three", {.when_stale = WhenStale::kWait}).body, "two");
  world.background.run_all();
  EXPECT_EQ(world.pages.generated, 1);
}

TEST(Wait, says_why_there_is_no_new_page) {
  StaleWorld world;
  const GeneratePage broken = [](const std::stop_token&) -> Result<GeneratedPage> {
    return fail(Code::kUnavailable, "away");
  };
  const ServedPage stale = world.serve(broken, {.when_stale = WhenStale::kWait}).value();
  EXPECT_EQ(stale.body, "one");
  EXPECT_EQ(stale.problem, Error(Code::kUnavailable, "away"));
  EXPECT_THAT(world.serve(broken, {.when_stale = WhenStale::kWait, .stale_on_error = false}),
              fails_with(Code::kUnavailable));
  const GeneratePage throwing = [](const std::stop_token&) -> Result<GeneratedPage> { throw std::runtime_error("x"); };
  EXPECT_THROW(static_cast<void>(world.serve(throwing, {.when_stale = WhenStale::kWait})), std::runtime_error);
}

thread_local bool is_visitor = false;

/// Counts the visitors that have looked at a page.
class CountedBodies final : public BodyStore {
 public:
  explicit CountedBodies(BodyStore& bodies) : bodies_(bodies) {}
  Result<void> put(const std::string& key, std::string_view body) override { return bodies_.put(key, body); }
  Result<std::optional<std::string>> get(const std::string& key) override {
    Result<std::optional<std::string>> body = bodies_.get(key);
    if (std::exchange(is_visitor, false)) ++visitors;
    return body;
  }
  Result<std::optional<BodyInfo>> head(const std::string& key) override { return bodies_.head(key); }
  Result<void> remove(const std::string& key) override { return bodies_.remove(key); }

  std::atomic<int> visitors = 0;

 private:
  BodyStore& bodies_;
};

/// A herd on real threads. The generation ends when all of them have seen the old page, and takes longer than the new
/// page is fresh.
struct SlowHerd {
  static constexpr int kVisitors = 50;
  PageWorld pages;
  CountedBodies bodies{*pages.bodies};
  std::atomic<int> generated = 0;
  PageCache cache{*pages.store, "cache", bodies, {.leases = {.clock = pages.clock.clock()}, .lease_length = 1h}};

  SlowHerd() {
    EXPECT_THAT(bodies.put("old.html", "old"), succeeds());
    EXPECT_THAT(cache.put_metadata(pages.key, {.s3_key = "old.html", .generated_at = 1}), succeeds());
  }

  Result<GeneratedPage> generate() {
    ++generated;
    while (bodies.visitors < kVisitors) std::this_thread::yield();
    pages.clock.advance(100s);
    return GeneratedPage{.body = "new", .revalidate = 60s};
  }

  std::vector<ServedPage> visit(const ServeOptions& options) {
    // Time passes for those who look again and again.
    const std::jthread ticking([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        pages.clock.advance(1ms);
        std::this_thread::yield();
      }
    });
    std::vector<ServedPage> served(kVisitors);
    std::vector<std::jthread> threads;
    for (ServedPage& page : served)
      threads.emplace_back([this, &page, &options] {
        is_visitor = true;
        page = cache.serve_or_regenerate(
                        pages.key, [this](const std::stop_token&) { return generate(); }, options)
                   .value();
      });
    threads.clear();
    return served;
  }
};

TEST(SlowHerd, that_waits_causes_one_generation_also_when_it_takes_longer_than_the_page_is_fresh) {
  for (const ServeOptions& options : {ServeOptions{.when_stale = WhenStale::kWait},
                                      ServeOptions{.when_stale = WhenStale::kWaitAtMost, .wait_max = 24h * 30},
                                      ServeOptions{.when_busy = WhenBusy::kWait, .wait_max = 24h * 30}}) {
    SlowHerd herd;
    for (const ServedPage& page : herd.visit(options)) EXPECT_EQ(page.body, "new");
    EXPECT_EQ(herd.generated, 1);
  }
}

TEST(SlowHerd, that_does_not_wait_gets_the_stale_page_and_causes_one_generation) {
  SlowHerd herd;
  for (const ServedPage& page : herd.visit({.when_stale = WhenStale::kServeAtOnce})) EXPECT_EQ(page.body, "old");
  while (herd.generated == 0) std::this_thread::yield();
  while (herd.cache.metadata(herd.pages.key).value()->s3_key == "old.html") std::this_thread::yield();
  EXPECT_EQ(herd.generated, 1);
}

TEST(SlowHerd, that_waits_for_a_missing_page_takes_what_was_stale_when_it_came) {
  PageWorld world;
  world.lock_until(2000);
  int waits = 0;
  world.waiting = [&] {
    if (++waits != 5) return;
    EXPECT_THAT(world.bodies->put("theirs.html", "theirs"), succeeds());
    EXPECT_THAT(world.cache.put_metadata(world.key, {.s3_key = "theirs.html", .generated_at = 1}), succeeds());
  };
  EXPECT_EQ(world.serve("mine").body, "theirs");
  EXPECT_EQ(world.generated, 0);
}

TEST(AsyncServe, answers_on_a_thread_of_the_cache) {
  StaleWorld world;
  std::vector<Result<ServedPage>> answers;
  world.cache.async_serve_or_regenerate(world.pages.key, world.pages.generate("two"), StaleWorld::at_once(),
                                        [&](Result<ServedPage> page) { answers.push_back(std::move(page)); });
  EXPECT_TRUE(answers.empty());
  world.background.run_all();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]->body, "one");
  EXPECT_EQ(world.serve("three").body, "two");
}

TEST(AsyncServe, answers_also_when_the_cache_goes_or_too_much_waits) {
  PageWorld pages;
  ManualExecutor background;
  std::vector<Result<ServedPage>> answers;
  const auto add = [&](Result<ServedPage> page) { answers.push_back(std::move(page)); };
  {
    PageCache cache = pages.make({.executor = background.executor(), .waiting_max = 1});
    for (int i = 0; i < 2; ++i) cache.async_serve_or_regenerate(pages.key, pages.generate("one"), {}, add);
  }
  background.run_all();
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_THAT(answers[0], fails_with(Code::kThrottled));
  EXPECT_THAT(answers[1], fails_with(Code::kClosed));
  EXPECT_EQ(pages.generated, 0);
}

TEST(AsyncServe, makes_an_error_of_what_the_generator_throws) {
  StaleWorld world;
  std::optional<Result<ServedPage>> answer;
  const GeneratePage throwing = [](const std::stop_token&) -> Result<GeneratedPage> { throw std::runtime_error("x"); };
  world.cache.async_serve_or_regenerate(world.pages.key, throwing, {},
                                        [&](Result<ServedPage> page) { answer = std::move(page); });
  world.background.run_all();
  EXPECT_THAT(*answer, fails_with(Code::kUnavailable, "the page was not generated: x"));
}

TEST(AsyncMetadata, is_what_metadata_is) {
  StaleWorld world;
  std::promise<Result<std::optional<PageMetadata>>> answer;
  world.cache.async_metadata(world.pages.key, [&](auto found) { answer.set_value(std::move(found)); });
  EXPECT_EQ(answer.get_future().get().value(), world.cache.metadata(world.pages.key).value());
}

}  // namespace
}  // namespace dolmen
