// Vector searches by the remote store, against a real Dolmen server.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/dolmen.h"
#include "server/server.h"

namespace dolmen {
namespace {

using testing::ElementsAre;
using namespace literals;

const TableDefinition kShops{.name = "shops",
                             .partition_key = {"id"},
                             .vector_indexes = {{.name = "nearby",
                                                 .attribute = "place",
                                                 .dimensions = 2,
                                                 .distance = VectorDistance::kEuclidean,
                                                 .search = {{"town", KeyType::kString, SearchRole::kHash},
                                                            {"floor", KeyType::kNumber, SearchRole::kInlineFilter}},
                                                 .projection = ProjectionType::kInclude,
                                                 .included_attributes = {"name"}},
                                                {.name = "ahead", .attribute = "place", .dimensions = 2}}};

class RemoteVectors : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(store_->create_table(kShops), succeeds());
    for (int i = 0; i < 6; ++i)
      ASSERT_THAT(store_->put_item("shops", {{"id", fmt::format("s{}", i)},
                                             {"town", i < 4 ? "here" : "there"},
                                             {"floor", i % 2},
                                             {"name", fmt::format("Shop \"{}\"", i)},
                                             {"place", List{i, 0.1_n}}}),
                  succeeds());
  }
  static std::vector<std::string> ids(const VectorHits& found) {
    std::vector<std::string> all;
    for (const auto& [item, score] : found) all.push_back(item.at("id").string());
    return all;
  }

  std::unique_ptr<Server> server_ =
      Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  std::unique_ptr<Store> store_ = open(fmt::format("http://127.0.0.1:{}", server_->port())).value();
  const std::vector<float> origin_{0, 0.1F};
};

TEST_F(RemoteVectors, are_described_as_they_were_made) {
  const TableDescription table = store_->describe_table("shops").value();
  EXPECT_EQ(table.definition, kShops);
  ASSERT_EQ(table.vector_index_states.size(), 2U);
  EXPECT_EQ(table.vector_index_states[0].status, TableStatus::kActive);
  EXPECT_EQ(table.vector_index_states[0].backfilling, std::nullopt);
}

TEST_F(RemoteVectors, are_found_best_first) {
  const VectorHits found = store_->search_vectors("shops", "nearby", origin_, {.where = key("town") == "here"}).value();
  EXPECT_THAT(ids(found), ElementsAre("s0", "s1", "s2", "s3"));
  EXPECT_EQ(found[2].score, 2);
  EXPECT_EQ(found[0].item, (Item{{"id", "s0"}, {"town", "here"}, {"floor", 0}, {"name", "Shop \"0\""}}));
  EXPECT_EQ(found.search_bytes, std::nullopt);
  const VectorHits fewer = store_
                               ->search_vectors("shops", "nearby", origin_,
                                                {.top_k = 1,
                                                 .where = key("town") == "here" && key("floor") == 1,
                                                 .projection = {attr("id"), attr("place")},
                                                 .return_capacity = ReturnCapacity::kTotal})
                               .value();
  ASSERT_THAT(ids(fewer), ElementsAre("s1"));
  EXPECT_EQ(vector_of(fewer[0].item.at("place")).value(), (std::vector<float>{1, 0.1F}));
  EXPECT_GT(fewer.search_bytes.value_or(0), 0);
}

TEST_F(RemoteVectors, are_found_after_a_change_and_explained) {
  ASSERT_THAT(store_->delete_item("shops", {{"id", "s0"}}), succeeds());
  ASSERT_THAT(store_->update_item("shops", {{"id", "s4"}}, Update{}.set(attr("town"), "here")), succeeds());
  const VectorSearchOptions options{.where = key("town") == "here"};
  EXPECT_THAT(ids(store_->search_vectors("shops", "nearby", origin_, options).value()),
              ElementsAre("s1", "s2", "s3", "s4"));
  const Explanation explained = explain_search_vectors(*store_, "shops", "nearby", origin_, options).value();
  ASSERT_EQ(explained.parts.size(), 1U);
  EXPECT_EQ(explained.parts[0].vectors_compared, 4U);
}

TEST_F(RemoteVectors, that_cannot_be_found_are_refused_as_in_a_store_of_ones_own) {
  const std::unique_ptr<Store> own = open_embedded({.durability = Durability::kMemory}).value();
  ASSERT_THAT(own->create_table(kShops), succeeds());
  const VectorSearchOptions here{.where = key("town") == "here"};
  const auto expect_same = [&](const std::string& index, const std::vector<float>& vector,
                               const VectorSearchOptions& options) {
    const auto refused = store_->search_vectors("shops", index, vector, options);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(own->search_vectors("shops", index, vector, options),
                fails_with(refused.error().code(), std::string(refused.error().message())));
  };
  expect_same("nothing", origin_, here);
  expect_same("nearby", origin_, {});
  expect_same("nearby", {1, 2, 3}, here);
  expect_same("nearby", {}, here);
  expect_same("nearby", origin_, {.top_k = 101, .where = key("town") == "here"});
  expect_same("nearby", origin_, {.where = key("town") > "here"});
}

}  // namespace
}  // namespace dolmen
