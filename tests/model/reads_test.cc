#include <gtest/gtest.h>
#include <set>

#include "parcels.h"

namespace dolmen {
namespace {

void fill(Parcels& parcels, int count) {
  std::vector<LogicalItem> items;
  for (int i = 0; i < count; ++i)
    items.push_back({{"pk", "P"}, {"sk", i}, {"status", i % 2 == 0 ? "even" : "odd"}, {"weight", 100 - i}});
  EXPECT_TRUE(parcels.table.write_many(items).value().complete());
}

std::vector<LogicalValue> sort_keys(const std::vector<LogicalItem>& items) {
  std::vector<LogicalValue> keys;
  for (const LogicalItem& item : items) keys.push_back(item.at("sk"));
  return keys;
}

using KeyValues = std::vector<LogicalValue>;

TEST(ModelQuery, section_4_takes_every_comparison_that_keys_have) {
  Parcels parcels;
  fill(parcels, 6);
  const auto keys = [&](FieldCondition condition) {
    return sort_keys(parcels.table.query().partition("P").sort_key(std::move(condition)).all().value());
  };
  EXPECT_EQ(keys(field("sk") == 3), KeyValues{3});
  EXPECT_EQ(keys(field("sk") < 2), (KeyValues{0, 1}));
  EXPECT_EQ(keys(field("sk") <= 1), (KeyValues{0, 1}));
  EXPECT_EQ(keys(field("sk") > 4), KeyValues{5});
  EXPECT_EQ(keys(field("sk") >= 4), (KeyValues{4, 5}));
  EXPECT_EQ(keys(field("sk").between(1, 3)), (KeyValues{1, 2, 3}));
  for (const FieldCondition& wrong : {field("sk") != 1, field("sk").in({1}), field("weight") == 1,
                                      field("sk") > 1 && field("sk") < 3, field("sk").exists()})
    EXPECT_EQ(error_name(parcels.table.query().partition("P").sort_key(wrong).all()), "ErrInvalidOperator");
}

TEST(ModelQuery, section_4_pages_of_any_size_are_the_same_items) {
  Parcels parcels;
  fill(parcels, 7);
  for (std::uint32_t size = 1; size <= 8; ++size) {
    std::vector<LogicalItem> items;
    ModelQuery query = parcels.table.query().index("by-status").partition("even").descending().limit(size);
    while (true) {
      const ModelPage page = query.page().value();
      items.insert(items.end(), page.items.begin(), page.items.end());
      if (page.cursor.empty()) break;
      query.cursor(page.cursor);
    }
    EXPECT_EQ(sort_keys(items), (KeyValues{0, 2, 4, 6})) << size;
  }
}

TEST(ModelQuery, section_4_reads_on_as_a_range_and_stops_at_its_limit) {
  Parcels parcels;
  fill(parcels, 7);
  ModelRange range = parcels.table.query().partition("P").page_size(2).limit(5).range().value();
  KeyValues keys;
  for (const Result<LogicalItem>& item : range) keys.push_back(item->at("sk"));
  EXPECT_EQ(keys, (KeyValues{0, 1, 2, 3, 4}));
}

TEST(ModelQuery, section_4_a_range_goes_on_after_an_item_that_does_not_fit) {
  Parcels parcels;
  fill(parcels, 3);
  parcels.store->put_item("parcels", {{"pk", "P"}, {"sk", 1}, {"note", 5}}).value();
  ModelRange range = parcels.table.query().partition("P").range().value();
  std::vector<std::string> outcomes;
  for (const Result<LogicalItem>& item : range) outcomes.push_back(error_name(item));
  EXPECT_EQ(outcomes, (std::vector<std::string>{"ok", "ErrInvalidModel", "ok"}));
}

TEST(ModelQuery, section_4_counts_all_pages_and_finds_the_first) {
  Parcels parcels;
  fill(parcels, 7);
  EXPECT_EQ(parcels.table.query().partition("P").filter(field("status") == "odd").limit(1).count().value(), 3U);
  EXPECT_EQ(parcels.table.query().partition("P").descending().first()->at("sk"), LogicalValue(6));
  EXPECT_EQ(error_name(parcels.table.query().partition("Q").first()), "ErrItemNotFound");
}

TEST(ModelQuery, section_4_groups_of_filters_stay_groups) {
  Parcels parcels;
  fill(parcels, 6);
  const auto keys = [&](FieldCondition filter) {
    return sort_keys(parcels.table.query().partition("P").filter(std::move(filter)).all().value());
  };
  EXPECT_EQ(keys(field("status") == "odd" && (field("weight") == 99 || field("weight") == 98)), KeyValues{1});
  EXPECT_EQ(keys((field("status") == "odd" && field("weight") == 99) || field("weight") == 98), (KeyValues{1, 2}));
  EXPECT_EQ(keys(!(field("status") == "odd") && field("weight") < 98), KeyValues{4});
  EXPECT_EQ(keys(field("status").in({"odd"}) && field("status").begins_with("od") && field("weight").between(95, 97)),
            (KeyValues{3, 5}));
  EXPECT_EQ(keys(field("note").exists()), KeyValues{});
  EXPECT_EQ(keys(field("note").not_exists()).size(), 6U);
}

TEST(ModelQuery, section_4_takes_any_text_for_a_value) {
  Parcels parcels;
  parcels.table.put({{"pk", "P"}, {"sk", 0}, {"note", "' or 1=1 -- <script>"}}).value();
  const auto found = parcels.table.query().partition("P").filter(field("note") == "' or 1=1 -- <script>").all();
  EXPECT_EQ(found->size(), 1U);
}

TEST(ModelQuery, section_4_refuses_what_dynamodb_would_refuse_or_what_makes_no_sense) {
  Parcels parcels;
  const auto error = [](const ModelQuery& query) { return error_name(query.page()); };
  const std::string wrong = "ErrInvalidOperator";
  EXPECT_EQ(error(parcels.table.query()), wrong);
  EXPECT_EQ(error(parcels.table.query().partition(nullptr)), wrong);
  EXPECT_EQ(error(parcels.table.query().partition("P").index("none")), wrong);
  EXPECT_EQ(error(parcels.table.query().partition("P").index("by-status").consistent_read()), wrong);
  EXPECT_EQ(error(parcels.table.query().partition("P").index("by-weight").consistent_read()), "ok");
  EXPECT_EQ(error(parcels.table.query().partition("P").filter(field("sk") > 1)), wrong);
  EXPECT_EQ(error(parcels.table.query().partition("P").filter(field("none") == 1)), wrong);
  EXPECT_EQ(error(parcels.table.query().partition("P").filter(field("note").in({}))), wrong);
  EXPECT_EQ(error(parcels.table.query().partition("P").filter(field("note").in(KeyValues(101, "x")))), wrong);
  EXPECT_EQ(error(parcels.table.query().partition("P").cursor("not a cursor")), wrong);
  EXPECT_EQ(error(parcels.table.query().partition(5)), "ErrInvalidModel");
}

TEST(ModelQuery, section_4_1_a_cursor_belongs_to_its_index_and_direction) {
  Parcels parcels;
  fill(parcels, 3);
  const std::string cursor = parcels.table.query().partition("P").limit(1).page()->cursor;
  EXPECT_EQ(decode_cursor(cursor).value(),
            (Cursor{.last_key = {{"pk", "P"}, {"sk", 0}}, .index = "", .order = SortOrder::kAscending}));
  EXPECT_EQ(error_name(parcels.table.query().partition("P").cursor(cursor).page()), "ok");
  EXPECT_EQ(error_name(parcels.table.query().partition("P").descending().cursor(cursor).page()), "ErrInvalidOperator");
  EXPECT_EQ(error_name(parcels.table.query().partition("P").descending().cursor(cursor).all()), "ErrInvalidOperator");
  EXPECT_EQ(error_name(parcels.table.query().partition("P").descending().cursor(cursor).count()), "ErrInvalidOperator");
  const std::string backwards = parcels.table.query().partition("P").descending().limit(1).page()->cursor;
  EXPECT_EQ(error_name(parcels.table.query().partition("P").cursor(backwards).page()), "ErrInvalidOperator");
  EXPECT_EQ(error_name(parcels.table.query().index("by-weight").partition("P").cursor(cursor).page()),
            "ErrInvalidOperator");
  EXPECT_EQ(error_name(parcels.table.scan().cursor(cursor).page()), "ErrInvalidOperator");
}

TEST(ModelScan, section_4_segments_together_are_the_whole_table) {
  Parcels parcels;
  std::vector<LogicalItem> items;
  for (int i = 0; i < 60; ++i) items.push_back({{"pk", "P" + std::to_string(i)}, {"sk", i}});
  parcels.table.write_many(items).value();
  std::set<std::string> seen;
  for (std::uint32_t segment = 0; segment < 4; ++segment) {
    const std::vector<LogicalItem> part = parcels.table.scan().segment(segment, 4).page_size(7).all().value();
    for (const LogicalItem& item : part) EXPECT_TRUE(seen.insert(*item.at("pk").get_if<std::string>()).second);
  }
  EXPECT_EQ(seen.size(), 60U);
  EXPECT_EQ(parcels.table.scan().all_segments(5)->size(), 60U);
  EXPECT_EQ(parcels.table.scan().count().value(), 60U);
  EXPECT_EQ(error_name(parcels.table.scan().segment(4, 4).page()), "ErrInvalidOperator");
  EXPECT_EQ(error_name(parcels.table.scan().all_segments(0)), "ErrInvalidOperator");
  EXPECT_EQ(error_name(parcels.table.scan().limit(1).all_segments(2)), "ErrInvalidOperator");
}

TEST(ModelBatch, section_3_6_of_any_size_is_written_and_read) {
  Parcels parcels;
  fill(parcels, 130);
  std::vector<LogicalItem> keys;
  for (int i = 100; i < 140; ++i) keys.push_back({{"pk", "P"}, {"sk", i}});
  EXPECT_EQ(parcels.table.get_many(keys)->items.size(), 30U);
  EXPECT_EQ(parcels.table.get_many({})->items.size(), 0U);
  keys.resize(30);
  EXPECT_EQ(parcels.table.write_many({}, keys)->done, 30U);
  EXPECT_EQ(parcels.table.query().partition("P").count().value(), 100U);
}

TEST(ModelBatch, section_3_6_sends_nothing_when_an_item_does_not_fit) {
  Parcels parcels;
  EXPECT_EQ(error_name(parcels.table.write_many({{{"pk", "P"}, {"sk", 1}}, {{"pk", "P"}, {"sk", "x"}}})),
            "ErrInvalidModel");
  EXPECT_EQ(parcels.table.scan().count().value(), 0U);
}

}  // namespace
}  // namespace dolmen
