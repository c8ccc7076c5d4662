// Resource policies, Contributor Insights and Kinesis destinations of tables.
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "expiry_world.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::string_view kTableArn = "arn:aws:dynamodb:us-east-1:000000000000:table/things";
constexpr std::string_view kStream = "arn:aws:kinesis:us-east-1:000000000000:stream/changes";

/// A table with an index in an engine whose time stands still.
struct SettingsWorld {
  const TemporaryDirectory directory;
  StillClock clock;
  std::unique_ptr<Engine> engine;

  SettingsWorld() {
    open();
    EXPECT_THAT(create_table(*engine, {.name = "things",
                                       .partition_key = {"p"},
                                       .sort_key = KeyAttribute{"s"},
                                       .global_indexes = {{.name = "by-g", .partition_keys = {{"g"}}}}}),
                succeeds());
  }
  void open() {
    engine.reset();
    engine =
        Engine::open(
            storage::Storage::open({.directory = directory.path() / "data", .keyspaces = keyspaces::names()}).value(),
            {.clock = &clock, .kinesis_directory = directory.path() / "kinesis"})
            .value();
  }
  void put_item(const std::string& p, const std::string& s, const std::string& g = "g") {
    EXPECT_THAT(call(*engine, put("things", {{"p", p}, {"s", s}, {"g", g}})), succeeds());
  }
  void get_item(const std::string& p, const std::string& s) {
    EXPECT_THAT(call(*engine, GetItemRequest{.table = "things", .key = encode_item({{"p", p}, {"s", s}})}), succeeds());
  }
  Result<ContributorInsights> update_insights(UpdateContributorInsightsRequest request) {
    return call<UpdateContributorInsights>(*engine, std::move(request));
  }
  std::vector<std::string> lines(const std::string& file = "changes-00000001.jsonl") const {
    std::ifstream in(directory.path() / "kinesis" / file);
    std::vector<std::string> found;
    for (std::string line; std::getline(in, line);) found.push_back(line);
    return found;
  }
};

std::string revision_of(const Result<PolicyRevision>& answer) { return answer.value().revision.value_or("none"); }

TEST(ResourcePolicies, have_revisions_and_survive_a_restart) {
  SettingsWorld world;
  const std::string arn(kTableArn);
  EXPECT_THAT(
      call<GetResourcePolicy>(*world.engine, {.arn = arn}),
      fails_with(Code::kPolicyNotFound, "Resource-based policy not found for the provided ResourceArn: " + arn));
  EXPECT_EQ(revision_of(call<DeleteResourcePolicy>(*world.engine, {.arn = arn})), "none");
  const std::string first = revision_of(call<PutResourcePolicy>(*world.engine, {.arn = arn, .policy = "{1}"}));
  EXPECT_EQ(first, "2000000000000");
  EXPECT_EQ(revision_of(call<PutResourcePolicy>(*world.engine, {.arn = arn, .policy = "{1}"})), first);
  const std::string second =
      revision_of(call<PutResourcePolicy>(*world.engine, {.arn = arn, .policy = "{2}", .expected_revision = first}));
  EXPECT_EQ(second, "2000000000001");
  world.open();
  EXPECT_EQ(call<GetResourcePolicy>(*world.engine, {.arn = arn})->policy, "{2}");
  EXPECT_EQ(*world.engine->policy_of("things", ""), "{2}");
  const std::string deleted = revision_of(call<DeleteResourcePolicy>(*world.engine, {.arn = arn}));
  EXPECT_EQ(deleted, "2000000000002");
  EXPECT_EQ(revision_of(call<DeleteResourcePolicy>(*world.engine, {.arn = arn})), deleted);
  EXPECT_EQ(world.engine->policy_of("things", ""), nullptr);
}

TEST(ResourcePolicies, are_changed_only_from_the_expected_revision) {
  SettingsWorld world;
  const std::string arn(kTableArn);
  const std::string start = "Resource-based policy not found for the provided ResourceArn: Requested ";
  const auto put_policy = [&](std::optional<std::string> expected) {
    return call<PutResourcePolicy>(*world.engine,
                                   {.arn = arn, .policy = "{}", .expected_revision = std::move(expected)});
  };
  EXPECT_THAT(put_policy("7"),
              fails_with(Code::kPolicyNotFound, start + "update for policy with revision id 7, but table things has no "
                                                        "associated policy"));
  EXPECT_THAT(put_policy("NO_POLICY"), succeeds());
  EXPECT_THAT(put_policy("NO_POLICY"),
              fails_with(Code::kPolicyNotFound, start + "policy update expecting none to be present for table things, "
                                                        "but a policy exists with revision id 2000000000000."));
  EXPECT_THAT(put_policy("7"), fails_with(Code::kPolicyNotFound,
                                          start + "update for policy with revision id 7, but the policy associated "
                                                  "to target table things has revision id 2000000000000."));
}

TEST(ResourcePolicies, belong_to_tables_and_to_their_newest_streams) {
  SettingsWorld world;
  const auto get_policy = [&](const std::string& arn) { return call<GetResourcePolicy>(*world.engine, {.arn = arn}); };
  EXPECT_THAT(get_policy("arn:aws:dynamodb:us-east-1:000000000000:table/absent"),
              fails_with(Code::kTableNotFound, "Requested resource not found: Table: absent not found"));
  EXPECT_THAT(get_policy("arn:aws:dynamodb:eu-west-1:000000000000:table/things"),
              fails_with(Code::kValidation,
                         "One or more parameter values were invalid: Invalid resource Arn: "
                         "arn:aws:dynamodb:eu-west-1:000000000000:table/things"));
  EXPECT_THAT(
      get_policy(std::string(kTableArn) + "/stream/2026"),
      fails_with(Code::kTableNotFound, "Requested resource not found: Stream: 2026 not found for Table: things"));
  ASSERT_THAT(
      call<UpdateTable>(*world.engine,
                        {.table = "things", .stream = StreamUpdate{.enabled = true, .view = StreamView::kKeysOnly}}),
      succeeds());
  const std::string stream = describe_table(*world.engine, "things")->stream_arn;
  ASSERT_THAT(call<PutResourcePolicy>(*world.engine, {.arn = stream, .policy = "{s}"}), succeeds());
  EXPECT_EQ(get_policy(stream)->policy, "{s}");
  EXPECT_THAT(get_policy(std::string(kTableArn)), fails_with(Code::kPolicyNotFound));
  const std::string label = describe_table(*world.engine, "things")->stream_label;
  EXPECT_EQ(*world.engine->policy_of("things", label), "{s}");
  EXPECT_EQ(world.engine->policy_of("things", ""), nullptr);
}

TEST(ResourcePolicies, of_older_streams_stay_up_to_a_limit) {
  SettingsWorld world;
  const auto next_stream = [&] {
    (void)call<UpdateTable>(*world.engine, {.table = "things", .stream = StreamUpdate{.enabled = false}});
    EXPECT_THAT(
        call<UpdateTable>(*world.engine,
                          {.table = "things", .stream = StreamUpdate{.enabled = true, .view = StreamView::kKeysOnly}}),
        succeeds());
    return describe_table(*world.engine, "things").value();
  };
  const auto put_policy = [&](const std::string& arn) {
    return call<PutResourcePolicy>(*world.engine, {.arn = arn, .policy = "{p}"});
  };
  ASSERT_THAT(put_policy(std::string(kTableArn)), succeeds());
  const TableDescription first = next_stream();
  ASSERT_THAT(put_policy(first.stream_arn), succeeds());
  for (int i = 2; i < 16; ++i) ASSERT_THAT(put_policy(next_stream().stream_arn), succeeds());
  EXPECT_NE(world.engine->policy_of("things", first.stream_label), nullptr);
  EXPECT_THAT(put_policy(next_stream().stream_arn), fails_with(Code::kLimitExceeded));
  EXPECT_THAT(put_policy(std::string(kTableArn)), succeeds());
}

TEST(ResourcePolicies, can_be_given_to_a_new_table) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"p"}, .resource_policy = "{1}"}), succeeds());
  EXPECT_EQ(call<GetResourcePolicy>(*service, {.arn = std::string(kTableArn)})->policy, "{1}");
  EXPECT_FALSE(describe_table(*service, "things")->definition.resource_policy.has_value());
}

TEST(ContributorInsights, count_the_keys_that_are_used_while_they_are_enabled) {
  SettingsWorld world;
  world.put_item("before", "1");
  EXPECT_THAT(world.engine->top_keys("things", {}), fails_with(Code::kValidation));
  EXPECT_EQ(world.update_insights({.table = "things"})->status, InsightsStatus::kEnabling);
  EXPECT_EQ(world.update_insights({.table = "things"})->status, InsightsStatus::kEnabled);
  EXPECT_EQ(world.update_insights({.table = "things", .index = "by-g"})->status, InsightsStatus::kEnabling);
  for (int i = 0; i < 3; ++i) world.get_item("a", "1");
  world.put_item("a", "2");
  world.get_item("b", "1");
  const TopKeys top = world.engine->top_keys("things", {}).value();
  EXPECT_EQ(top.total, 5U);
  ASSERT_THAT(top.partition_keys, SizeIs(2));
  EXPECT_EQ(decode_item(top.partition_keys[0].key.bytes).value(), (Item{{"p", "a"}}));
  EXPECT_EQ(top.partition_keys[0].count, 4U);
  EXPECT_EQ(decode_item(top.whole_keys[0].key.bytes).value(), (Item{{"p", "a"}, {"s", "1"}}));
  EXPECT_EQ(top.whole_keys[0].count, 3U);
  const TopKeys of_index = world.engine->top_keys("things", "by-g").value();
  EXPECT_EQ(of_index.total, 1U);
  EXPECT_THAT(of_index.whole_keys, SizeIs(0));
  EXPECT_EQ(world.update_insights({.table = "things", .enable = false})->status, InsightsStatus::kDisabling);
  EXPECT_EQ(world.update_insights({.table = "things", .enable = false})->status, InsightsStatus::kDisabled);
  EXPECT_THAT(world.engine->top_keys("things", {}), fails_with(Code::kValidation));
}

TEST(ContributorInsights, are_described_and_listed_after_a_restart) {
  SettingsWorld world;
  ASSERT_THAT(world.update_insights({.table = "things"}), succeeds());
  ASSERT_THAT(world.update_insights({.table = "things", .index = "by-g", .mode = InsightsMode::kThrottled}),
              succeeds());
  world.open();
  const auto table = call<DescribeContributorInsights>(*world.engine, {.table = "things"}).value();
  EXPECT_EQ(table.status, InsightsStatus::kEnabled);
  EXPECT_THAT(table.rules, ElementsAre("DynamoDBContributorInsights-PKC-things-2000000000000",
                                       "DynamoDBContributorInsights-PKT-things-2000000000000",
                                       "DynamoDBContributorInsights-SKC-things-2000000000000",
                                       "DynamoDBContributorInsights-SKT-things-2000000000000"));
  const auto index = call<DescribeContributorInsights>(*world.engine, {.table = "things", .index = "by-g"}).value();
  EXPECT_THAT(index.rules, ElementsAre("DynamoDBContributorInsights-PKT-things-by-g-2000000000000"));
  const auto first = call<ListContributorInsights>(*world.engine, {.limit = 1}).value();
  ASSERT_THAT(first.insights, SizeIs(1));
  EXPECT_FALSE(first.insights[0].index.has_value());
  const auto second = call<ListContributorInsights>(*world.engine, {.next_token = first.next_token}).value();
  ASSERT_THAT(second.insights, SizeIs(1));
  EXPECT_EQ(second.insights[0].index, "by-g");
  EXPECT_FALSE(second.next_token.has_value());
}

TEST(ContributorInsights, name_what_is_missing) {
  SettingsWorld world;
  EXPECT_THAT(world.update_insights({.table = "absent"}),
              fails_with(Code::kTableNotFound, "Requested resource not found: Table: absent not found"));
  EXPECT_THAT(
      world.update_insights({.table = "things", .index = "absent"}),
      fails_with(Code::kTableNotFound, "Requested resource not found: Index: absent not found for table: things"));
  EXPECT_THAT(
      world.update_insights({.table = "things", .index = ""}),
      fails_with(Code::kValidation, "IndexName must be at least 3 characters long and at most 255 characters long"));
}

KinesisDestinationRequest destination(std::string_view arn = kStream) {
  return {.table = "things", .stream_arn = std::string(arn)};
}

TEST(KinesisDestinations, get_every_change_in_order) {
  SettingsWorld world;
  world.put_item("a", "0");
  ASSERT_THAT(call<EnableKinesisStreamingDestination>(*world.engine, destination()), succeeds());
  world.put_item("a", "1");
  world.put_item("a", "1", "h");
  world.put_item("a", "1", "h");  // changes nothing
  ASSERT_THAT(
      call(*world.engine,
           WriteRequest{.kind = WriteKind::kDelete, .table = "things", .item = encode_item({{"p", "a"}, {"s", "1"}})}),
      succeeds());
  world.engine->finish_kinesis();
  const std::vector<std::string> lines = world.lines();
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_THAT(lines[0], HasSubstr(R"({"awsRegion":"us-east-1","eventID":")"));
  EXPECT_THAT(lines[0], HasSubstr(R"(","eventName":"INSERT","userIdentity":null,"recordFormat":"application/json",)"
                                  R"("tableName":"things","dynamodb":{"ApproximateCreationDateTime":2000000000000,)"
                                  R"("Keys":{"p":{"S":"a"},"s":{"S":"1"}},)"
                                  R"("NewImage":{"g":{"S":"g"},"p":{"S":"a"},"s":{"S":"1"}},"SizeBytes":10},)"
                                  R"("eventSource":"aws:dynamodb"})"));
  EXPECT_THAT(lines[1], HasSubstr(R"("eventName":"MODIFY")"));
  EXPECT_THAT(lines[2], HasSubstr(R"("eventName":"REMOVE")"));
  EXPECT_THAT(lines[2], testing::Not(HasSubstr("NewImage")));
}

TEST(KinesisDestinations, miss_nothing_over_a_restart_and_stop_when_disabled) {
  SettingsWorld world;
  ASSERT_THAT(call<EnableKinesisStreamingDestination>(*world.engine, destination()), succeeds());
  for (int i = 0; i < 50; ++i) world.put_item("a", std::to_string(i));
  world.open();
  for (int i = 50; i < 60; ++i) world.put_item("a", std::to_string(i));
  EXPECT_EQ(call<DisableKinesisStreamingDestination>(*world.engine, destination())->status, KinesisStatus::kDisabling);
  world.put_item("a", "later");
  world.engine->finish_kinesis();
  EXPECT_THAT(world.lines(), SizeIs(60));
  const auto all = call<DescribeKinesisStreamingDestination>(*world.engine, {.table = "things"}).value();
  ASSERT_THAT(all.destinations, SizeIs(1));
  EXPECT_EQ(all.destinations[0].status, KinesisStatus::kDisabled);
}

TEST(KinesisDestinations, are_changed_only_in_the_right_state) {
  SettingsWorld world;
  const std::string start = "Table is not in a valid state to enable Kinesis Streaming Destination: ";
  EXPECT_THAT(call<DisableKinesisStreamingDestination>(*world.engine, destination()),
              fails_with(Code::kValidation,
                         start + "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation."));
  ASSERT_THAT(call<EnableKinesisStreamingDestination>(*world.engine, destination()), succeeds());
  EXPECT_THAT(
      call<EnableKinesisStreamingDestination>(*world.engine, destination()),
      fails_with(Code::kValidation, start + "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED "
                                            "to perform ENABLE operation."));
  KinesisDestinationRequest update = destination();
  EXPECT_THAT(call<UpdateKinesisStreamingDestination>(*world.engine, update),
              fails_with(Code::kValidation,
                         "Streaming destination cannot be updated with given parameters: "
                         "UpdateKinesisStreamingConfiguration cannot be null or contain only null "
                         "values"));
  update.precision = KinesisPrecision::kMicrosecond;
  EXPECT_EQ(call<UpdateKinesisStreamingDestination>(*world.engine, update)->status, KinesisStatus::kUpdating);
  EXPECT_THAT(call<UpdateKinesisStreamingDestination>(*world.engine, update),
              fails_with(Code::kValidation,
                         "Invalid Request: Precision is already set to the desired value of MICROSECOND for tableId: " +
                             describe_table(*world.engine, "things")->id + ", kdsArn: " + std::string(kStream)));
  world.put_item("a", "1");
  world.engine->finish_kinesis();
  EXPECT_THAT(world.lines()[0], HasSubstr(R"("ApproximateCreationDateTime":2000000000000000,)"));
  KinesisDestinationRequest configured = destination();
  configured.configured = true;
  EXPECT_THAT(
      call<DisableKinesisStreamingDestination>(*world.engine, configured),
      fails_with(Code::kValidation, "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters"));
}

TEST(KinesisDestinations, that_lead_nowhere_say_so_afterwards) {
  SettingsWorld world;
  for (const auto& [arn, why] :
       {std::pair("arn:aws:kinesis:us-east-1:000000000000:stream/../x", "User does not have a permission"),
        std::pair("arn:aws:kinesis:us-east-1:111111111111:stream/other", "User does not have a permission"),
        std::pair("arn:aws:kinesis:eu-west-1:000000000000:stream/far", "not in the current region")}) {
    ASSERT_THAT(call<EnableKinesisStreamingDestination>(*world.engine, destination(arn)), succeeds());
    const auto all = call<DescribeKinesisStreamingDestination>(*world.engine, {.table = "things"}).value();
    EXPECT_EQ(all.destinations.back().status, KinesisStatus::kEnableFailed);
    EXPECT_THAT(all.destinations.back().description, HasSubstr(why));
  }
  ASSERT_THAT(call<EnableKinesisStreamingDestination>(*world.engine, destination()), succeeds());
  world.put_item("a", "1");
  ASSERT_THAT(delete_table(*world.engine, "things"), succeeds());
}

TEST(GlobalTables, are_refused_as_for_a_table_without_replicas) {
  const auto service = open_engine();
  EXPECT_THAT(call<CreateGlobalTable>(*service, {.table = "things"}),
              fails_with(Code::kValidation,
                         "One or more parameter values were invalid: DynamoDB global tables version 2017.11.29 is not "
                         "supported. We recommend using DynamoDB global tables version 2019.11.21, instead of version "
                         "2017.11.29 (Legacy)."));
  EXPECT_THAT(call<DescribeGlobalTable>(*service, {.table = "things"}),
              fails_with(Code::kGlobalTableNotFound, "Global table with name: 'things' does not exist."));
  EXPECT_THAT(call<DescribeTableReplicaAutoScaling>(*service, {.table = "things"}),
              fails_with(Code::kTableNotFound, "Global table with name: 'things' does not exist."));
  EXPECT_THAT(call<UpdateTableReplicaAutoScaling>(*service, {.table = "things", .missing = {"MaximumUnits"}}),
              fails_with(Code::kValidation));
  EXPECT_EQ(call<ListGlobalTables>(*service, {})->json, R"({"GlobalTables":[]})");
}

}  // namespace
}  // namespace dolmen::engine
