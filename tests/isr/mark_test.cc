// Pages that are marked as stale, listed, and kept with what a server sends.
#include <gtest/gtest.h>
#include <set>

#include "base/test_result.h"
#include "page_world.h"

namespace dolmen {
namespace {

GeneratePage tagged(std::string body, std::set<std::string> tags) {
  return [body = std::move(body), tags = std::move(tags)](const std::stop_token&) -> Result<GeneratedPage> {
    return GeneratedPage{.body = body, .revalidate = 60s, .tags = tags};
  };
}

bool is_fresh_now(PageWorld& world, const PageKey& key) {
  return is_fresh(world.cache.metadata(key).value().value(), world.clock.now());
}

TEST(MarkStale, keeps_the_page_and_lets_it_be_generated_anew) {
  PageWorld world;
  const ServedPage before = world.serve("one");
  EXPECT_TRUE(world.cache.mark_stale(world.key).value());
  const std::optional<PageMetadata> marked = world.cache.metadata(world.key).value();
  EXPECT_EQ(marked->s3_key, before.metadata.s3_key);
  EXPECT_EQ(marked->etag, before.metadata.etag);
  EXPECT_FALSE(is_fresh(*marked, world.clock.now()));
  world.lock_until(1030);
  EXPECT_EQ(world.serve("two").body, "one");
  world.clock.advance(30s);
  EXPECT_EQ(world.serve("two").body, "two");
  EXPECT_TRUE(is_fresh_now(world, world.key));
}

TEST(MarkStale, says_that_there_is_no_page) {
  PageWorld world;
  EXPECT_FALSE(world.cache.mark_stale(world.key).value());
  EXPECT_EQ(world.row("META"), std::nullopt);
}

TEST(MarkStale, holds_for_a_page_of_somebody_whose_clock_is_ahead) {
  PageWorld world;
  ASSERT_THAT(world.cache.put_metadata(world.key, {.s3_key = "x", .generated_at = 5000, .revalidate_seconds = 60}),
              succeeds());
  EXPECT_TRUE(world.cache.mark_stale(world.key).value());
  EXPECT_FALSE(is_fresh_now(world, world.key));
}

TEST(MarkStale, refuses_what_was_being_generated_before) {
  for (const bool fencing : {false, true}) {
    PageWorld world;
    PageCache cache = world.make({.leases = {.fencing = fencing}});
    ASSERT_THAT(cache.serve_or_regenerate(world.key, world.generate("one")), succeeds());
    const LeaseGuard guard = cache.hold(world.key).value();
    EXPECT_TRUE(cache.mark_stale(world.key).value());
    EXPECT_THAT(cache.publish(guard, world.key, {.body = "of old data"}), fails_with(Code::kLeaseNotOwned));
    EXPECT_EQ(cache.serve_or_regenerate(world.key, world.generate("two"))->body, "two");
  }
}

TEST(MarkStale, finds_pages_by_tag) {
  PageWorld world;
  for (const char* tenant : {"", "acme"}) {
    ASSERT_THAT(world.cache.serve_or_regenerate({"/17", tenant}, tagged("17", {"product-17", "shop"})), succeeds());
    ASSERT_THAT(world.cache.serve_or_regenerate({"/18", tenant}, tagged("18", {"product-18", "shop"})), succeeds());
  }
  EXPECT_EQ(world.cache.mark_tag_stale("product-17").value(), 2U);
  EXPECT_FALSE(is_fresh_now(world, {"/17"}));
  EXPECT_FALSE(is_fresh_now(world, {"/17", "acme"}));
  EXPECT_TRUE(is_fresh_now(world, {"/18"}));
  EXPECT_EQ(world.cache.mark_tag_stale("shop", "acme").value(), 2U);
  EXPECT_TRUE(is_fresh_now(world, {"/18"}));
  EXPECT_FALSE(is_fresh_now(world, {"/18", "acme"}));
  EXPECT_EQ(world.cache.mark_tag_stale("shop", "").value(), 2U);
  EXPECT_FALSE(is_fresh_now(world, {"/18"}));
  EXPECT_EQ(world.cache.mark_tag_stale("product").value(), 0U);
  EXPECT_THAT(world.cache.mark_tag_stale(""), fails_with(Code::kInvalidArgument));
}

TEST(MarkStale, finds_pages_by_tenant) {
  PageWorld world;
  for (const PageKey& key : {PageKey{"/a", "acme"}, PageKey{"/b", "acme"}, PageKey{"/a", "acme2"}, PageKey{"/a"},
                             PageKey{"/a", "acme#CACHE#x"}})
    ASSERT_THAT(world.cache.serve_or_regenerate(key, world.generate("x")), succeeds());
  // A page of the tenant that is being generated for the first time.
  const LeaseGuard guard = world.cache.hold({"/new", "acme"}).value();
  EXPECT_EQ(world.cache.mark_tenant_stale("acme").value(), 2U);
  EXPECT_FALSE(is_fresh_now(world, {"/a", "acme"}));
  EXPECT_FALSE(is_fresh_now(world, {"/b", "acme"}));
  for (const PageKey& key : {PageKey{"/a", "acme2"}, PageKey{"/a"}, PageKey{"/a", "acme#CACHE#x"}})
    EXPECT_TRUE(is_fresh_now(world, key)) << key.tenant;
  EXPECT_THAT(world.cache.publish(guard, {"/new", "acme"}, {.body = "x"}), fails_with(Code::kLeaseNotOwned));
  EXPECT_THAT(world.cache.mark_tenant_stale(""), fails_with(Code::kInvalidArgument));
}

TEST(List, shows_pages_with_their_names_when_they_are_kept) {
  PageWorld world;
  PageCache cache = world.make({.keep_names = true});
  ASSERT_THAT(cache.serve_or_regenerate({"/a", "acme"}, tagged("a", {"t"})), succeeds());
  ASSERT_THAT(world.cache.serve_or_regenerate({"/b"}, world.generate("b")), succeeds());
  ASSERT_THAT(cache.begin_request({"/c"}, {"r", "h"}), succeeds());
  world.store->put_item("cache", {{"pk", "CACHE#broken"}, {"sk", "META"}, {"s3_key", 7}}).value();
  const std::vector<ListedPage> all = cache.list().value().pages;
  ASSERT_EQ(all.size(), 2U);
  const ListedPage& a = all[0].tenant.empty() ? all[1] : all[0];
  const ListedPage& b = all[0].tenant.empty() ? all[0] : all[1];
  EXPECT_EQ(a.partition, page_partition({"/a", "acme"}));
  EXPECT_EQ(a.tenant, "acme");
  EXPECT_EQ(a.metadata.page_name, "/a");
  EXPECT_TRUE(a.fresh);
  EXPECT_EQ(b.metadata.page_name, std::nullopt);
  EXPECT_EQ(cache.list({.tenant = "acme"})->pages.size(), 1U);
  EXPECT_EQ(cache.list({.tenant = ""})->pages.size(), 1U);
  EXPECT_EQ(cache.list({.tag = "t"})->pages.size(), 1U);
  EXPECT_EQ(cache.list({.tenant = "", .tag = "t"})->pages.size(), 0U);
  world.clock.advance(60s);
  EXPECT_FALSE(cache.list({.tag = "t"})->pages[0].fresh);
}

TEST(List, goes_on_where_it_ended) {
  PageWorld world;
  std::set<std::string> expected;
  for (int i = 0; i < 25; ++i) {
    const PageKey key{.name = std::to_string(i)};
    expected.insert(page_partition(key));
    ASSERT_THAT(world.cache.put_metadata(key, {.s3_key = "x"}), succeeds());
  }
  std::set<std::string> found;
  std::optional<std::string> after;
  int lists = 0;
  do {
    const PageList some = world.cache.list({.limit = 10, .after = after}).value();
    for (const ListedPage& page : some.pages) EXPECT_TRUE(found.insert(page.partition).second);
    after = some.next;
    ++lists;
  } while (after);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(lists, 3);
}

TEST(Response, is_kept_with_the_page) {
  PageWorld world;
  const GeneratePage missing = [](const std::stop_token&) -> Result<GeneratedPage> {
    return GeneratedPage{.body = "nothing here",
                         .content_type = "text/plain; charset=utf-8",
                         .http_status = 404,
                         .http_headers = {{"Cache-Control", "max-age=1"}, {"X-Robots-Tag", "noindex"}}};
  };
  ASSERT_THAT(world.cache.serve_or_regenerate(world.key, missing), succeeds());
  const ServedPage page = world.serve("x");
  EXPECT_EQ(page.state, PageState::kFresh);
  EXPECT_EQ(page.metadata.content_type, "text/plain; charset=utf-8");
  EXPECT_EQ(page.metadata.http_status, 404);
  EXPECT_EQ(page.metadata.http_headers.at("X-Robots-Tag"), "noindex");
  EXPECT_EQ(world.row("META")->at("http_headers"),
            AttributeValue(Item{{"Cache-Control", "max-age=1"}, {"X-Robots-Tag", "noindex"}}));
}

TEST(Response, that_would_break_the_protocol_is_refused) {
  PageWorld world;
  const LeaseGuard guard = world.cache.hold(world.key).value();
  for (const GeneratedPage& page :
       {GeneratedPage{.http_status = 199}, GeneratedPage{.http_status = 600}, GeneratedPage{.content_type = ""},
        GeneratedPage{.content_type = "a\r\nSet-Cookie: x"}, GeneratedPage{.http_headers = {{"", "x"}}},
        GeneratedPage{.http_headers = {{"A b", "x"}}}, GeneratedPage{.http_headers = {{"A", "x\ny"}}},
        GeneratedPage{.tags = {""}}})
    EXPECT_THAT(world.cache.publish(guard, world.key, page), fails_with(Code::kInvalidArgument));
  EXPECT_EQ(world.directory.files(), 0U);
  EXPECT_EQ(world.row("META"), std::nullopt);
}

TEST(Metadata, of_others_is_read_with_fractions_and_attributes_of_their_own) {
  PageWorld world;
  Item theirs{{"pk", page_partition(world.key)},
              {"sk", "META"},
              {"s3_key", "theirs"},
              {"generated_at", Number::parse("1000.9").value()},
              {"revalidate_seconds", Number::parse("60.5").value()},
              {"ttl", Number::parse("1e30").value()}};
  world.store->put_item("cache", theirs).value();
  const PageMetadata read = world.cache.metadata(world.key).value().value();
  EXPECT_EQ(read.generated_at, 1000);
  EXPECT_EQ(read.revalidate_seconds, 60);
  EXPECT_EQ(read.ttl, std::numeric_limits<std::int64_t>::max());
  theirs.set("tags", "one text");
  theirs.set("http_status", "200");
  theirs.set("content_type", "text/html");
  world.store->put_item("cache", theirs).value();
  const PageMetadata more = world.cache.metadata(world.key).value().value();
  EXPECT_TRUE(more.tags.empty());
  EXPECT_EQ(more.http_status, std::nullopt);
  EXPECT_EQ(more.content_type, "text/html");
  EXPECT_EQ(more.generated_at, 1000);
}

TEST(Version, is_kept_through_serve_or_regenerate) {
  PageWorld world;
  const auto version = [&](const char* id) {
    return world.cache.serve_or_regenerate(world.key, [id](const std::stop_token&) -> Result<GeneratedPage> {
      return GeneratedPage{.body = id, .revalidate = 60s, .version = id};
    });
  };
  EXPECT_EQ(version("v1")->metadata.current_sk, "VER#v1");
  world.clock.advance(60s);
  EXPECT_EQ(version("v2")->metadata.current_sk, "VER#v2");
  const std::vector<PageVersion> versions = world.cache.versions(world.key).value();
  ASSERT_EQ(versions.size(), 2U);
  EXPECT_EQ(world.bodies->get(versions[0].metadata.s3_key).value(), "v1");
  // One that exists is not replaced, and the page stays what it is.
  world.clock.advance(60s);
  const ServedPage again = version("v1").value();
  EXPECT_EQ(again.body, "v2");
  EXPECT_EQ(again.problem->code(), Code::kConditionFailed);
}

}  // namespace
}  // namespace dolmen
