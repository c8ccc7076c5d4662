#include "engine/read_many.h"

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

}  // namespace
}  // namespace dolmen::engine
