#include "server/server_observer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "base/test_result.h"
#include "service/operations.h"

namespace dolmen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::string report_of(const RequestMetrics& requests) {
  metrics::Report report;
  requests.describe(report);
  return report.text();
}

TEST(RequestMetrics, counts_by_operation_table_and_code) {
  RequestMetrics requests;
  const Error error(Code::kValidation, "");
  requests.count({.operation = "GetItem", .table = "notes", .time = std::chrono::milliseconds(2)});
  requests.count({.operation = "GetItem", .table = "notes", .time = std::chrono::milliseconds(2)});
  requests.count({.operation = "GetItem", .table = "notes", .status = 400, .error = &error});
  requests.count({.operation = "BatchGetItem", .table = "*", .request_bytes = 7, .response_bytes = 9});
  requests.count({.status = 404});
  const std::string text = report_of(requests);
  for (const char* line : {R"(dolmen_requests_total{operation="GetItem",table="notes",code="OK"} 2)",
                           R"(dolmen_requests_total{operation="GetItem",table="notes",code="ValidationException"} 1)",
                           R"(dolmen_requests_total{operation="BatchGetItem",table="*",code="OK"} 1)",
                           R"(dolmen_requests_total{operation="other",table="",code="NotFound"} 1)",
                           R"(dolmen_request_seconds_bucket{operation="GetItem",le="0.001"} 1)",
                           R"(dolmen_request_seconds_bucket{operation="GetItem",le="0.0025"} 3)",
                           R"(dolmen_request_seconds_count{operation="GetItem"} 3)",
                           R"(dolmen_request_seconds_sum{operation="GetItem"} 0.004)",
                           R"(dolmen_request_bytes_total{operation="BatchGetItem"} 7)",
                           R"(dolmen_response_bytes_total{operation="BatchGetItem"} 9)"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(RequestMetrics, takes_requests_that_follow_each_other_for_what_they_are) {
  RequestMetrics requests;
  const Error error(Code::kValidation, "");
  for (int i = 0; i < 3; ++i) {
    for (const std::string_view table : {"a", "b"})
      for (const std::string_view operation : {PutItem::kInfo.name, GetItem::kInfo.name}) {
        for (int j = 0; j < 2; ++j) requests.count({.operation = operation, .table = table});
        requests.count({.operation = operation, .table = table, .status = 400, .error = &error});
      }
  }
  const std::string text = report_of(requests);
  for (const char* table : {"a", "b"})
    for (const char* operation : {"PutItem", "GetItem"}) {
      const std::string labels = fmt::format("dolmen_requests_total{{operation=\"{}\",table=\"{}\"", operation, table);
      EXPECT_THAT(text, HasSubstr(labels + ",code=\"OK\"} 6\n"));
      EXPECT_THAT(text, HasSubstr(labels + ",code=\"ValidationException\"} 3\n"));
    }
}

TEST(RequestMetrics, does_not_name_tables_that_do_not_exist) {
  RequestMetrics requests;
  const Error error(Code::kTableNotFound, "");
  requests.count({.operation = "GetItem", .table = "guessed", .status = 400, .error = &error});
  EXPECT_THAT(report_of(requests), Not(HasSubstr("guessed")));
  EXPECT_THAT(report_of(requests), HasSubstr(R"(table="other",code="ResourceNotFoundException"} 1)"));
}

TEST(RequestMetrics, names_so_many_tables_and_no_more) {
  RequestMetrics requests;
  for (std::size_t i = 0; i < RequestMetrics::kTablesMax + 5; ++i)
    requests.count({.operation = "PutItem", .table = fmt::format("table{}", i)});
  const std::string text = report_of(requests);
  EXPECT_THAT(text, HasSubstr(fmt::format("\"table{}\"", RequestMetrics::kTablesMax - 1)));
  EXPECT_THAT(text, Not(HasSubstr(fmt::format("\"table{}\"", RequestMetrics::kTablesMax))));
  EXPECT_THAT(text, HasSubstr(R"(dolmen_requests_total{operation="PutItem",table="other",code="OK"} 5)"));
}

TEST(RequestMetrics, loses_nothing_that_many_threads_count) {
  RequestMetrics requests;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 20; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < 500; ++j) requests.count({.operation = "GetItem", .table = "notes"});
      });
  }
  EXPECT_THAT(report_of(requests),
              HasSubstr(R"(dolmen_requests_total{operation="GetItem",table="notes",code="OK"} 10000)"));
}

/// How many lines a request has in a log of the level info.
std::vector<std::string> lines_about(const wire::AnsweredView& request) {
  std::vector<std::string> lines;
  {
    Log log({.sink = [&](std::string_view line) { lines.emplace_back(line); }});
    ServerObserver(log, std::chrono::milliseconds(10)).answered(request);
  }
  return lines;
}

TEST(ServerObserver, logs_failed_and_slow_requests) {
  const Error invalid(Code::kValidation, "item data");
  const Error condition(Code::kConditionFailed, "");
  EXPECT_THAT(lines_about({.operation = "GetItem"}), SizeIs(0));
  EXPECT_THAT(lines_about({.operation = "GetItem", .time = std::chrono::milliseconds(10)}), SizeIs(1));
  EXPECT_THAT(lines_about({.operation = "GetItem", .status = 400, .error = &invalid}), SizeIs(1));
  EXPECT_THAT(lines_about({.operation = "PutItem", .status = 400, .error = &condition}), SizeIs(0));
  EXPECT_THAT(lines_about({.status = 404}), SizeIs(1));
}

TEST(ServerObserver, logs_why_the_store_failed_and_not_for_every_request) {
  std::vector<std::string> lines;
  {
    Log log({.level = LogLevel::kError, .sink = [&](std::string_view line) { lines.emplace_back(line); }});
    ServerObserver observer(log, {});
    const Error full(Code::kNoSpace, "cannot write /data/1.log");
    for (int i = 0; i < 100; ++i) observer.answered({.operation = "PutItem", .status = 503, .error = &full});
  }
  ASSERT_THAT(lines, SizeIs(7));
  EXPECT_THAT(lines.front(), HasSubstr("/data/1.log"));
}

struct FailedStore final : StoreMonitor {
  void describe(metrics::Report& report) const override { report.gauge("dolmen_tables", "Tables", 3); }
  [[nodiscard]] std::optional<Error> write_failure() const override { return failure; }
  std::optional<Error> failure;
};

TEST(ServerObserver, is_ready_until_the_store_refuses_writes) {
  Log log({});
  ServerObserver observer(log, {});
  FailedStore store;
  observer.watch(store);
  EXPECT_TRUE(observer.ready());
  EXPECT_THAT(observer.metrics(), HasSubstr("dolmen_tables 3"));
  store.failure = Error(Code::kNoSpace, "full");
  EXPECT_THAT(observer.ready(), fails_with(Code::kNoSpace));
}

}  // namespace
}  // namespace dolmen
