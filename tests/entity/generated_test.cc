#include <concepts>
#include <gmock/gmock.h>

#include "entity_store.h"
#include "names.h"

// A header that `dolmen entity generate` wrote, as a program uses it. src/entity/generate_test.cc says that it is what
// would be written now.
namespace dolmen {
namespace {

using namespace acme::names;  // NOLINT(google-build-using-namespace): as a program does
using testing::ElementsAre;
using testing::SizeIs;

using GeneratedNames = EntityStoreTest;

static_assert(!std::convertible_to<IndexName, EntityName> && !std::convertible_to<PropertyName, KeyName>,
              "a name of one kind is none of another");
static_assert(acme::names::entity::class_ != acme::names::entity::user);

TEST_F(GeneratedNames, stand_where_names_stand) {
  const EntityConfig config{
      .hash_key = key::pk,
      .range_key = key::sk,
      .entities = {{.name = acme::names::entity::class_,
                    .timestamp_property = property::created,
                    .unique_property = property::userId}},
      .unsharded = {{key::last_name, {property::lastName, property::created}}},
      .indexes = {{.name = acme::names::index::by_name_, .hash_key = key::pk, .range_key = key::last_name}},
      .property_transcodes = {
          {property::created, "timestamp"}, {property::lastName, "string"}, {property::userId, "string"}}};
  const EntityManager entities = EntityManager::make(config).value();
  const Item ada{{property::userId, "ada"}, {property::created, 1500}, {property::lastName, "Lovelace"}};
  const Item record = entities.add_keys(acme::names::entity::class_, ada).value();
  EXPECT_EQ(record.at(key::last_name), AttributeValue("lastName#Lovelace|created#1500"));
  EXPECT_EQ(entities.dehydrate_index_item(acme::names::entity::class_, acme::names::index::by_name_, record).value(),
            "0000000001500|Lovelace|ada");
  EXPECT_THAT(entities.table_definition("t").global_indexes, SizeIs(1));
  EXPECT_THAT(entities.index_components(acme::names::index::by_name_).value(), ElementsAre("pk", "sk", "last name"));
  EXPECT_EQ(entities.add_keys(acme::names::entity::user, ada).error().message(), "invalid entity token");
}

TEST_F(GeneratedNames, name_indexes_in_queries) {
  const EntityClient entities = client();
  put_users(entities, users(5, 1000, 1));
  const auto result = entities.query(acme::names::entity::user).index(acme::names::index::created).run();
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_THAT(result->items, SizeIs(5));
}

}  // namespace
}  // namespace dolmen
