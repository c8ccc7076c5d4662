// Pages whose metadata cannot be read or written.
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "page_world.h"
#include "tests/lease/losing_proxy.h"

namespace dolmen {
namespace {

/// A cache whose table can be away.
struct OutageWorld {
  LosingProxy proxy;
  std::unique_ptr<Store> store = proxy.connect();
  PageWorld pages;
  PageCache cache{*store, "cache", *pages.bodies, {.leases = {.clock = pages.clock.clock()}}};

  OutageWorld() { EXPECT_THAT(store->create_table(cache.leases().table_definition()), succeeds()); }

  Result<ServedPage> serve(const char* body, const ServeOptions& options = {}) {
    return cache.serve_or_regenerate(pages.key, pages.generate(body), options);
  }
};

TEST(Outage, serves_the_page_as_it_was_last_seen_when_the_metadata_cannot_be_read) {
  OutageWorld world;
  ASSERT_THAT(world.serve("one"), succeeds());
  ASSERT_THAT(world.serve("one"), succeeds());
  world.proxy.refuse_reads = true;
  const ServedPage fresh = world.serve("two").value();
  EXPECT_EQ(fresh.body, "one");
  EXPECT_EQ(fresh.state, PageState::kFresh);
  EXPECT_TRUE(fresh.problem.has_value());
  world.pages.clock.advance(60s);
  const ServedPage stale = world.serve("two").value();
  EXPECT_EQ(stale.state, PageState::kStale);
  EXPECT_EQ(stale.metadata.etag, fresh.metadata.etag);
  EXPECT_EQ(world.pages.generated, 1);
  EXPECT_FALSE(world.serve("two", {.stale_on_error = false}).has_value());
  // Of a page that was never seen nothing is known.
  EXPECT_FALSE(world.cache.serve_or_regenerate({"/other"}, world.pages.generate("x")).has_value());
  world.proxy.refuse_reads = false;
  EXPECT_EQ(world.serve("two")->body, "two");
}

TEST(Outage, remembers_what_it_generated_itself) {
  OutageWorld world;
  ASSERT_THAT(world.serve("one"), succeeds());
  world.proxy.refuse_reads = true;
  EXPECT_EQ(world.serve("two")->body, "one");
}

TEST(Outage, serves_the_stale_page_when_nothing_can_be_written) {
  OutageWorld world;
  ASSERT_THAT(world.serve("one"), succeeds());
  world.pages.clock.advance(60s);
  world.proxy.refuse_writes = true;
  for (const ServeOptions& options :
       {ServeOptions{}, ServeOptions{.when_stale = WhenStale::kWait}, ServeOptions{.request = PageRequest{"r", "h"}}}) {
    const Result<ServedPage> page = world.serve("two", options);
    ASSERT_THAT(page, succeeds());
    EXPECT_EQ(page->body, "one");
    EXPECT_EQ(page->state, PageState::kStale);
    EXPECT_TRUE(page->problem.has_value());
  }
  EXPECT_EQ(world.pages.generated, 1);
  EXPECT_FALSE(world.serve("two", {.stale_on_error = false}).has_value());
}

TEST(Outage, serves_the_stale_page_when_a_new_one_was_generated_and_cannot_be_published) {
  OutageWorld world;
  ASSERT_THAT(world.serve("one"), succeeds());
  world.pages.clock.advance(60s);
  const Result<ServedPage> page =
      world.cache.serve_or_regenerate(world.pages.key, [&](const std::stop_token&) -> Result<GeneratedPage> {
        world.proxy.refuse_writes = true;
        return GeneratedPage{.body = "two"};
      });
  ASSERT_THAT(page, succeeds());
  EXPECT_EQ(page->body, "one");
  EXPECT_TRUE(page->problem.has_value());
}

TEST(Outage, remembers_only_so_many_pages) {
  OutageWorld world;
  PageCache forgetful(*world.store, "cache", *world.pages.bodies,
                      {.leases = {.clock = world.pages.clock.clock()}, .remembered_pages_max = 2});
  const auto serve = [&](const char* name) {
    return forgetful.serve_or_regenerate({name}, world.pages.generate(name)).has_value();
  };
  for (const char* name : {"/a", "/b", "/a", "/c"}) ASSERT_TRUE(serve(name));
  world.proxy.refuse_reads = true;
  EXPECT_TRUE(serve("/a"));
  EXPECT_FALSE(serve("/b"));
  EXPECT_TRUE(serve("/c"));
}

TEST(Outage, does_not_serve_what_was_purged) {
  OutageWorld world;
  ASSERT_THAT(world.serve("one"), succeeds());
  ASSERT_THAT(world.cache.purge(world.pages.key), succeeds());
  world.proxy.refuse_reads = true;
  EXPECT_FALSE(world.serve("two").has_value());
}

}  // namespace
}  // namespace dolmen
