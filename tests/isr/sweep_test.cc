// Bodies that were replaced, bodies that nothing refers to, and stores that are away.
#include <chrono>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "page_world.h"

namespace dolmen {
namespace {

/// The store's bodies with times by the test's clock: when it is put, a body is as old as the clock says.
class DatedBodies final : public BodyStore {
 public:
  DatedBodies(BodyStore& bodies, TestClock& clock) : bodies_(bodies), clock_(clock) {}
  Result<void> put(const std::string& key, std::string_view body) override {
    written_[key] = clock_.now();
    return bodies_.put(key, body);
  }
  Result<std::optional<std::string>> get(const std::string& key) override { return bodies_.get(key); }
  Result<std::optional<BodyInfo>> head(const std::string& key) override { return bodies_.head(key); }
  Result<void> remove(const std::string& key) override { return bodies_.remove(key); }
  Result<void> list(const std::string& prefix, const Found& found) override {
    return bodies_.list(prefix, [&](const std::string& key, BodyInfo info) {
      info.modified_at = written_[key];
      found(key, info);
    });
  }

 private:
  BodyStore& bodies_;
  TestClock& clock_;
  std::map<std::string, std::chrono::system_clock::time_point> written_;
};

/// Pages are fresh for a minute, and a body that was replaced lives for another five.
struct GraceWorld {
  PageWorld pages;
  DatedBodies bodies{*pages.bodies, pages.clock};
  PageCache cache{*pages.store,
                  "cache",
                  bodies,
                  {.leases = {.clock = pages.clock.clock()}, .body_grace = std::chrono::seconds(300)}};

  ServedPage serve(const char* body, const ServeOptions& options = {}) {
    return cache.serve_or_regenerate(pages.key, pages.generate(body), options).value();
  }
  bool exists(const std::string& body) { return bodies.get(body).value().has_value(); }
};

TEST(Grace, lets_a_body_live_that_was_replaced) {
  GraceWorld world;
  const std::string first = world.serve("one").metadata.s3_key;
  world.pages.clock.advance(60s);
  const PageMetadata second = world.serve("two").metadata;
  EXPECT_TRUE(world.exists(first));
  EXPECT_EQ(second.old_bodies, (std::map<std::string, std::int64_t>{{first, 1060 + 300}}));
  world.pages.clock.advance(299s);
  const PageMetadata third = world.serve("three").metadata;
  EXPECT_TRUE(world.exists(first));
  EXPECT_EQ(third.old_bodies.size(), 2U);
  world.pages.clock.advance(60s);
  const PageMetadata fourth = world.serve("four").metadata;
  EXPECT_FALSE(world.exists(first));
  EXPECT_TRUE(world.exists(second.s3_key));
  EXPECT_EQ(fourth.old_bodies.size(), 2U);
  EXPECT_EQ(world.cache.purge(world.pages.key)->bodies, 3U);
  EXPECT_EQ(world.pages.directory.files(), 0U);
}

TEST(Grace, is_not_for_versions_which_stay_anyway) {
  GraceWorld world;
  const auto publish = [&](const char* body, const PublishOptions& options) {
    const LeaseGuard guard = world.cache.hold(world.pages.key).value();
    return world.cache.publish(guard, world.pages.key, {.body = body}, options).value();
  };
  const PageMetadata first = publish("one", {.version = "1"});
  const PageMetadata second = publish("two", {});
  EXPECT_TRUE(second.old_bodies.empty());
  const PageMetadata third = publish("three", {.version = "3"});
  EXPECT_EQ(third.old_bodies.size(), 1U);
  EXPECT_EQ(world.pages.row("VER#3")->find("old_bodies"), nullptr);
  const LeaseGuard guard = world.cache.hold(world.pages.key).value();
  EXPECT_EQ(world.cache.restore(guard.lease().value(), world.pages.key, "1")->old_bodies.size(), 1U);
}

TEST(Sweep, removes_old_bodies_that_nothing_refers_to) {
  GraceWorld world;
  const std::string kept = world.serve("one").metadata.s3_key;
  {
    const LeaseGuard guard = world.cache.hold({"/versions"}).value();
    ASSERT_THAT(world.cache.publish(guard, {"/versions"}, {.body = "v"}, {.version = "1"}), succeeds());
  }
  for (const char* key : {"pages/CACHE#gone/1", "pages/CACHE#gone/2", "elsewhere/3"})
    ASSERT_THAT(world.bodies.put(key, "12345"), succeeds());
  world.pages.clock.advance(3600s);
  ASSERT_THAT(world.bodies.put("pages/CACHE#new/4", "being published"), succeeds());
  const SweepResult counted = world.cache.sweep({.dry_run = true}).value();
  EXPECT_EQ(counted.bodies, 5U);
  EXPECT_EQ(counted.removed, 2U);
  EXPECT_EQ(counted.removed_bytes, 10U);
  EXPECT_TRUE(world.exists("pages/CACHE#gone/1"));
  EXPECT_EQ(world.cache.sweep()->removed, 2U);
  EXPECT_FALSE(world.exists("pages/CACHE#gone/1"));
  EXPECT_FALSE(world.exists("pages/CACHE#gone/2"));
  EXPECT_TRUE(world.exists("elsewhere/3"));
  EXPECT_TRUE(world.exists("pages/CACHE#new/4"));
  EXPECT_TRUE(world.exists(kept));
  EXPECT_EQ(world.cache.sweep()->removed, 0U);
  EXPECT_EQ(world.cache.sweep({.older_than = 0s})->removed, 1U);
}

TEST(Sweep, respects_the_grace_and_the_results_of_requests) {
  GraceWorld world;
  const std::string first = world.serve("one", {.request = PageRequest{"r", "h"}}).metadata.s3_key;
  world.pages.clock.advance(60s);
  const std::string second = world.serve("two").metadata.s3_key;
  world.pages.clock.advance(60s);
  world.serve("three");
  EXPECT_EQ(world.cache.sweep({.older_than = 0s})->removed, 0U);
  world.pages.clock.advance(300s);
  EXPECT_EQ(world.cache.sweep({.older_than = 0s})->removed, 1U);
  EXPECT_TRUE(world.exists(first)) << "a request has it as its result";
  EXPECT_FALSE(world.exists(second));
}

TEST(Sweep, says_when_bodies_cannot_be_listed) {
  PageWorld world;
  class Unlisted final : public BodyStore {
   public:
    Result<void> put(const std::string&, std::string_view) override { return {}; }
    Result<std::optional<std::string>> get(const std::string&) override { return std::nullopt; }
    Result<std::optional<BodyInfo>> head(const std::string&) override { return std::nullopt; }
    Result<void> remove(const std::string&) override { return {}; }
  } unlisted;
  PageCache cache(*world.store, "cache", unlisted);
  EXPECT_THAT(cache.sweep(), fails_with(Code::kUnsupported));
}

}  // namespace
}  // namespace dolmen
