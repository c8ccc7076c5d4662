// The items of leases and pages are those of the DMS models.
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/model/item.h"
#include "page_world.h"

namespace dolmen {
namespace {

/// The stored item is what the model makes of its own values.
void expect_model(const Item& stored, const char* model_name) {
  const ModelSet models = load_models("contract/models/isr_cache.yml").value();
  const Model& model = *models.find(model_name);
  const DecodedItem decoded = decode_item(model, stored, {.lenient = false}).value();
  EXPECT_TRUE(decoded.unknown.empty());
  EXPECT_EQ(encode_put(model, decoded.values, {.now = {}}).value(), stored);
}

TEST(Models, describe_the_items_of_pages_and_leases) {
  for (const bool fencing : {false, true}) {
    PageWorld world;
    PageCache cache = world.make({.leases = {.fencing = fencing}});
    const LeaseGuard first = cache.hold(world.key).value();
    expect_model(world.row("LOCK").value(), "FaceTheoryCacheLease");
    ASSERT_THAT(cache.publish(first, world.key, {.body = "x"}), succeeds());
    expect_model(world.row("META").value(), "FaceTheoryCacheMetadata");
    if (fencing) expect_model(world.row("LOCK").value(), "FaceTheoryCacheLease");
    const LeaseGuard second = cache.hold(world.key).value();
    ASSERT_THAT(cache.publish(second, world.key, {.body = "x"}, {.version = "1"}), succeeds());
    expect_model(world.row("META").value(), "FaceTheoryCacheMetadata");
    expect_model(world.row("VER#1").value(), "FaceTheoryCacheMetadata");
  }
}

TEST(Models, want_the_table_that_leases_make) {
  const ModelSet models = load_models("contract/models/isr_cache.yml").value();
  PageWorld world;
  TableDefinition wanted = table_definition(models.models.front());
  wanted.name = "cache";
  EXPECT_EQ(wanted, world.cache.leases().table_definition());
}

}  // namespace
}  // namespace dolmen
