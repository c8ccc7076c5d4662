#include "engine/read_many.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

/// 300 items of 10,000 bytes in one partition, with a local index that carries only keys.
class LargeItems : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(create_table(*service_, {.name = "large",
                                         .partition_key = {"p"},
                                         .sort_key = KeyAttribute{"s", KeyType::kNumber},
                                         .local_indexes = {{.name = "by-rank",
                                                            .partition_keys = {{"p"}},
                                                            .sort_keys = {{"rank", KeyType::kNumber}},
                                                            .projection = ProjectionType::kKeysOnly}}}),
                succeeds());
    const std::string text(9'980, 'x');
    for (int i = 0; i < 300; ++i)
      ASSERT_THAT(call(*service_, put("large", {{"p", "a"}, {"s", 1000 + i}, {"rank", 2000 - i}, {"t", text}})),
                  succeeds());
  }

  /// How many items each page has.
  std::vector<std::size_t> pages(ReadManyRequest request) {
    std::vector<std::size_t> counts;
    do {
      ReadManyResponse page = call(*service_, request).value();
      counts.push_back(page.items.size());
      request.start_key = page.last_key;
    } while (request.start_key);
    return counts;
  }

  std::unique_ptr<Service> service_ = open_engine();
};

TEST_F(LargeItems, are_found_by_their_whole_key_as_a_page_of_one) {
  ReadManyRequest query{.table = "large", .key_condition = Expression{"p = :p AND s = :s"}};
  query.placeholders.values = {{":p", "a"}, {":s", 1007}};
  ReadManyResponse page = call(*service_, query).value();
  ASSERT_EQ(page.items.size(), 1);
  EXPECT_EQ(decode_item(page.items[0].bytes).value().at("rank"), AttributeValue(1993));
  EXPECT_EQ(page.scanned_count, 1);
  EXPECT_FALSE(page.last_key);

  query.limit = 1;  // Whether there is more, DynamoDB does not look.
  page = call(*service_, query).value();
  EXPECT_EQ(page.items.size(), 1);
  ASSERT_TRUE(page.last_key);
  EXPECT_EQ(decode_item(page.last_key->bytes).value(), (Item{{"p", "a"}, {"s", 1007}}));

  query.limit.reset();
  query.forward = false;
  query.filter = Expression{"attribute_not_exists(t)"};
  page = call(*service_, query).value();
  EXPECT_TRUE(page.items.empty());
  EXPECT_EQ(page.count, 0);
  EXPECT_EQ(page.scanned_count, 1);

  query.placeholders.values.set(":s", 999);
  EXPECT_EQ(call(*service_, query).value().scanned_count, 0);
}

TEST_F(LargeItems, that_a_local_index_fetches_fill_pages_as_those_of_the_table_do) {
  const ReadManyRequest scan{.table = "large"};
  const std::vector<std::size_t> of_table = pages(scan);
  EXPECT_EQ(of_table, (std::vector<std::size_t>{105, 105, 90}));
  ReadManyRequest by_rank = scan;
  by_rank.index = "by-rank";
  EXPECT_EQ(pages(by_rank), std::vector<std::size_t>{300});
  ReadManyRequest projected = by_rank;
  projected.projection = Expression{"s, t"};
  EXPECT_EQ(pages(projected), of_table);
  by_rank.select = Select::kAllAttributes;
  EXPECT_EQ(pages(by_rank), of_table);
  by_rank.forward = false;
  by_rank.key_condition = Expression{"p = :p"};
  by_rank.placeholders.values = {{":p", "a"}};
  EXPECT_EQ(pages(by_rank), of_table);
}

/// A query that continues after a start key.
ReadManyRequest continued(std::string table, std::string condition, Item values, const Item& start) {
  return {.table = std::move(table),
          .key_condition = Expression{std::move(condition)},
          .placeholders = {.values = std::move(values)},
          .start_key = encode_item(start)};
}

TEST(StartKey, of_another_partition_is_refused) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "hash", .partition_key = {"p"}}), succeeds());
  ASSERT_THAT(create_table(*service, {.name = "range", .partition_key = {"p"}, .sort_key = KeyAttribute{"s"}}),
              succeeds());
  const auto outside = fails_with(Code::kValidation,
                                  "The provided starting key is outside query boundaries based on provided conditions");
  EXPECT_THAT(call(*service, continued("hash", "p = :a", {{":a", "a"}}, {{"p", "b"}})), outside);
  EXPECT_THAT(call(*service, continued("range", "p = :a", {{":a", "a"}}, {{"p", "b"}, {"s", "1"}})), outside);
  EXPECT_THAT(call(*service, continued("hash", "p = :a", {{":a", "a"}}, {{"p", "a"}})), succeeds());
}

TEST(StartKey, is_compared_with_the_sort_condition_before_the_partition) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "range", .partition_key = {"p"}, .sort_key = KeyAttribute{"s"}}),
              succeeds());
  const auto with = [&](std::string condition, const Item& start) {
    return call(*service, continued("range", "p = :a AND " + std::move(condition), {{":a", "a"}, {":m", "m"}}, start));
  };
  const auto not_matching =
      fails_with(Code::kValidation, "The provided starting key does not match the range key predicate");
  const auto other_partition =
      fails_with(Code::kValidation, "The query can return at most one row and cannot be restarted");
  EXPECT_THAT(with("s < :m", {{"p", "a"}, {"s", "b"}}), succeeds());
  EXPECT_THAT(with("s < :m", {{"p", "a"}, {"s", "m"}}), not_matching);
  EXPECT_THAT(with("s < :m", {{"p", "b"}, {"s", "m"}}), not_matching);
  EXPECT_THAT(with("s < :m", {{"p", "b"}, {"s", "b"}}), other_partition);
  EXPECT_THAT(with("s = :m", {{"p", "b"}, {"s", "m"}}), other_partition);
  EXPECT_THAT(with("s = :m", {{"p", "b"}, {"s", "n"}}), not_matching);
}

/// A table with keys p and s, and an index by h1 and h2, sorted by r, p and s.
class ManyKeys : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(create_table(*service_, {.name = "many",
                                         .partition_key = {"p"},
                                         .sort_key = KeyAttribute{"s"},
                                         .global_indexes = {{.name = "by-many",
                                                             .partition_keys = {{"h1"}, {"h2"}},
                                                             .sort_keys = {{"r"}, {"p"}, {"s"}},
                                                             .projection = ProjectionType::kAll}}}),
                succeeds());
    for (const char* p : {"a", "b"})
      for (const char* s : {"1", "2"})
        ASSERT_THAT(call(*service_, put("many", {{"p", p}, {"s", s}, {"h1", "x"}, {"h2", "y"}, {"r", "z"}})),
                    succeeds());
  }

  Result<ReadManyResponse> query(std::string condition, Item values) {
    return call(*service_, ReadManyRequest{.table = "many",
                                           .index = "by-many",
                                           .key_condition = Expression{std::move(condition)},
                                           .placeholders = {.values = std::move(values)},
                                           .limit = limit_,
                                           .start_key = start_});
  }

  std::unique_ptr<Service> service_ = open_engine();
  std::optional<std::uint32_t> limit_;
  std::optional<EncodedItem> start_;
};

TEST_F(ManyKeys, of_the_table_among_those_of_an_index_narrow_and_sort) {
  const Item values{{":x", "x"}, {":y", "y"}, {":z", "z"}, {":a", "a"}};
  const auto found = items_of(query("h1 = :x AND h2 = :y AND r = :z AND p > :a", values));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].at("s").string(), "1");
  EXPECT_EQ(found[1].at("s").string(), "2");
  EXPECT_EQ(items_of(query("h1 = :x AND h2 = :y AND r = :z AND p = :a AND s = :one",
                           {{":x", "x"}, {":y", "y"}, {":z", "z"}, {":a", "a"}, {":one", "1"}}))
                .size(),
            1U);
}

TEST_F(ManyKeys, of_the_table_among_those_of_an_index_continue_a_query) {
  limit_ = 3;
  const Item values{{":x", "x"}, {":y", "y"}};
  const auto first = query("h1 = :x AND h2 = :y", values);
  ASSERT_THAT(first, succeeds());
  EXPECT_EQ(decode_item(first->last_key.value().bytes).value(),
            (Item{{"p", "b"}, {"s", "1"}, {"h1", "x"}, {"h2", "y"}, {"r", "z"}}));
  start_ = first->last_key;
  const auto rest = items_of(query("h1 = :x AND h2 = :y", values));
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].at("s").string(), "2");
}

TEST_F(ManyKeys, need_an_equality_on_every_partition_attribute) {
  const auto lacking = [](const char* names) {
    return fails_with(
        Code::kValidation,
        fmt::format("HASH key attributes {} must have equality conditions specified in the query", names));
  };
  EXPECT_THAT(query("h1 = :x", {{":x", "x"}}), lacking("h2"));
  EXPECT_THAT(query("r = :x AND p = :x", {{":x", "x"}}), lacking("h1, h2"));
  EXPECT_THAT(query("h1 = :x AND h2 > :x", {{":x", "x"}}), lacking("h2"));
  EXPECT_THAT(query("h1 = :x AND begins_with(h2, :x) AND r = :x", {{":x", "x"}}), lacking("h2"));
}

}  // namespace
}  // namespace dolmen::engine
