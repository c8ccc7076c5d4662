// Entities with vectors: searches of all shards, and tables that get vector indexes.
#include <cmath>
#include <future>
#include <gmock/gmock.h>
#include <random>

#include "base/test_result.h"
#include "dolmen/entity/typed.h"
#include "entity_store.h"

namespace dolmen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const WaitOptions kWait{.interval = std::chrono::milliseconds(20)};
using Floats = std::vector<float>;

struct Seen {
  std::string userId;
  std::int64_t created = 0;
  std::string lastName;
  std::array<float, 3> face{};
};
DOLMEN_RECORD(Seen, userId, created, lastName, face);

class EntityVectorsTest : public EntityStoreTest {
 protected:
  static EntityConfig with_faces() {
    EntityConfig config = EntityStoreTest::config();
    config.vector_indexes = {
        {.name = "face", .vector_property = "face", .dimensions = 3, .filters = {"lastName", "created"}},
        {.name = "taste",
         .vector_property = "taste",
         .dimensions = 2,
         .distance = VectorDistance::kDotProduct,
         .hash_key = "userPK",
         .projections = std::vector<std::string>{"lastName"}}};
    return config;
  }

  EntityClient grown() {
    const EntityClient made = client(with_faces());
    EXPECT_THAT(made.ensure_table(kWait), succeeds());
    return made;
  }

  /// Users of all bumps, with vectors that only a seed knows.
  static std::vector<Item> seen_users(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<Item> items = users(count, 900, 2000 / count);
    for (Item& item : items)
      item.set("face", vector_list(Floats{normal(random), normal(random), normal(random)}).value());
    return items;
  }

  static double cosine_distance(const Floats& a, const Floats& b) {
    double dot = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      dot += a[i] * b[i];
      aa += a[i] * a[i];
      bb += b[i] * b[i];
    }
    return 1 - dot / std::sqrt(aa * bb);
  }

  static std::vector<std::string> ids(const std::vector<VectorHit>& found) {
    std::vector<std::string> all;
    for (const VectorHit& hit : found) all.push_back(hit.item.at("userId").string());
    return all;
  }
};

TEST_F(EntityVectorsTest, finds_the_nearest_of_all_shards_in_order) {
  const EntityClient entities = grown();
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  const std::vector<Item> all = seen_users(120, seed);
  put_users(entities, all);
  // Another kind of entity with the same property is nobody's neighbour.
  ASSERT_THAT(entities.put("email", {{"email", "e"}, {"created", 950}, {"face", List{1, 0, 0}}}), succeeds());
  const Floats query{1, 0, 0};
  std::vector<std::pair<double, std::string>> wanted;
  for (const Item& item : all)
    wanted.emplace_back(cosine_distance(query, vector_of(item.at("face")).value()), item.at("userId").string());
  std::ranges::sort(wanted);
  const std::vector<VectorHit> found = entities.nearest("user", "face", query, {.top_k = 15}).value();
  ASSERT_THAT(found, SizeIs(15));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].item.at("userId").string(), wanted[i].second) << i;
    EXPECT_NEAR(found[i].score, wanted[i].first, 1e-6);
  }
  const std::vector<VectorHit> emails = entities.nearest("email", "face", query).value();
  ASSERT_THAT(emails, SizeIs(1));
  EXPECT_EQ(emails[0].item.at("email").string(), "e");
}

TEST_F(EntityVectorsTest, filters_windows_and_projections_narrow_the_search) {
  const EntityClient entities = grown();
  put_users(entities, seen_users(60, 7));
  const Floats query{0, 1, 0};
  const std::vector<VectorHit> named =
      entities.nearest("user", "face", query, {.top_k = 100, .where = key("lastName") == "Zuse"}).value();
  ASSERT_THAT(named, SizeIs(8));
  for (const VectorHit& hit : named) EXPECT_EQ(hit.item.at("lastName").string(), "Zuse");
  // Before 1,000 there is one shard, and users of other shards are not looked at.
  for (const VectorHit& hit :
       entities.nearest("user", "face", query, {.top_k = 100, .made = {.from = 0, .to = 999}}).value())
    EXPECT_LT(*hit.item.at("created").number().to_int64(), 1000);
  const VectorHit small = entities.nearest("user", "face", query, {.top_k = 1, .project = {"lastName"}}).value().at(0);
  EXPECT_EQ(small.item.size(), 1U);
  EXPECT_NE(small.item.find("lastName"), nullptr);
  EXPECT_EQ(ids(entities.nearest("user", "face", query, {.top_k = 5, .throttle = 1}).value()),
            ids(entities.nearest("user", "face", query, {.top_k = 5}).value()));
}

TEST_F(EntityVectorsTest, are_found_as_structs_and_without_waiting) {
  const EntityClient entities = grown();
  const EntitiesOf<Seen> users(entities, "user");
  ASSERT_THAT(users.put({.userId = "ada", .created = 1500, .lastName = "Lovelace", .face = {1, 0, 0}}), succeeds());
  ASSERT_THAT(users.put({.userId = "grace", .created = 2500, .lastName = "Hopper", .face = {0, 1, 0}}), succeeds());
  const auto found = users.nearest("face", std::array{0.0F, 1.0F, 0.1F}).value();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].record.userId, "grace");
  EXPECT_EQ(found[0].record.face, (std::array{0.0F, 1.0F, 0.0F}));
  std::promise<Result<std::vector<VectorHit>>> promise;
  entities.async_nearest("user", "face", Floats{1, 0, 0}, {.top_k = 1},
                         [&](Result<std::vector<VectorHit>> hits) { promise.set_value(std::move(hits)); });
  EXPECT_THAT(ids(promise.get_future().get().value()), ElementsAre("ada"));
}

TEST_F(EntityVectorsTest, a_sharded_property_is_the_hash_key_of_an_index) {
  const EntityClient entities = grown();
  for (const auto& [id, created, taste] : {std::tuple{"a", 900, 1}, {"b", 1500, 5}, {"c", 2500, 3}})
    ASSERT_THAT(
        entities.put("user", {{"userId", id}, {"created", created}, {"lastName", id}, {"taste", List{taste, 0}}}),
        succeeds());
  const std::vector<VectorHit> found =
      entities.nearest("user", "taste", Floats{1, 0}, {.item = {{"userId", "b"}}}).value();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].score, 5);
  EXPECT_EQ(found[0].item.at("lastName").string(), "b");
  EXPECT_EQ(found[0].item.find("created"), nullptr) << "the index projects the name alone";
  EXPECT_THAT(entities.nearest("user", "taste", Floats{1, 0}), fails_with(Code::kInvalidEntity)) << "whose?";
}

TEST_F(EntityVectorsTest, mistakes_are_told_as_they_are) {
  const EntityClient entities = grown();
  EXPECT_THAT(entities.nearest("user", "smell", Floats{1}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(entities.nearest("nobody", "face", Floats{1, 0, 0}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(entities.nearest("user", "face", Floats{1, 0, 0}, {.throttle = 0}), fails_with(Code::kInvalidArgument));
  const auto wrong = entities.nearest("user", "face", Floats{1, 0});
  ASSERT_THAT(wrong, fails_with(Code::kValidation));
  EXPECT_THAT(wrong.error().message(), HasSubstr("dimension 2 does not match vector index dimension 3"));
  EXPECT_THAT(entities.put("email", {{"email", "x"}, {"created", 900}, {"face", List{1, 2}}}),
              fails_with(Code::kValidation));
  // A put of an entity with several bumps is a transaction.
  EXPECT_THAT(entities.put("user", {{"userId", "x"}, {"created", 900}, {"face", List{1, 2}}}),
              fails_with(Code::kTransactionCanceled));
}

TEST_F(EntityVectorsTest, an_existing_table_gets_the_indexes_and_what_was_there_is_found) {
  put_users(client(), seen_users(40, 3));
  EntityGrowth last;
  const EntityClient entities = client(with_faces());
  ASSERT_THAT(entities.ensure_table(kWait, {.progress = [&](const EntityGrowth& growth) { last = growth; }}),
              succeeds());
  EXPECT_EQ(last.indexes, 2U);
  EXPECT_EQ(last.scanned, 0U) << "no keys have changed";
  EXPECT_THAT(entities.table_differences().value(), IsEmpty());
  EXPECT_THAT(entities.nearest("user", "face", Floats{1, 0, 0}, {.top_k = 100}).value(), SizeIs(40));
  EXPECT_THAT(entities.ensure_table(kWait), succeeds());
  EXPECT_THAT(client().ensure_table(kWait), fails_with(Code::kInvalidArgument)) << "nothing is taken away";
}

// ---- Configs ----

std::string mistakes(const std::string& lines) {
  const Result<EntityConfig> config = parse_entity_config(R"(hashKey: pk
rangeKey: sk
entities:
  note: {timestampProperty: created, uniqueProperty: id}
generatedProperties:
  sharded: {topicPK: [topic]}
indexes:
  created: {hashKey: pk, rangeKey: created}
propertyTranscodes: {created: timestamp, id: string, topic: string, open: boolean}
vectorIndexes:
)" + lines,
                                                          "notes.yml");
  std::string out;
  if (!config)
    for (const ErrorDetail& detail : config.error().details())
      out += detail.message.substr(detail.message.find(' ') + 1) + "\n";
  return out;
}

TEST(EntityVectorConfig, says_what_it_says) {
  const EntityConfig config = parse_entity_config(R"({"hashKey": "pk", "rangeKey": "sk",
      "entities": {"note": {"timestampProperty": "created", "uniqueProperty": "id"}},
      "propertyTranscodes": {"created": "timestamp", "id": "string", "year": "int"},
      "vectorIndexes": {"meaning": {"vectorProperty": "meaning", "dimensions": 384, "distance": "EUCLIDEAN",
                                    "filters": ["year"], "projections": []}}})",
                                                  "notes.json")
                                  .value();
  EXPECT_EQ(config.vector_indexes, (std::vector<EntityVectorIndex>{{.name = "meaning",
                                                                    .vector_property = "meaning",
                                                                    .dimensions = 384,
                                                                    .distance = VectorDistance::kEuclidean,
                                                                    .hash_key = "pk",
                                                                    .filters = {"year"},
                                                                    .projections = std::vector<std::string>{}}}));
  EXPECT_EQ(check_entity_config(config), config);
  EXPECT_EQ(EntityManager::make(config).value().table_definition("notes").vector_indexes,
            (std::vector<VectorIndexDefinition>{{.name = "meaning",
                                                 .attribute = "meaning",
                                                 .dimensions = 384,
                                                 .distance = VectorDistance::kEuclidean,
                                                 .search = {{"pk", KeyType::kString, SearchRole::kHash},
                                                            {"year", KeyType::kNumber, SearchRole::kInlineFilter}},
                                                 .projection = ProjectionType::kKeysOnly}}));
}

TEST(EntityVectorConfig, is_refused_with_its_mistakes) {
  EXPECT_EQ(mistakes("  meaning: {vectorProperty: meaning, dimensions: 3}\n"), "");
  EXPECT_THAT(mistakes("  meaning: {dimensions: 3}\n"), HasSubstr("vectorProperty is missing"));
  EXPECT_THAT(mistakes("  meaning: {vectorProperty: meaning}\n"), HasSubstr("dimensions is missing"));
  EXPECT_THAT(mistakes("  meaning: {vectorProperty: meaning, dimensions: 5000}\n"),
              HasSubstr("dimensions must be from 1 to 4096, not 5000"));
  EXPECT_THAT(mistakes("  meaning: {vectorProperty: meaning, dimensions: 3, distance: L2}\n"),
              HasSubstr("distance \"L2\" is not known; use one of COSINE, DOT_PRODUCT, EUCLIDEAN"));
  EXPECT_THAT(mistakes("  meaning: {vectorProperty: meaning, dimensions: 3, hashKey: topic}\n"),
              HasSubstr("must be pk or a sharded generated property (topicPK), not \"topic\""));
  EXPECT_EQ(mistakes("  meaning: {vectorProperty: meaning, dimensions: 3, hashKey: topicPK}\n"), "");
  EXPECT_THAT(mistakes("  meaning: {vectorProperty: id, dimensions: 3}\n"), HasSubstr("of which keys are made"));
  EXPECT_THAT(mistakes("  meaning: {vectorProperty: meaning, dimensions: 3, filters: [year]}\n"),
              HasSubstr("filter \"year\" of vector index \"meaning\" has no transcode"));
  EXPECT_THAT(mistakes("  meaning: {vectorProperty: meaning, dimensions: 3, filters: [open]}\n"),
              HasSubstr("which values of boolean are not"));
  EXPECT_THAT(mistakes("  created: {vectorProperty: meaning, dimensions: 3}\n"),
              HasSubstr("there is an index \"created\" already"));
  EXPECT_THAT(mistakes("  one: {vectorProperty: m, dimensions: 3}\n  two: {vectorProperty: m, dimensions: 4}\n"),
              HasSubstr("\"m\" has 4 dimensions here and 3 in index \"one\""));
  EXPECT_THAT(mistakes("  x: {vectorProperty: meaning, dimensions: 3, size: 4}\n"),
              testing::AllOf(HasSubstr("\"size\" is not allowed here"), HasSubstr("cannot be the name of an index")));
}

}  // namespace
}  // namespace dolmen
