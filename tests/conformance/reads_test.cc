// Query, Scan, ranges, indexes.
#include <algorithm>
#include <set>

#include "base/test_result.h"
#include "conformance.h"

namespace dolmen::conformance {
namespace {

using Reads = StoreTest;

std::vector<int> numbers(int first, int last) {
  std::vector<int> all;
  for (int i = first; i <= last; ++i) all.push_back(i);
  return all;
}

TEST_F(Reads, return_a_partition_in_order) {
  put_range("a", 1, 9);
  put_range("b", 1, 3);
  EXPECT_EQ(sorts_of(store().query(table(), {.key = key("p") == "a"}).all().value()), numbers(1, 9));
  auto descending = numbers(1, 9);
  std::ranges::reverse(descending);
  EXPECT_EQ(sorts_of(store().query(table(), {.key = key("p") == "a", .descending = true}).all().value()), descending);
}

TEST_F(Reads, take_every_sort_key_condition) {
  put_range("a", 1, 9);
  const auto sorts = [&](const Condition& sort) {
    return sorts_of(store().query(table(), {.key = key("p") == "a" && sort}).all().value());
  };
  EXPECT_EQ(sorts(key("s") == 4), numbers(4, 4));
  EXPECT_EQ(sorts(key("s") < 4), numbers(1, 3));
  EXPECT_EQ(sorts(key("s") <= 4), numbers(1, 4));
  EXPECT_EQ(sorts(key("s") > 4), numbers(5, 9));
  EXPECT_EQ(sorts(key("s") >= 4), numbers(4, 9));
  EXPECT_EQ(sorts(key("s").between(3, 5)), numbers(3, 5));
  EXPECT_EQ(sorts_of(store()
                         .query(table(), {.key = key("p") == "a" && key("text").begins_with("t1"), .index = "by-text"})
                         .all()
                         .value()),
            numbers(1, 1));
}

TEST_F(Reads, follow_pages_as_they_are_asked_for) {
  put_range("a", 1, 20);
  ItemRange range = store().query(table(), {.key = key("p") == "a", .page_size = 3});
  std::vector<Item> items;
  for (const Result<Item>& item : range) {
    ASSERT_THAT(item, succeeds());
    items.push_back(*item);
  }
  EXPECT_EQ(sorts_of(items), numbers(1, 20));
}

TEST_F(Reads, stop_at_their_limit) {
  put_range("a", 1, 20);
  EXPECT_EQ(sorts_of(store().query(table(), {.key = key("p") == "a", .limit = 7}).all().value()), numbers(1, 7));
  EXPECT_EQ(sorts_of(store().query(table(), {.key = key("p") == "a", .limit = 7, .page_size = 3}).all().value()),
            numbers(1, 7));
  const QueryOptions filtered{.key = key("p") == "a", .filter = attr("text").in({"t4", "t15", "t16"}), .limit = 2};
  std::vector<int> expected{4, 15};
  EXPECT_EQ(sorts_of(store().query(table(), filtered).all().value()), expected);
}

TEST_F(Reads, give_pages_that_say_where_to_go_on) {
  put_range("a", 1, 5);
  const Page first = store().query_page(table(), {.key = key("p") == "a", .limit = 3}).value();
  EXPECT_EQ(sorts_of(first.items), numbers(1, 3));
  EXPECT_EQ(first.count, 3U);
  EXPECT_EQ(first.scanned_count, 3U);
  EXPECT_EQ(first.last_key, (Item{{"p", "a"}, {"s", 3}}));
  const Page second =
      store().query_page(table(), {.key = key("p") == "a", .limit = 3, .start_after = first.last_key}).value();
  EXPECT_EQ(sorts_of(second.items), numbers(4, 5));
  EXPECT_EQ(second.last_key, std::nullopt);
}

TEST_F(Reads, filter_after_the_limit_of_a_page) {
  put_range("a", 1, 9);
  const Page page =
      store().query_page(table(), {.key = key("p") == "a", .filter = attr("text") == "t2", .limit = 4}).value();
  EXPECT_EQ(sorts_of(page.items), numbers(2, 2));
  EXPECT_EQ(page.count, 1U);
  EXPECT_EQ(page.scanned_count, 4U);
}

TEST_F(Reads, count_without_items) {
  put_range("a", 1, 9);
  const QueryOptions of_partition{.key = key("p") == "a", .filter = attr("s") > 0};
  // A filter on a key attribute is refused.
  EXPECT_THAT(store().count(table(), of_partition), fails_with(Code::kValidation));
  const Counted counted =
      store()
          .count(table(), QueryOptions{.key = key("p") == "a", .filter = attr("text") > "t5", .page_size = 2})
          .value();
  EXPECT_EQ(counted.count, 4U);
  EXPECT_EQ(counted.scanned_count, 9U);
  EXPECT_EQ(store().count(table(), ScanOptions{}).value().count, 9U);
}

TEST_F(Reads, scan_everything_once_also_in_segments) {
  for (const char* partition : {"a", "b", "c", "d", "e"}) put_range(partition, 1, 5);
  EXPECT_EQ(store().scan(table()).all().value().size(), 25U);
  std::set<std::string> seen;
  for (std::uint32_t segment = 0; segment < 3; ++segment) {
    const ScanOptions options{.segment = ScanSegment{segment, 3}, .page_size = 4};
    for (const Result<Item>& item : store().scan(table(), options)) {
      ASSERT_THAT(item, succeeds());
      EXPECT_TRUE(seen.insert(item->at("p").string() + item->at("s").number().to_string()).second);
    }
  }
  EXPECT_EQ(seen.size(), 25U);
}

TEST_F(Reads, use_local_indexes) {
  put({{"p", "a"}, {"s", 1}, {"text", "z"}, {"other", 1}});
  put({{"p", "a"}, {"s", 2}, {"text", "y"}, {"other", 2}});
  put({{"p", "a"}, {"s", 3}});
  const auto items = store().query(table(), {.key = key("p") == "a", .index = "by-text"}).all().value();
  ASSERT_EQ(items.size(), 2U) << "the index is sparse";
  EXPECT_EQ(items[0], (Item{{"p", "a"}, {"s", 2}, {"text", "y"}})) << "keys only";
  EXPECT_EQ(items[1], (Item{{"p", "a"}, {"s", 1}, {"text", "z"}}));
}

TEST_F(Reads, use_global_indexes_that_follow_every_change) {
  put({{"p", "a"}, {"s", 1}, {"group", "g"}, {"rank", 2}, {"kind", "k"}, {"extra", 1}, {"other", 1}});
  put({{"p", "b"}, {"s", 1}, {"group", "g"}, {"rank", 1}});
  const auto ranks = [&] {
    std::vector<std::string> partitions;
    for (const Result<Item>& item : store().query(table(), {.key = key("group") == "g", .index = "by-group"}))
      partitions.push_back(item.value().at("p").string());
    return partitions;
  };
  EXPECT_EQ(ranks(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(store().query(table(), {.key = key("kind") == "k", .index = "by-kind"}).all().value(),
            (std::vector{Item{{"p", "a"}, {"s", 1}, {"kind", "k"}, {"extra", 1}}}));
  ASSERT_THAT(store().update_item(table(), {{"p", "b"}, {"s", 1}}, Update{}.set(attr("rank"), 3)), succeeds());
  EXPECT_EQ(ranks(), (std::vector<std::string>{"a", "b"}));
  ASSERT_THAT(store().update_item(table(), {{"p", "a"}, {"s", 1}}, Update{}.remove(attr("group"))), succeeds());
  EXPECT_EQ(ranks(), std::vector<std::string>{"b"});
  ASSERT_THAT(store().delete_item(table(), {{"p", "b"}, {"s", 1}}), succeeds());
  EXPECT_EQ(ranks(), std::vector<std::string>{});
}

TEST_F(Reads, that_are_wrong_end_the_range_with_their_error) {
  int elements = 0;
  for (const Result<Item>& item : store().query(table(), {.key = key("nothing") == "a"})) {
    ++elements;
    EXPECT_THAT(item, fails_with(Code::kValidation));
  }
  EXPECT_EQ(elements, 1);
  EXPECT_THAT(store().query(table(), {}).all(), fails_with(Code::kValidation));
  EXPECT_THAT(store().query("no-such-table", {.key = key("p") == "a"}).all(), fails_with(Code::kTableNotFound));
  const QueryOptions consistent{.key = key("group") == "g", .index = "by-group", .consistent_read = true};
  EXPECT_THAT(store().query(table(), consistent).all(), fails_with(Code::kValidation));
  EXPECT_THAT(store().query(table(), {.key = key("p") == "a", .index = "no-such-index"}).all(),
              fails_with(Code::kValidation));
  EXPECT_THAT(store().scan(table(), {.segment = ScanSegment{3, 3}}).all(), fails_with(Code::kValidation));
}

}  // namespace
}  // namespace dolmen::conformance
