// The items of pages and leases as the structs that `dolmen model generate` wrote from contract/models/isr_cache.yml.
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "page_world.h"
#include "tests/models/isr_cache.h"

namespace dolmen {
namespace {

std::chrono::sys_seconds second(std::int64_t count) { return std::chrono::sys_seconds(std::chrono::seconds(count)); }

template <Record T>
Table<T> open_rows(PageWorld& world, Model model) {
  model.table = "cache";
  return Table<T>::open(*world.store, std::move(model)).value();
}

TEST(GeneratedRows, have_the_attribute_types_of_the_models) {
  PageWorld world;
  auto pages = open_rows<FaceTheoryCacheMetadata>(world, models::face_theory_cache_metadata());
  auto leases = open_rows<FaceTheoryCacheLease>(world, models::face_theory_cache_lease());
  const std::string pk = page_partition(world.key);

  FaceTheoryCacheMetadata page{.pk = pk,
                               .sk = "META",
                               .s3_key = "pages/1",
                               .generated_at = second(1000),
                               .revalidate_seconds = 60,
                               .etag = "\"e\"",
                               .ttl = second(5000)};
  ASSERT_THAT(pages.put(page), succeeds());
  EXPECT_EQ(pages.get({pk, "META"}).value(), page);
  EXPECT_EQ(world.row("META").value(), (Item{{"pk", pk},
                                             {"sk", "META"},
                                             {"s3_key", "pages/1"},
                                             {"generated_at", 1000},
                                             {"revalidate_seconds", 60},
                                             {"etag", "\"e\""},
                                             {"ttl", 5000}}));

  FaceTheoryCacheLease lease{.pk = pk, .sk = "LOCK", .lease_token = "t", .lease_expires_at = second(1030)};
  lease.generation = 7;
  ASSERT_THAT(leases.put(lease), succeeds());
  EXPECT_EQ(leases.get({pk, "LOCK"}).value(), lease);
  EXPECT_EQ(world.row("LOCK").value(),
            (Item{{"pk", pk}, {"sk", "LOCK"}, {"lease_token", "t"}, {"lease_expires_at", 1030}, {"generation", 7}}));
}

TEST(GeneratedRows, read_what_a_cache_wrote) {
  PageWorld world;
  auto pages = open_rows<FaceTheoryCacheMetadata>(world, models::face_theory_cache_metadata());
  auto leases = open_rows<FaceTheoryCacheLease>(world, models::face_theory_cache_lease());
  const std::string pk = page_partition(world.key);

  const LeaseGuard guard = world.cache.hold(world.key).value();
  const FaceTheoryCacheLease lease = leases.get({pk, "LOCK"}).value();
  EXPECT_EQ(lease.lease_token, guard.lease().value().token);
  EXPECT_GT(lease.lease_expires_at, second(1000));
  ASSERT_THAT(world.cache.publish(guard, world.key, {.body = "x", .revalidate = 60s}), succeeds());
  const FaceTheoryCacheMetadata page = pages.get({pk, "META"}).value();
  EXPECT_EQ(page.generated_at, second(1000));
  EXPECT_EQ(page.revalidate_seconds, 60);
  EXPECT_FALSE(page.current_sk.has_value());
}

TEST(GeneratedRows, make_a_cache_wait_for_a_lease) {
  PageWorld world;
  auto leases = open_rows<FaceTheoryCacheLease>(world, models::face_theory_cache_lease());
  FaceTheoryCacheLease lease{.pk = page_partition(world.key), .sk = "LOCK", .lease_token = "another"};
  lease.lease_expires_at = second(1001);
  ASSERT_THAT(leases.put(lease), succeeds());
  EXPECT_THAT(world.cache.hold(world.key), fails_with(Code::kLeaseHeld));
  world.clock.advance(1s);
  EXPECT_THAT(world.cache.hold(world.key), succeeds());
}

}  // namespace
}  // namespace dolmen
