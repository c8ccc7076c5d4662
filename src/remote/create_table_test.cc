#include "remote/create_table.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "base/test_result.h"

namespace dolmen::remote {
namespace {

/// An endpoint that answers as it is told, at once, and writes down what it was asked.
struct ScriptedEndpoint {
  int creating = 0;  ///< So many descriptions say that the table is not active yet.
  std::optional<Error> create_error, describe_error, update_error;
  std::vector<std::string> asked = {};

  CreationCalls calls() {
    return {.create =
                [this](TableDefinition definition, Done<TableDescription> done) {
                  EXPECT_FALSE(definition.ttl);
                  asked.push_back("create " + definition.name);
                  if (create_error) return done(std::unexpected(*create_error));
                  done(TableDescription{.definition = std::move(definition), .status = TableStatus::kCreating});
                },
            .describe =
                [this](DescribeTableRequest request, Done<TableDescription> done) {
                  asked.push_back("describe " + request.table);
                  if (describe_error) return done(std::unexpected(*describe_error));
                  done(TableDescription{.status = creating-- > 0 ? TableStatus::kCreating : TableStatus::kActive});
                },
            .update =
                [this](UpdateTimeToLiveRequest request, Done<TimeToLiveChange> done) {
                  asked.push_back("update " + request.table + " " + request.change.attribute);
                  if (update_error) return done(std::unexpected(*update_error));
                  done(request.change);
                },
            .after =
                [this](std::chrono::milliseconds pause, std::move_only_function<void()> task) {
                  asked.push_back("wait " + std::to_string(pause.count()));
                  task();
                }};
  }
  Result<TableDescription> create() {
    std::optional<Result<TableDescription>> outcome;
    create_with_time_to_live(calls(), {.name = "things", .partition_key = {"p"}, .ttl = "ends"},
                             [&](Result<TableDescription> table) { outcome.emplace(std::move(table)); });
    return outcome.value();
  }
};

TEST(CreationWithATimeToLive, waits_until_the_table_is_active) {
  ScriptedEndpoint endpoint{.creating = 2};
  EXPECT_EQ(endpoint.create().value().status, TableStatus::kActive);
  EXPECT_EQ(endpoint.asked, (std::vector<std::string>{"create things", "describe things", "wait 10", "describe things",
                                                      "wait 20", "describe things", "update things ends"}));
}

TEST(CreationWithATimeToLive, ends_when_there_is_such_a_table) {
  ScriptedEndpoint endpoint{.create_error = Error(Code::kTableExists, "Table already exists: things")};
  EXPECT_THAT(endpoint.create(), fails_with(Code::kTableExists, "Table already exists: things"));
  EXPECT_EQ(endpoint.asked.size(), 1U);
}

TEST(CreationWithATimeToLive, says_that_the_table_is_there_when_a_later_step_fails) {
  const std::string but = "the table things was created, but its time to live was not set: ";
  ScriptedEndpoint denied{.update_error = Error(Code::kAccessDenied, "no")};
  EXPECT_THAT(denied.create(), fails_with(Code::kAccessDenied, but + "no"));
  ScriptedEndpoint lost{.describe_error = Error(Code::kUnavailable, "gone")};
  EXPECT_THAT(lost.create(), fails_with(Code::kUnavailable, but + "gone"));
  ScriptedEndpoint slow{.creating = 1'000'000};
  EXPECT_THAT(slow.create(), fails_with(Code::kTimeout, but + "the table is still not active"));
  EXPECT_EQ(slow.asked[slow.asked.size() - 2], "wait 1000") << "it does not hurry an endpoint that takes long";
}

}  // namespace
}  // namespace dolmen::remote
