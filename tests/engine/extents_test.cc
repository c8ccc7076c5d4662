#include "engine/extents.h"

#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

/// With a local index that carries everything and a global one that carries keys alone.
const TableDefinition kDefinition{
    .name = "things",
    .partition_key = {"p"},
    .sort_key = KeyAttribute{"s"},
    .local_indexes = {{.name = "by-rank",
                       .partition_keys = {{"p"}},
                       .sort_keys = {{"r", KeyType::kNumber}},
                       .projection = ProjectionType::kAll}},
    .global_indexes = {{.name = "by-who", .partition_keys = {{"who"}}, .projection = ProjectionType::kKeysOnly}}};

/// Each attribute of a thing has a name and a value of one byte each, but for those of the indexes.
Item thing(std::string sort, Item more = {}) {
  more.set("p", "x");
  more.set("s", std::move(sort));
  return more;
}

struct Extents {
  Extent table, by_rank, by_who;
  friend bool operator==(const Extents&, const Extents&) = default;
};

void PrintTo(const Extents& extents, std::ostream* out) {
  for (const Extent& extent : {extents.table, extents.by_rank, extents.by_who})
    *out << extent.item_count << " items of " << extent.size_bytes << " bytes; ";
}

Extents extents_in(const Result<TableDescription>& description) {
  return {description.value().extent, description.value().local_index_extents.at(0),
          description.value().global_index_states.at(0).extent};
}

Extents extents_of(Service& service) { return extents_in(describe_table(service, "things")); }

TEST(ExtentsOfATable, follow_every_kind_of_write) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, kDefinition), succeeds());
  EXPECT_EQ(extents_of(*service), Extents{});

  ASSERT_THAT(call(*service, put("things", thing("1"))), succeeds());
  EXPECT_EQ(extents_of(*service), (Extents{.table = {1, 4}}));
  ASSERT_THAT(call(*service, put("things", thing("1", {{"r", 7}, {"who", "me"}}))), succeeds());
  const Extents with_rank{.table = {1, 12}, .by_rank = {1, 12}, .by_who = {1, 9}};
  EXPECT_EQ(extents_of(*service), with_rank);
  ASSERT_THAT(call(*service, put("things", thing("1", {{"r", 7}, {"who", "me"}}))), succeeds());
  EXPECT_EQ(extents_of(*service), with_rank);
  EXPECT_THAT(call(*service, update("things", thing("1"), "SET #w = :w REMOVE r", {{":w", "you"}})),
              fails_with(Code::kValidation));
  EXPECT_EQ(extents_of(*service), with_rank);
  const auto updated = call(*service, update("things", thing("1"), "SET who = :w REMOVE r", {{":w", "you"}}));
  ASSERT_THAT(updated, succeeds());
  EXPECT_EQ(extents_of(*service), (Extents{.table = {1, 10}, .by_who = {1, 10}}));

  ASSERT_TRUE(call(*service, BatchWriteRequest{.writes = {put("things", thing("2")), put("things", thing("3"))}}));
  ASSERT_TRUE(call(
      *service,
      TransactWriteRequest{.writes = {{.kind = WriteKind::kDelete, .table = "things", .item = encode_item(thing("1"))},
                                      put("things", thing("4", {{"a", "b"}}))}}));
  EXPECT_EQ(extents_of(*service), (Extents{.table = {3, 14}}));
  EXPECT_EQ(extents_in(delete_table(*service, "things")), (Extents{.table = {3, 14}}));
  ASSERT_THAT(create_table(*service, kDefinition), succeeds());
  EXPECT_EQ(extents_of(*service), Extents{});
}

TEST(ExtentsOfATable, stay_exact_where_the_sizes_of_items_are_remembered) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"p"}, .sort_key = KeyAttribute{"s"}}),
              succeeds());
  const auto extent = [&] { return describe_table(*service, "things").value().extent; };
  const auto put_text = [&](std::size_t bytes) {
    EXPECT_THAT(call(*service, put("things", thing("1", {{"a", std::string(bytes, 'a')}}))), succeeds());
  };
  const auto remove = [&] {
    EXPECT_THAT(call(*service, {.kind = WriteKind::kDelete, .table = "things", .item = encode_item(thing("1"))}),
                succeeds());
  };
  for (const std::size_t bytes : {10, 3, 3, 900}) {
    put_text(bytes);
    EXPECT_EQ(extent(), (Extent{1, 5 + bytes}));
  }
  for (int i = 0; i < 2; ++i) {
    remove();
    EXPECT_EQ(extent(), Extent{});
  }
  put_text(1);
  // What is remembered must not outlive a write that needs, and reads, the whole item.
  EXPECT_THAT(call(*service, update("things", thing("1"), "SET a = :a", {{":a", "longer"}})), succeeds());
  put_text(2);
  EXPECT_EQ(extent(), (Extent{1, 7}));
  const TableUpdate watched{.table = "things", .stream = StreamUpdate{true, StreamView::kNewImage}};
  ASSERT_THAT(call<UpdateTable>(*service, watched), succeeds());
  put_text(50);
  ASSERT_THAT(call<UpdateTable>(*service, {.table = "things", .stream = StreamUpdate{false}}), succeeds());
  put_text(4);
  EXPECT_EQ(extent(), (Extent{1, 9}));
  remove();
  EXPECT_EQ(extent(), Extent{});
}

TEST(ExtentsOfATable, do_not_change_by_writes_that_fail_or_find_nothing) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, kDefinition), succeeds());
  ASSERT_THAT(call(*service, put("things", thing("1"))), succeeds());
  WriteRequest refused = put("things", thing("2"));
  refused.condition = Expression{"attribute_exists(p)"};
  EXPECT_FALSE(call(*service, WriteRequest(refused)).has_value());
  EXPECT_FALSE(call(*service, TransactWriteRequest{.writes = {put("things", thing("3")), refused}}).has_value());
  EXPECT_THAT(call(*service, {.kind = WriteKind::kDelete, .table = "things", .item = encode_item(thing("9"))}),
              succeeds());
  EXPECT_THAT(call(*service, update("things", thing("9"), "REMOVE a")), succeeds());
  EXPECT_EQ(extents_of(*service), (Extents{.table = {1, 4}}));
}

TEST(ExtentsOfATable, are_exact_when_many_write_at_once) {
  const TemporaryDirectory directory;
  const auto service = open_engine(directory.path());
  ASSERT_THAT(create_table(*service, kDefinition), succeeds());
  at_once(4, [&](int thread) {
    for (int i = 0; i < 50; ++i) {
      const Item item = thing(std::to_string(10 + i % 20), {{"who", std::string(1 + (i + thread) % 9, 'o')}});
      EXPECT_THAT(call(*service, put("things", item)), succeeds());
      if (i % 3 != thread % 3) continue;
      EXPECT_TRUE(call(
          *service,
          {.kind = WriteKind::kDelete, .table = "things", .item = encode_item(thing(std::to_string(10 + i % 20)))}));
    }
  });
  Extent expected;
  for (const Item& item : items_of(call(*service, ReadManyRequest{.table = "things"}))) {
    ++expected.item_count;
    expected.size_bytes += item_size(encode_item(item).bytes);
  }
  EXPECT_EQ(extents_of(*service), (Extents{.table = expected, .by_who = expected}));
}

TEST(ExtentsOfATable, are_counted_once_when_a_store_has_none) {
  const TemporaryDirectory directory;
  Extents before;
  {
    const auto service = open_engine(directory.path());
    ASSERT_THAT(create_table(*service, kDefinition), succeeds());
    for (int i = 0; i < 30; ++i)
      ASSERT_THAT(call(*service, put("things", thing(std::to_string(i), {{"who", "me"}}))), succeeds());
    before = extents_of(*service);
  }
  {
    const auto storage =
        storage::Storage::open({.directory = directory.path(), .keyspaces = keyspaces::names()}).value();
    storage::Batch batch;
    auto rows = storage->iterate(keyspaces::kCounters, {});
    for (rows.seek_first(); rows.valid(); rows.next()) batch.remove_counters(keyspaces::kCounters, rows.key());
    EXPECT_EQ(batch.count(), 3U);
    { const auto gone = std::move(rows); }
    ASSERT_THAT(storage->commit(std::move(batch)), succeeds());
  }
  EXPECT_EQ(extents_of(*open_engine(directory.path())), before);
  const auto service = open_engine(directory.path());
  ASSERT_THAT(call(*service, put("things", thing("more"))), succeeds());
  EXPECT_EQ(extents_of(*service).table.item_count, before.table.item_count + 1);
}

}  // namespace
}  // namespace dolmen::engine
