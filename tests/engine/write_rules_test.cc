// What single rules of writes ask for, each by a write that would tell if it were not kept.
#include <future>
#include <gtest/gtest.h>
#include <latch>

#include "base/limits.h"
#include "base/test_result.h"
#include "engine/capacity.h"
#include "service/request_rules.h"
#include "service/write_gate.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

const Item kRuledKey{{"id", "x"}};

std::unique_ptr<Service> open_with_ruled_table() {
  auto service = open_engine();
  EXPECT_THAT(
      create_table(
          *service,
          {.name = "things",
           .partition_key = {"id"},
           .global_indexes = {{.name = "by-who", .partition_keys = {{"who"}}, .projection = ProjectionType::kAll}}}),
      succeeds());
  return service;
}

/// Does as a test says with every item that is written.
class TestGate final : public WriteGate {
 public:
  explicit TestGate(std::function<Result<void>(const GatedWriteView&)> check) : check_(std::move(check)) {}
  [[nodiscard]] bool needs_old_item() const override { return false; }
  [[nodiscard]] Result<void> check(const GatedWriteView& write) const override { return check_(write); }
  [[nodiscard]] GateFindings findings() const override { return {}; }

 private:
  std::function<Result<void>(const GatedWriteView&)> check_;
};

void put_up_gate(Service& service, std::function<Result<void>(const GatedWriteView&)> check) {
  GateChange change{.table = "things",
                    .table_id = describe_table(service, "things").value().id,
                    .gate = std::make_shared<TestGate>(std::move(check))};
  auto& gates = dynamic_cast<WriteGates&>(service);
  ASSERT_THAT(wait_for<void>([&](auto done) { gates.change_gate(std::move(change), std::move(done)); }), succeeds());
}

TEST(WriteGate, is_asked_when_an_update_makes_the_item) {
  const auto service = open_with_ruled_table();
  std::vector<Item> seen;
  put_up_gate(*service, [&](const GatedWriteView& write) -> Result<void> {
    seen.push_back(decode_item(write.new_item).value());
    EXPECT_TRUE(write.new_tree == nullptr || *write.new_tree == seen.back());
    EXPECT_EQ(write.old_item.empty(), seen.size() == 1);
    return std::unexpected(Error(Code::kValidation, "no"));
  });
  const auto refused = call(*service, update("things", kRuledKey, "SET a = :a", {{":a", 1}}));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message(), "no");
  EXPECT_EQ(seen, (std::vector<Item>{{{"id", "x"}, {"a", 1}}}));
  EXPECT_FALSE(
      call(*service, GetItemRequest{.table = "things", .key = encode_item(kRuledKey)}).value().item.has_value());
}

TEST(WriteGate, sees_the_tree_that_an_update_has_made) {
  const auto service = open_with_ruled_table();
  ASSERT_THAT(call(*service, put("things", {{"id", "x"}, {"a", 1}})), succeeds());
  int trees = 0;
  put_up_gate(*service, [&](const GatedWriteView& write) -> Result<void> {
    if (write.new_tree != nullptr && encode_item(*write.new_tree).bytes == write.new_item) ++trees;
    return {};
  });
  ASSERT_THAT(call(*service, update("things", kRuledKey, "SET a = a + :a", {{":a", 1}})), succeeds());
  EXPECT_EQ(trees, 1);
}

TEST(TransactWrite, with_the_token_of_one_that_differs_in_its_condition_is_refused) {
  const auto service = open_with_ruled_table();
  const auto request = [](std::string condition) {
    WriteRequest write = put("things", kRuledKey);
    write.condition = Expression{std::move(condition)};
    return TransactWriteRequest{.writes = {std::move(write)}, .client_token = "token"};
  };
  ASSERT_THAT(call(*service, request("attribute_not_exists(id)")), succeeds());
  EXPECT_THAT(call(*service, request("attribute_not_exists(id)")), succeeds());
  EXPECT_THAT(call(*service, request("attribute_exists(id)")), fails_with(Code::kIdempotencyMismatch));
}

TEST(TransactWrite, happens_once_when_it_is_repeated_and_then_costs_what_reading_costs) {
  const auto service = open_with_ruled_table();
  const auto request = [] {
    WriteRequest write = update("things", kRuledKey, "ADD n :one", {{":one", 1}});
    write.return_capacity = ReturnCapacity::kTotal;
    return TransactWriteRequest{.writes = {std::move(write)}, .client_token = "token"};
  };
  EXPECT_EQ(call(*service, request()).value().capacity.at(0).write, 2.0);
  const auto again = call(*service, request()).value();
  EXPECT_EQ(again.capacity.at(0).read, 2.0);
  EXPECT_EQ(again.capacity.at(0).write, std::nullopt);
  EXPECT_EQ(number_in(item_at(*service, "things", kRuledKey), "n"), 1);
}

TEST(TransactWrite, costs_twice_as_much_in_the_table_and_not_in_its_indexes) {
  const auto service = open_with_ruled_table();
  WriteRequest write = put("things", {{"id", "x"}, {"who", "me"}, {"text", std::string(2000, 't')}});
  write.return_capacity = ReturnCapacity::kIndexes;
  const ConsumedCapacity capacity =
      call(*service, TransactWriteRequest{.writes = {std::move(write)}}).value().capacity.at(0);
  EXPECT_EQ(capacity.of_table, 4.0);
  EXPECT_EQ(capacity.of_global_indexes.at("by-who"), 2.0);
  EXPECT_EQ(capacity.total, 6.0);
  EXPECT_EQ(capacity.write, 6.0);
}

TEST(TransactWrite, that_is_repeated_costs_what_reading_the_item_that_it_deleted_costs) {
  const auto service = open_with_ruled_table();
  ASSERT_THAT(call(*service, put("things", {{"id", "x"}, {"text", std::string(9000, 't')}})), succeeds());
  const auto request = [](ReturnCapacity capacity) {
    WriteRequest write{.kind = WriteKind::kDelete, .table = "things", .item = encode_item(kRuledKey)};
    write.return_capacity = capacity;
    return TransactWriteRequest{.writes = {std::move(write)}, .client_token = "token"};
  };
  ASSERT_THAT(call(*service, request(ReturnCapacity::kNone)), succeeds());
  EXPECT_EQ(call(*service, request(ReturnCapacity::kTotal)).value().capacity.at(0).read, 6.0);
}

TEST(TransactWrite, that_waits_while_its_table_is_deleted_is_told_that_there_is_no_table) {
  const auto service = open_with_ruled_table();
  std::latch in_gate(1), go_on(1);
  put_up_gate(*service, [&](const GatedWriteView&) -> Result<void> {
    in_gate.count_down();
    go_on.wait();
    return {};
  });
  std::jthread writer([&] { EXPECT_THAT(call(*service, put("things", kRuledKey)), succeeds()); });
  in_gate.wait();
  std::promise<Result<TableDescription>> deleted;
  std::promise<Result<TransactWriteResponse>> answered;
  service->start(DeleteTable{}, {.table = "things"}, [&](auto result) { deleted.set_value(std::move(result)); });
  service->start(TransactWriteItems{}, {.writes = {put("things", {{"id", "late"}})}},
                 [&](auto result) { answered.set_value(std::move(result)); });
  go_on.count_down();
  EXPECT_TRUE(deleted.get_future().get().has_value());
  EXPECT_THAT(answered.get_future().get(), fails_with(Code::kTableNotFound));
}

TEST(TransactWrite, counts_the_values_of_its_expressions_to_the_4_mb_that_it_may_have) {
  const auto writes = [](int count) {
    std::vector<WriteRequest> all;
    for (int i = 0; i < count; ++i)
      all.push_back(update("things", {{"id", std::to_string(i)}}, "SET t = :t", {{":t", std::string(250'000, 't')}}));
    return all;
  };
  EXPECT_THAT(check_transaction_size(writes(16)), succeeds());
  EXPECT_THAT(check_transaction_size(writes(17)),
              fails_with(Code::kValidation, "Transaction payload size cannot exceed 4194304 bytes"));
}

TEST(Capacity, has_a_unit_for_each_kilobyte_that_is_begun) {
  EXPECT_EQ(capacity::write_units(0, 0), 1);
  EXPECT_EQ(capacity::write_units(0, 1024), 1);
  EXPECT_EQ(capacity::write_units(1025, 1024), 2);
  EXPECT_EQ(capacity::write_units(2048, 1), 2);
  EXPECT_EQ(capacity::write_units(1, 2049), 3);
  EXPECT_EQ(capacity::read_units(4096, true), 1);
  EXPECT_EQ(capacity::read_units(4097, true), 2);
  EXPECT_EQ(capacity::read_units(8192, false), 1);
}

TEST(Capacity, of_a_write_of_exact_kilobytes_is_that_number_of_units) {
  const auto service = open_with_ruled_table();
  for (const auto& [bytes, units] : {std::pair{1024, 1.0}, {1025, 2.0}, {2048, 2.0}, {2049, 3.0}}) {
    // The names and the id take four bytes.
    WriteRequest write = put("things", {{"id", "x"}, {"t", std::string(static_cast<std::size_t>(bytes) - 4, 't')}});
    write.return_capacity = ReturnCapacity::kTotal;
    EXPECT_EQ(call(*service, std::move(write)).value().capacity.value().total, units) << bytes;
    ASSERT_THAT(call(*service, {.kind = WriteKind::kDelete, .table = "things", .item = encode_item(kRuledKey)}),
                succeeds());
  }
}

TEST(Capacity, of_a_moved_index_key_counts_the_row_that_goes_and_the_row_that_comes) {
  const auto service = open_with_ruled_table();
  const Item before{{"id", "x"}, {"who", "a"}, {"t", std::string(1500, 't')}};
  ASSERT_THAT(call(*service, put("things", before)), succeeds());
  const auto units = [&](std::string text, Item values) {
    WriteRequest write = update("things", kRuledKey, std::move(text), std::move(values));
    write.return_capacity = ReturnCapacity::kIndexes;
    ConsumedCapacity capacity = call(*service, std::move(write)).value().capacity.value();
    return std::pair(capacity.of_table, capacity.of_global_indexes["by-who"]);
  };
  EXPECT_EQ(units("SET who = :o", {{":o", "b"}}), std::pair(2.0, 4.0));
  EXPECT_EQ(units("SET a = :a", {{":a", 1}}), std::pair(2.0, 2.0));
  EXPECT_EQ(units("SET a = :a", {{":a", 1}}), std::pair(2.0, 0.0));
  EXPECT_EQ(units("SET who = :o, t = :t", {{":o", "c"}, {":t", "short"}}), std::pair(2.0, 3.0));
  EXPECT_EQ(units("REMOVE who", {}), std::pair(1.0, 1.0));
}

TEST(UpdateItem, makes_an_item_of_exactly_400_kb_and_none_of_a_byte_more) {
  const auto service = open_with_ruled_table();
  const Item key{{"id", std::string(100, 'x')}};
  const std::string fits(limits::kItemBytes - 103, 't');
  EXPECT_THAT(call(*service, update("things", key, "SET t = :t", {{":t", fits}})), succeeds());
  EXPECT_THAT(call(*service, update("things", key, "SET t = :t", {{":t", fits + "t"}})),
              fails_with(Code::kValidation, "Item size to update has exceeded the maximum allowed size"));
  EXPECT_EQ(item_at(*service, "things", key).at("t").string().size(), fits.size());
}

/// The longest text that `SET t = :t` may write: 3 bytes for the statement, 19 for the clause and one for the name.
const std::string kLongestSet(limits::kItemBytes - 23, 't');

TEST(UpdateItem, is_limited_by_what_its_statement_writes_and_a_cost_for_each_clause) {
  const auto service = open_with_ruled_table();
  EXPECT_THAT(call(*service, update("things", kRuledKey, "SET t = :t", {{":t", kLongestSet}})), succeeds());
  EXPECT_THAT(call(*service, update("things", {{"id", "y"}}, "SET t = :t", {{":t", kLongestSet + "t"}})),
              fails_with(Code::kValidation, "Item size to update has exceeded the maximum allowed size"));
  EXPECT_THAT(call(*service, update("things", {{"id", "y"}}, "SET t = :t REMOVE r", {{":t", kLongestSet}})),
              fails_with(Code::kValidation, "Item size to update has exceeded the maximum allowed size"));
}

TEST(UpdateItem, has_its_statement_measured_before_its_table_and_its_condition_are_looked_at) {
  const auto service = open_with_ruled_table();
  ASSERT_THAT(call(*service, put("things", {{"id", "x"}, {"c", "small"}})), succeeds());
  WriteRequest write = update("things", kRuledKey, "SET c = if_not_exists(c, :huge)", {{":huge", kLongestSet + "t"}});
  write.condition = Expression{"attribute_exists(nope)"};
  EXPECT_THAT(call(*service, write),
              fails_with(Code::kValidation, "Item size to update has exceeded the maximum allowed size"));
  write.table = "missing";
  EXPECT_THAT(call(*service, write), fails_with(Code::kValidation));
  EXPECT_EQ(item_at(*service, "things", kRuledKey).at("c").string(), "small");
}

TEST(UpdateItem, in_a_transaction_has_its_statement_measured_before_anything_happens) {
  const auto service = open_with_ruled_table();
  const WriteRequest write = update("things", kRuledKey, "SET t = :t", {{":t", kLongestSet + "t"}});
  EXPECT_THAT(call(*service, TransactWriteRequest{.writes = {write}}),
              fails_with(Code::kValidation, "Item size to update has exceeded the maximum allowed size"));
}

TEST(UpdateItem, by_legacy_parameters_or_when_it_asks_for_it_is_limited_by_the_item_alone) {
  const auto service = open_with_ruled_table();
  const std::string fits(limits::kItemBytes - 4, 't');
  WriteRequest asks = update("things", kRuledKey, "SET t = :t", {{":t", fits}});
  asks.limit_statement = false;
  EXPECT_THAT(call(*service, asks), succeeds());
  EXPECT_EQ(item_at(*service, "things", kRuledKey).at("t").string().size(), fits.size());
  asks.item = encode_item({{"id", "y"}});
  EXPECT_THAT(call(*service, TransactWriteRequest{.writes = {asks}}), succeeds());
  asks.item = encode_item({{"id", "z"}});
  asks.update->text = "SET t = :t, u = :t";
  EXPECT_THAT(call(*service, TransactWriteRequest{.writes = {asks}}), fails_with(Code::kTransactionCanceled));
  WriteRequest legacy = update("things", {{"id", "w"}}, "SET t = :t", {{":t", fits}});
  legacy.update->generated = true;
  EXPECT_THAT(call(*service, legacy), succeeds());
}

TEST(UpdateItem, removes_any_path_from_an_item_that_does_not_exist) {
  const auto service = open_with_ruled_table();
  for (const char* text : {"REMOVE a.b", "REMOVE a[0]", "REMOVE a.b, c"}) {
    EXPECT_THAT(call(*service, update("things", kRuledKey, text)), succeeds()) << text;
    EXPECT_FALSE(call(*service, GetItemRequest{.table = "things", .key = encode_item(kRuledKey)}).value().item) << text;
  }
  EXPECT_THAT(call(*service, update("things", kRuledKey, "SET n = :n REMOVE a.b", {{":n", 1}})), succeeds());
  EXPECT_EQ(item_at(*service, "things", kRuledKey), (Item{{"id", "x"}, {"n", 1}}));
  EXPECT_THAT(
      call(*service, update("things", kRuledKey, "REMOVE a.b")),
      fails_with(Code::kValidation, "The document path provided in the update expression is invalid for update"));
}

const std::string kEmptyIndexKey =
    "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a "
    "value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.";

TEST(UpdateItem, that_empties_an_index_key_is_refused_before_its_condition_is_looked_at) {
  const auto service = open_with_ruled_table();
  WriteRequest write = update("things", kRuledKey, "SET who = :empty", {{":empty", ""}});
  write.condition = Expression{"attribute_exists(id)"};
  EXPECT_THAT(call(*service, write), fails_with(Code::kValidation, kEmptyIndexKey));
  // In a transaction it is an error of the request, not a reason to cancel it.
  EXPECT_THAT(call(*service, TransactWriteRequest{.writes = {write}}), fails_with(Code::kValidation, kEmptyIndexKey));
  // What only the item shows cancels it.
  ASSERT_THAT(call(*service, put("things", {{"id", "x"}, {"blank", ""}})), succeeds());
  EXPECT_THAT(call(*service, TransactWriteRequest{.writes = {update("things", kRuledKey, "SET who = blank")}}),
              fails_with(Code::kTransactionCanceled));
}

TEST(IndexKey, of_2048_bytes_is_stored_and_one_byte_more_is_refused) {
  const auto service = open_with_ruled_table();
  const std::string longest(limits::kPartitionKeyBytes, 'w');
  ASSERT_THAT(call(*service, put("things", {{"id", "x"}, {"who", longest}})), succeeds());
  const ReadManyRequest by_who{.table = "things",
                               .index = "by-who",
                               .key_condition = Expression{"who = :who"},
                               .placeholders = {.values = {{":who", longest}}}};
  EXPECT_EQ(items_of(call(*service, by_who)), (std::vector<Item>{{{"id", "x"}, {"who", longest}}}));
  const auto too_long = fails_with(
      Code::kValidation,
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes");
  EXPECT_THAT(call(*service, put("things", {{"id", "x"}, {"who", longest + "w"}})), too_long);
  EXPECT_THAT(call(*service, update("things", kRuledKey, "SET who = :w", {{":w", longest + "w"}})), too_long);
  ReadManyRequest read = by_who;
  read.placeholders.values = {{":who", longest + "w"}};
  EXPECT_THAT(call(*service, read), too_long);
}

TEST(UpdateItem, returns_each_part_once_when_several_paths_lead_into_one_attribute) {
  const auto service = open_with_ruled_table();
  const Item before{{"id", "x"}, {"m", Item{{"a", 1}, {"b", 2}, {"c", 3}}}, {"l", List{1, 2, 3}}};
  const auto returned = [&](ReturnValues values) {
    EXPECT_THAT(call(*service, put("things", before)), succeeds());
    WriteRequest write =
        update("things", kRuledKey, "SET m.a = :n, m.b = m.c, l[0] = :n, l[2] = :n REMOVE m.c", {{":n", 9}});
    write.return_values = values;
    return decode_item(call(*service, std::move(write)).value().attributes.value().bytes).value();
  };
  EXPECT_EQ(returned(ReturnValues::kUpdatedOld), (Item{{"m", Item{{"a", 1}, {"b", 2}, {"c", 3}}}, {"l", List{1, 3}}}));
  EXPECT_EQ(returned(ReturnValues::kUpdatedNew), (Item{{"m", Item{{"a", 9}, {"b", 3}}}, {"l", List{9, 9}}}));
  EXPECT_EQ(item_at(*service, "things", kRuledKey),
            (Item{{"id", "x"}, {"m", Item{{"a", 9}, {"b", 3}}}, {"l", List{9, 2, 9}}}));
}

}  // namespace
}  // namespace dolmen::engine
