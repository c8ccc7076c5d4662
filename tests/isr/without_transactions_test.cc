#include <gtest/gtest.h>

#include "base/test_result.h"
#include "page_world.h"
#include "tests/support/lacking.h"

namespace dolmen {
namespace {

TEST(WithoutTransactions, leases_work_and_a_publication_is_refused_and_leaves_no_body) {
  PageWorld world;
  const std::unique_ptr<Store> lacking = WithoutTransactions::make(*world.store);
  PageCache cache(*lacking, "cache", *world.bodies, {.leases = {.clock = world.clock.clock()}});
  const Result<LeaseGuard> guard = cache.hold(world.key);
  ASSERT_THAT(guard, succeeds());
  const Result<PageMetadata> published = cache.publish(*guard, world.key, {.body = "x", .revalidate = 60s});
  ASSERT_THAT(published, fails_with(Code::kUnsupported));
  EXPECT_EQ(published.error().message(), "the endpoint does not support TransactWriteItems");
  EXPECT_EQ(world.row("META"), std::nullopt);
  EXPECT_EQ(world.directory.files(), 0U);
}

}  // namespace
}  // namespace dolmen
