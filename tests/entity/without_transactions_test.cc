#include <gmock/gmock.h>

#include "base/test_result.h"
#include "entity_store.h"
#include "tests/support/lacking.h"

namespace dolmen {
namespace {

using EntitiesWithoutTransactions = EntityStoreTest;

TEST_F(EntitiesWithoutTransactions, work_while_they_have_one_shard_bump) {
  const std::unique_ptr<Store> lacking = WithoutTransactions::make(*store_);
  EntityConfig one = config();
  for (EntityDefinition& entity : one.entities) entity.shard_bumps.clear();
  const EntityClient entities(client(one).entities(), *lacking, table_);
  const Item ada{{"userId", "ada"}, {"created", 1500}, {"lastName", "Lovelace"}};
  ASSERT_THAT(entities.put("user", ada), succeeds());
  EXPECT_TRUE(entities.get("user", {{"userId", "ada"}})->has_value());
  EXPECT_THAT(entities.transaction().remove("user", ada).run(), fails_with(Code::kUnsupported));
}

TEST_F(EntitiesWithoutTransactions, are_refused_when_several_bumps_need_them) {
  const std::unique_ptr<Store> lacking = WithoutTransactions::make(*store_);
  const EntityClient entities(client().entities(), *lacking, table_);
  const auto put = entities.put("user", {{"userId", "ada"}, {"created", 1500}, {"lastName", "Lovelace"}});
  ASSERT_THAT(put, fails_with(Code::kUnsupported));
  EXPECT_THAT(put.error().message(), testing::StartsWith("the endpoint does not support Transact"));
}

}  // namespace
}  // namespace dolmen
