#include <concepts>
#include <gmock/gmock.h>

#include "entity_store.h"
#include "names.h"

// A header that `dolmen entity generate` wrote, as a program uses it. src/generate/cpp_entities_test.cc says that it is
// what would be written now.
namespace dolmen {
namespace {

using namespace acme::names;  // NOLINT(google-build-using-namespace): as a program does
using testing::ElementsAre;
using testing::SizeIs;

using GeneratedNames = EntityStoreTest;

static_assert(!std::convertible_to<IndexName, EntityName> && !std::convertible_to<PropertyName, KeyName>,
              "a name of one kind is none of another");
static_assert(acme::names::entity::class_ != acme::names::entity::user);

// ---- Which parameters take what ----

using Items = std::vector<Item>;

/// How many of the functions take the name of an entity in this form.
template <class Name>
consteval int taken_for_entity() {
  int taken = 0;
  if constexpr (requires(const EntityClient& c, Name n, Item i) { c.put(n, i); }) ++taken;
  if constexpr (requires(const EntityClient& c, Name n, Item i) { c.get(n, i); }) ++taken;
  if constexpr (requires(const EntityClient& c, Name n, Item i) { c.remove(n, i); }) ++taken;
  if constexpr (requires(const EntityClient& c, Name n, Items i) { c.put_all(n, i); }) ++taken;
  if constexpr (requires(const EntityClient& c, Name n, Items i) { c.remove_all(n, i); }) ++taken;
  if constexpr (requires(const EntityClient& c, Name n, Items i) { c.get_all(n, i); }) ++taken;
  if constexpr (requires(const EntityClient& c, Name n) { c.query(n); }) ++taken;
  if constexpr (requires(EntityTransaction t, Name n, Item i) { t.put(n, i); }) ++taken;
  if constexpr (requires(EntityTransaction t, Name n, Item i) { t.remove(n, i); }) ++taken;
  if constexpr (requires(EntityTransaction t, Name n, Item i) { t.check(n, i, Condition()); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, Item i) { m.add_keys(n, i); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, Items i) { m.add_keys(n, i); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, Item i) { m.remove_keys(n, i); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, Items i) { m.remove_keys(n, i); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, Item i) { m.primary_key(n, i); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, Items i) { m.primary_keys(n, i); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n) { m.unwrap_index(n, "i"); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n) { m.hash_key_space(n, "k"); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, Item i) { m.dehydrate_index_item(n, "i", i); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n) { m.rehydrate_index_item(n, "i", ""); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, PageKeyMap p) { m.dehydrate_page_key_map(n, p); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, std::vector<std::string> i) {
                  m.rehydrate_page_key_map(n, i, Item(), i);
                })
    ++taken;
  return taken;
}
constexpr int kEntityParameters = 22;

/// The same for the name of an index.
template <class Name>
consteval int taken_for_index() {
  int taken = 0;
  if constexpr (requires(EntityQuery q, Name n) { q.index(n); }) ++taken;
  if constexpr (requires(EntityQuery q, Name n, EntityCondition c) { q.index(n, c, std::vector{c}); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n) { m.index_components(n); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n) { m.unwrap_index("e", n); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n, Item i) { m.dehydrate_index_item("e", n, i); }) ++taken;
  if constexpr (requires(const EntityManager& m, Name n) { m.rehydrate_index_item("e", n, ""); }) ++taken;
  return taken;
}
constexpr int kIndexParameters = 6;

template <class... Names>
constexpr bool kTakenForBoth = ((taken_for_entity<Names>() == kEntityParameters) && ...) &&
                               ((taken_for_index<Names>() == kIndexParameters) && ...);
template <class... Names>
constexpr bool kTakenForNeither = ((taken_for_entity<Names>() == 0) && ...) && ((taken_for_index<Names>() == 0) && ...);

static_assert(kTakenForBoth<const char*, char*, const char (&)[5], std::string, const std::string&, std::string_view>);
static_assert(taken_for_entity<EntityName>() == kEntityParameters && taken_for_index<IndexName>() == kIndexParameters);
static_assert(taken_for_entity<IndexName>() == 0 && taken_for_index<EntityName>() == 0);
static_assert(taken_for_entity<IndexNameView>() == 0 && taken_for_index<EntityNameView>() == 0);
static_assert(kTakenForNeither<PropertyName, KeyName, int>);

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
