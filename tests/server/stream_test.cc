// The streams of tables in C++, in a store in memory and in one behind a real server.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <stop_token>
#include <thread>

#include "base/test_result.h"
#include "dolmen/dolmen.h"
#include "remote/open_remote.h"
#include "server/server.h"
#include "service/wait.h"

namespace dolmen {
namespace {

using std::chrono::milliseconds;

class StreamOf : public testing::TestWithParam<bool> {
 protected:
  static TableDefinition orders() {
    TableDefinition definition{.name = "orders", .partition_key = {"id", KeyType::kString}};
    definition.stream = StreamView::kNewAndOldImages;
    return definition;
  }

  void SetUp() override { ASSERT_THAT(store_->create_table(orders()), succeeds()); }

  void put(const std::string& id, int value) {
    ASSERT_THAT(store_->put_item("orders", {{"id", id}, {"value", value}}), succeeds());
  }

  /// The values of the records that are left, item by item.
  static std::map<std::string, std::vector<std::int64_t>> values(StreamRange& range) {
    std::map<std::string, std::vector<std::int64_t>> found;
    for (const Result<StreamRecord>& record : range) {
      const Item& item = record.value().new_item ? *record->new_item : *record->old_item;
      found[record->key.at("id").string()].push_back(item.at("value").number().to_int64().value());
    }
    return found;
  }

  std::unique_ptr<Server> server_ =
      GetParam() ? Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value() : nullptr;
  std::unique_ptr<Store> store_ =
      open(server_ ? fmt::format("http://127.0.0.1:{}", server_->port()) : std::string("memory:")).value();
};

INSTANTIATE_TEST_SUITE_P(HereAndElsewhere, StreamOf, testing::Bool(),
                         [](const auto& kind) { return kind.param ? "elsewhere" : "here"; });

using Values = std::map<std::string, std::vector<std::int64_t>>;

TEST_P(StreamOf, a_table_has_every_change) {
  put("a", 1);
  put("a", 2);
  ASSERT_THAT(store_->delete_item("orders", {{"id", "a"}}), succeeds());
  std::vector<StreamRecord> records;
  for (const Result<StreamRecord>& record : store_->stream("orders")) records.push_back(record.value());
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].event, StreamEvent::kInsert);
  EXPECT_EQ(records[1].event, StreamEvent::kModify);
  EXPECT_EQ(records[1].old_item, (Item{{"id", "a"}, {"value", 1}}));
  EXPECT_EQ(records[1].new_item, (Item{{"id", "a"}, {"value", 2}}));
  EXPECT_EQ(records[2].event, StreamEvent::kRemove);
  EXPECT_EQ(records[2].key, (Item{{"id", "a"}}));
  EXPECT_EQ(records[2].new_item, std::nullopt);
  EXPECT_FALSE(records[2].expired);
  EXPECT_LT(records[0].sequence_number, records[1].sequence_number);
  EXPECT_NE(records[0].id, records[1].id);
  EXPECT_GT(records[0].time.time_since_epoch().count(), 1'600'000'000'000);
}

TEST_P(StreamOf, a_table_goes_on_at_a_saved_position) {
  for (int i = 0; i < 20; ++i) put("item " + std::to_string(i % 4), i);
  Values all;
  std::string saved;
  // A new range for each record, as if the program had been started again.
  for (int i = 0;; ++i) {
    if (i == 10) put("late", 99);
    StreamRange range = store_->stream("orders", {.position = saved});
    EXPECT_EQ(range.position(), saved);
    const auto record = range.begin();
    if (record == range.end()) break;
    ASSERT_THAT(*record, succeeds());
    all[(*record)->key.at("id").string()].push_back((*record)->new_item->at("value").number().to_int64().value());
    saved = range.position();
  }
  StreamRange whole = store_->stream("orders");
  EXPECT_EQ(all, values(whole));
  EXPECT_EQ(all["late"], std::vector<std::int64_t>{99});
  EXPECT_EQ(whole.position(), saved);
}

TEST_P(StreamOf, a_table_is_read_on_when_it_is_asked_again) {
  put("a", 1);
  StreamRange range = store_->stream("orders");
  EXPECT_EQ(values(range), (Values{{"a", {1}}}));
  EXPECT_EQ(values(range), Values());
  put("a", 2);
  EXPECT_EQ(values(range), (Values{{"a", {2}}}));
}

TEST_P(StreamOf, a_table_begins_with_what_is_new) {
  for (int i = 0; i < 8; ++i) put("item " + std::to_string(i), 1);
  StreamRange range = store_->stream("orders", {.start = StreamStart::kNewest});
  EXPECT_EQ(values(range), Values());
  for (int i = 0; i < 8; ++i) put("item " + std::to_string(i), 2);
  const std::string saved = range.position();
  const Values found = values(range);
  EXPECT_EQ(found.size(), 8U);
  for (const auto& [id, of_item] : found) EXPECT_EQ(of_item, std::vector<std::int64_t>{2});
  // The position was saved before anything was read: nothing from then on may be missing.
  StreamRange again = store_->stream("orders", {.position = saved});
  for (const auto& [id, of_item] : values(again)) EXPECT_EQ(of_item.back(), 2);
}

TEST_P(StreamOf, a_table_waits_for_what_comes) {
  std::vector<milliseconds> pauses;
  const auto sleep = [&](milliseconds time) {
    pauses.push_back(time);
    if (pauses.size() == 3) put("a", 1);
  };
  StreamRange range =
      store_->stream("orders", {.wait = milliseconds(1050), .interval = milliseconds(200), .sleep = sleep});
  EXPECT_EQ(values(range), (Values{{"a", {1}}}));
  // Three pauses before the record, and all of the time after it.
  EXPECT_EQ(pauses, (std::vector<milliseconds>{milliseconds(200), milliseconds(200), milliseconds(200),
                                               milliseconds(200), milliseconds(200), milliseconds(200),
                                               milliseconds(200), milliseconds(200), milliseconds(50)}));
}

TEST_P(StreamOf, a_table_ends_when_it_is_canceled) {
  std::stop_source stop;
  const auto calls = cancelable(*store_, stop.get_token());
  StreamRange range = calls->stream(
      "orders", {.wait = std::chrono::hours(1), .sleep = [&](milliseconds /*time*/) { stop.request_stop(); }});
  EXPECT_THAT(*range.begin(), fails_with(Code::kCanceled));
}

TEST_P(StreamOf, a_table_that_was_made_again_is_read_to_the_end_and_then_from_the_start) {
  put("a", 1);
  StreamRange range = store_->stream("orders");
  range.begin();
  const std::string saved = range.position();
  put("a", 2);
  ASSERT_THAT(store_->delete_table("orders"), succeeds());
  ASSERT_THAT(store_->create_table(orders()), succeeds());
  put("b", 3);
  StreamRange rest = store_->stream("orders", {.position = saved});
  EXPECT_EQ(values(rest), (Values{{"a", {2}}, {"b", {3}}}));
  put("b", 4);
  EXPECT_EQ(values(rest), (Values{{"b", {4}}}));
}

TEST_P(StreamOf, a_table_fails_when_there_is_none) {
  ASSERT_THAT(store_->create_table({.name = "plain", .partition_key = {"id"}}), succeeds());
  const auto first = [](StreamRange range) { return Result<StreamRecord>(*range.begin()); };
  EXPECT_THAT(first(store_->stream("plain")), fails_with(Code::kStreamNotFound));
  EXPECT_THAT(first(store_->stream("missing")), fails_with(Code::kTableNotFound));
  EXPECT_THAT(first(store_->stream("orders", {.position = "garbage"})), fails_with(Code::kInvalidArgument));
  StreamRange range = store_->stream("orders");
  range.begin();
  EXPECT_THAT(first(store_->stream("plain", {.position = range.position()})), fails_with(Code::kInvalidArgument));
  const std::string gone = "1|arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/2020-01-01T00:00:00.000";
  EXPECT_THAT(first(store_->stream("orders", {.position = gone})), fails_with(Code::kStreamNotFound));
  // The error is the last element.
  StreamRange failing = store_->stream("plain");
  auto at = failing.begin();
  ASSERT_FALSE(at == failing.end());
  ++at;
  EXPECT_TRUE(at == failing.end());
}

TEST_P(StreamOf, a_table_says_that_it_has_one) {
  const TableDescription table = store_->describe_table("orders").value();
  EXPECT_EQ(table.definition.stream, StreamView::kNewAndOldImages);
  EXPECT_EQ(table.stream_arn, table.arn + "/stream/" + table.stream_label);
}

TEST(StreamsEndpoint, can_be_another_one) {
  const auto server = Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  const std::string url = fmt::format("http://127.0.0.1:{}", server->port());
  const Environment environment = [&](const std::string& name) -> std::string {
    if (name == "AWS_ENDPOINT_URL_DYNAMODB_STREAMS") return url;
    if (name == "AWS_ENDPOINT_URL_DYNAMODB") return "http://127.0.0.1:1";
    return name == "AWS_REGION" ? "eu-west-1" : "";
  };
  RemoteOptions options;
  options.credentials = AwsCredentials{.access_key_id = "local", .secret_access_key = "local"};
  options.retry.attempts_max = 1;
  const auto service = remote::open_service(std::move(options), environment).value();
  EXPECT_THAT(call<ListStreams>(*service, {}), succeeds());
  EXPECT_THAT(call<ListTableNames>(*service, {}), fails_with(Code::kUnavailable));
}

}  // namespace
}  // namespace dolmen
