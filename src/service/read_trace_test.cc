#include "service/read_trace.h"

#include <gtest/gtest.h>

namespace dolmen {
namespace {

using std::chrono::nanoseconds;

std::vector<std::string> kinds_of(const Explanation& explanation) {
  std::vector<std::string> kinds;
  for (const ReadWarning& warning : explanation.warnings) kinds.push_back(warning.kind);
  return kinds;
}

void read(ReadTrace::Part& part, std::uint64_t partition, std::uint64_t bytes, bool returned = true) {
  part.read({.partition = partition, .bytes = bytes}, [&] { return "p" + std::to_string(partition); });
  if (returned) part.returned(bytes);
}

TEST(ReadTrace, counts_what_was_read_and_the_time_of_each_phase) {
  nanoseconds now{0};
  ReadTrace trace([&] { return now; });
  trace.begin("Query");
  trace.enter(ReadTrace::Phase::kPrepare);
  now += nanoseconds(5);
  trace.enter(ReadTrace::Phase::kRead);
  read(trace.part("notes"), 1, 100);
  now += nanoseconds(7);
  trace.enter(ReadTrace::Phase::kFilter);
  now += nanoseconds(1);
  trace.enter(ReadTrace::Phase::kRead);
  read(trace.part("notes"), 1, 50);
  now += nanoseconds(3);
  trace.part("notes").add_capacity(0.5);
  EXPECT_EQ(
      trace.finish(),
      (Explanation{.operation = "Query",
                   .parts = {{.table = "notes",
                              .partitions_read = 1,
                              .items_read = 2,
                              .items_returned = 2,
                              .bytes_read = 150,
                              .bytes_returned = 150,
                              .capacity = 0.5}},
                   .phases = {{"prepare", nanoseconds(5)}, {"read", nanoseconds(10)}, {"filter", nanoseconds(1)}}}));
}

TEST(ReadTrace, warns_of_scans_and_of_filters_that_discard_most) {
  ReadTrace trace;
  trace.begin("Scan");
  trace.part("notes").set_way(ReadTrace::Part::Way::kScan);
  for (int i = 0; i < 3; ++i) read(trace.part("notes"), 1, 10, i == 0);
  const Explanation explanation = trace.finish().value();
  EXPECT_EQ(kinds_of(explanation), (std::vector<std::string>{"scan", "filter"}));
  EXPECT_NE(explanation.warnings[1].message.find("discarded 2 of 3 items"), std::string::npos);
}

TEST(ReadTrace, does_not_warn_of_a_filter_that_keeps_half) {
  ReadTrace trace;
  trace.begin("Query");
  trace.part("notes").set_way(ReadTrace::Part::Way::kQuery);
  for (int i = 0; i < 4; ++i) read(trace.part("notes"), 1, 10, i < 2);
  EXPECT_EQ(kinds_of(trace.finish().value()), std::vector<std::string>{});
}

TEST(ReadTrace, names_the_partition_that_has_more_than_half) {
  ReadTrace trace;
  trace.begin("BatchGetItem");
  for (int i = 0; i < 4; ++i) read(trace.part("notes"), static_cast<std::uint64_t>(i), 10);
  EXPECT_EQ(kinds_of(trace.finish().value()), std::vector<std::string>{});
  for (int i = 0; i < 4; ++i) read(trace.part("notes"), 2, 10);
  const Explanation explanation = trace.finish().value();
  ASSERT_EQ(kinds_of(explanation), std::vector<std::string>{"hot-partition"});
  EXPECT_NE(explanation.warnings[0].message.find("partition p2 of table notes has 50 of the 80 bytes"),
            std::string::npos);
}

TEST(ReadTrace, warns_of_items_that_are_fetched) {
  ReadTrace trace;
  trace.begin("Query");
  read(trace.part("notes", "by-date"), 1, 10);
  trace.part("notes", "by-date").fetched(200);
  EXPECT_EQ(kinds_of(trace.finish().value()), std::vector<std::string>{"fetch"});
}

TEST(ReadTrace, has_nothing_to_say_before_anything_was_read) {
  ReadTrace trace;
  trace.enter(ReadTrace::Phase::kParse);
  EXPECT_EQ(trace.finish(), std::nullopt);
}

}  // namespace
}  // namespace dolmen
