// What is served when, who generates, and who does not.
#include <gtest/gtest.h>

#include "base/fail.h"
#include "base/test_result.h"
#include "dolmen/isr/etag.h"
#include "page_world.h"

namespace dolmen {
namespace {

TEST(PageKey, is_hashed) {
  EXPECT_EQ(page_partition({"abc"}), "CACHE#ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(page_partition({"abc", "acme"}),
            "TENANT#acme#CACHE#ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Freshness, ends_at_generated_at_plus_revalidate_seconds_whatever_the_ttl) {
  const auto at = [](std::chrono::milliseconds time) { return std::chrono::system_clock::time_point(time); };
  const PageMetadata page{.generated_at = 1000, .revalidate_seconds = 60, .ttl = 1};
  EXPECT_TRUE(is_fresh(page, at(1'059'999ms)));
  EXPECT_FALSE(is_fresh(page, at(1'060'000ms)));
  EXPECT_FALSE(is_fresh({.generated_at = 1000, .ttl = 9'000'000'000}, at(1'000'000ms)));
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(is_fresh({.generated_at = 1000, .revalidate_seconds = kMost}, at(1'000'000ms)));
  EXPECT_FALSE(is_fresh({.generated_at = -kMost, .revalidate_seconds = -kMost}, at(1'000'000ms)));
}

TEST(PageCache, generates_a_missing_page_once_and_serves_it_while_it_is_fresh) {
  PageWorld world;
  const ServedPage first = world.serve("one");
  EXPECT_EQ(first.state, PageState::kRegenerated);
  EXPECT_EQ(first.body, "one");
  world.clock.advance(59s);
  const ServedPage second = world.serve("two");
  EXPECT_EQ(second.state, PageState::kFresh);
  EXPECT_EQ(second.body, "one");
  EXPECT_EQ(second.metadata, first.metadata);
  world.clock.advance(1s);
  const ServedPage third = world.serve("three");
  EXPECT_EQ(third.state, PageState::kRegenerated);
  EXPECT_EQ(third.body, "three");
  EXPECT_EQ(world.generated, 2);
}

TEST(PageCache, writes_metadata_as_the_specification_has_it_and_leaves_no_lease) {
  PageWorld world;
  const ServedPage page = world.serve("one");
  EXPECT_EQ(world.row("META"), (Item{{"pk", page_partition(world.key)},
                                     {"sk", "META"},
                                     {"s3_key", page.metadata.s3_key},
                                     {"generated_at", 1000},
                                     {"revalidate_seconds", 60},
                                     {"etag", strong_etag("one")},
                                     {"ttl", 1000 + 60 + 7 * 24 * 3600}}));
  EXPECT_TRUE(page.metadata.s3_key.starts_with("pages/" + page_partition(world.key) + "/"));
  EXPECT_EQ(world.row("LOCK"), std::nullopt);
}

TEST(PageCache, removes_the_body_that_was_replaced) {
  PageWorld world;
  world.serve("one");
  world.clock.advance(60s);
  world.serve("two");
  EXPECT_EQ(world.directory.files(), 1U);
}

TEST(PageCache, leaves_bodies_alone_that_it_did_not_make) {
  PageWorld world;
  ASSERT_THAT(world.bodies->put("theirs.html", "old"), succeeds());
  ASSERT_THAT(world.cache.put_metadata(world.key, {.s3_key = "theirs.html", .generated_at = 1}), succeeds());
  EXPECT_EQ(world.serve("new").body, "new");
  EXPECT_EQ(world.bodies->get("theirs.html").value(), "old");
}

TEST(PageCache, serves_a_stale_page_while_somebody_else_generates) {
  PageWorld world;
  world.serve("one");
  world.clock.advance(60s);
  world.lock_until(1090);
  const ServedPage page = world.serve("two");
  EXPECT_EQ(page.state, PageState::kStale);
  EXPECT_EQ(page.body, "one");
  EXPECT_EQ(page.problem, std::nullopt);
  EXPECT_EQ(world.generated, 1);
  world.clock.advance(30s);
  EXPECT_EQ(world.serve("two").state, PageState::kRegenerated);
}

TEST(PageCache, waits_for_somebody_else_when_told_to) {
  PageWorld world;
  world.serve("one");
  world.clock.advance(60s);
  world.lock_until(1090);
  int waits = 0;
  world.waiting = [&] {
    if (++waits != 5) return;
    ASSERT_THAT(world.bodies->put("theirs.html", "of somebody else"), succeeds());
    const PageMetadata theirs{.s3_key = "theirs.html", .generated_at = 1060, .revalidate_seconds = 60};
    ASSERT_THAT(world.cache.put_metadata(world.key, theirs), succeeds());
  };
  const ServedPage page = world.serve("two", {.when_busy = WhenBusy::kWait});
  EXPECT_EQ(page.state, PageState::kFresh);
  EXPECT_EQ(page.body, "of somebody else");
  EXPECT_EQ(waits, 5);
  EXPECT_EQ(world.generated, 1);
}

TEST(PageCache, takes_over_from_somebody_who_died) {
  PageWorld world;
  world.lock_until(1005);
  const ServedPage page = world.serve("mine");
  EXPECT_EQ(page.state, PageState::kRegenerated);
  EXPECT_EQ(page.metadata.generated_at, 1005);
}

TEST(PageCache, does_not_wait_for_ever) {
  PageWorld world;
  world.lock_until(5000);
  const auto missing = world.cache.serve_or_regenerate(world.key, world.generate("x"), {.wait_max = 3s});
  EXPECT_THAT(missing, fails_with(Code::kTimeout, "/news?page=2 was not generated within 3000 ms"));
  EXPECT_EQ(world.clock.now().time_since_epoch(), 1003s);

  ASSERT_THAT(world.bodies->put("old.html", "old"), succeeds());
  ASSERT_THAT(world.cache.put_metadata(world.key, {.s3_key = "old.html", .generated_at = 1}), succeeds());
  const ServedPage stale = world.serve("x", {.when_busy = WhenBusy::kWait, .wait_max = 3s});
  EXPECT_EQ(stale.state, PageState::kStale);
  EXPECT_EQ(world.clock.now().time_since_epoch(), 1006s);
  EXPECT_EQ(world.generated, 0);
}

TEST(PageCache, serves_the_stale_page_when_a_new_one_cannot_be_generated) {
  PageWorld world;
  world.serve("one");
  world.clock.advance(60s);
  const GeneratePage broken = [](const std::stop_token&) -> Result<GeneratedPage> {
    return fail(Code::kUnavailable, "the database is away");
  };
  const ServedPage page = world.cache.serve_or_regenerate(world.key, broken).value();
  EXPECT_EQ(page.state, PageState::kStale);
  EXPECT_EQ(page.problem, Error(Code::kUnavailable, "the database is away"));
  EXPECT_EQ(world.row("LOCK"), std::nullopt);
  EXPECT_THAT(world.cache.serve_or_regenerate(world.key, broken, {.stale_on_error = false}),
              fails_with(Code::kUnavailable));
  EXPECT_THAT(world.cache.serve_or_regenerate({"/other"}, broken), fails_with(Code::kUnavailable));
}

TEST(PageCache, does_not_publish_what_was_generated_too_late) {
  PageWorld world;
  const GeneratePage slow = [&](const std::stop_token& lost) -> Result<GeneratedPage> {
    world.clock.advance(31s);
    while (!lost.stop_requested()) std::this_thread::yield();
    return GeneratedPage{.body = "late"};
  };
  EXPECT_THAT(world.cache.serve_or_regenerate(world.key, slow), fails_with(Code::kLeaseNotOwned));
  EXPECT_EQ(world.row("META"), std::nullopt);
  EXPECT_EQ(world.directory.files(), 0U);
}

TEST(PageCache, serves_what_somebody_faster_has_published) {
  PageWorld world;
  const GeneratePage overtaken = [&](const std::stop_token&) -> Result<GeneratedPage> {
    world.lock_until(1100);
    EXPECT_THAT(world.bodies->put("theirs.html", "faster"), succeeds());
    EXPECT_THAT(
        world.cache.put_metadata(world.key, {.s3_key = "theirs.html", .generated_at = 1000, .revalidate_seconds = 60}),
        succeeds());
    return GeneratedPage{.body = "slower"};
  };
  const ServedPage page = world.cache.serve_or_regenerate(world.key, overtaken).value();
  EXPECT_EQ(page.state, PageState::kFresh);
  EXPECT_EQ(page.body, "faster");
  EXPECT_EQ(world.row("LOCK")->at("lease_token"), AttributeValue("another"));
}

TEST(PageCache, generates_anew_what_has_lost_its_body_or_cannot_be_read) {
  PageWorld world;
  const ServedPage page = world.serve("one");
  ASSERT_THAT(world.bodies->remove(page.metadata.s3_key), succeeds());
  EXPECT_EQ(world.serve("two").body, "two");
  world.store->put_item("cache", {{"pk", page_partition(world.key)}, {"sk", "META"}, {"s3_key", 7}}).value();
  EXPECT_THAT(world.cache.metadata(world.key), fails_with(Code::kValidation));
  EXPECT_EQ(world.serve("three").body, "three");
}

TEST(PageCache, generates_anew_what_names_no_possible_body) {
  PageWorld world;
  for (const std::string& key : {std::string(), std::string("../x"), std::string("a//b"), std::string(2000, 'x'),
                                 std::string(300, 'x'), std::string(100, '#'), std::string("pages")}) {
    ASSERT_THAT(
        world.cache.put_metadata(world.key, {.s3_key = key, .generated_at = 1000, .revalidate_seconds = 1'000'000}),
        succeeds());
    EXPECT_EQ(world.serve("anew").state, PageState::kRegenerated) << key;
    ASSERT_THAT(world.cache.put_metadata(world.key, {.s3_key = key}), succeeds());
    EXPECT_THAT(world.cache.purge(world.key), succeeds()) << key;
  }
}

TEST(PageCache, serves_tenants_whatever_they_are_called) {
  PageWorld world;
  for (const std::string& tenant : {std::string("a/b"), std::string(".."), std::string("/"), std::string("a//b"),
                                    std::string("\xc3\xa9 %2F"), std::string(1500, '/')}) {
    const PageKey key{.name = "/", .tenant = tenant};
    const Result<ServedPage> page = world.cache.serve_or_regenerate(key, world.generate(tenant));
    ASSERT_THAT(page, succeeds()) << tenant;
    EXPECT_EQ(world.cache.serve_or_regenerate(key, world.generate("x"))->body, tenant);
    world.clock.advance(60s);
    EXPECT_EQ(world.cache.serve_or_regenerate(key, world.generate("x"))->state, PageState::kRegenerated);
    EXPECT_EQ(world.directory.files(), 1U) << "the body that was replaced is removed";
    EXPECT_EQ(world.cache.purge_tenant(tenant)->bodies, 1U);
  }
}

TEST(PageCache, waits_for_ever_when_told_to_wait_for_longer_than_there_is_time) {
  PageWorld world;
  world.lock_until(1005);
  PageCache cache = world.make({.poll_interval = 0ms});
  EXPECT_EQ(
      cache.serve_or_regenerate(world.key, world.generate("x"), {.wait_max = std::chrono::milliseconds::max()})->state,
      PageState::kRegenerated);
}

TEST(PageCache, tells_tenants_apart) {
  PageWorld world;
  for (const char* tenant : {"", "acme", "globex"})
    ASSERT_EQ(world.cache.serve_or_regenerate({"/", tenant}, world.generate(tenant))->body, tenant);
  EXPECT_EQ(world.cache.serve_or_regenerate({"/", "acme"}, world.generate("x"))->body, "acme");
}

TEST(PageCache, says_what_the_stores_say) {
  PageWorld world;
  PageCache nowhere(*world.store, "nowhere", *world.bodies);
  EXPECT_THAT(nowhere.serve_or_regenerate(world.key, world.generate("x")), fails_with(Code::kTableNotFound));
}

}  // namespace
}  // namespace dolmen
