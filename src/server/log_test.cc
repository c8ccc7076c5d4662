#include "server/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "dolmen/timestamp.h"

namespace dolmen {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct StoppedClock final : Clock {
  [[nodiscard]] TimePoint now() const override {
    return Timestamp{.seconds = 1'800'000'000, .nanoseconds = 5'000'000}.to_time_point();
  }
};

/// The lines that `write` makes.
template <class Write>
std::vector<std::string> lines_of_log(LogForm form, LogLevel level, Write write) {
  const StoppedClock clock;
  std::vector<std::string> lines;
  {
    Log log({.level = level, .form = form, .clock = &clock, .sink = [&](std::string_view line) {
               lines.emplace_back(line);
             }});
    write(log);
  }
  return lines;
}

wire::AnsweredView some_request() {
  return {.operation = "PutItem",
          .table = "notes",
          .status = 200,
          .time = std::chrono::microseconds(1500),
          .request_bytes = 60,
          .response_bytes = 2,
          .access_key = "DLMN1",
          .peer = "10.0.0.1",
          .request_id = "ABC"};
}

TEST(Log, has_one_line_for_a_message) {
  const auto write = [](Log& log) { log.write(LogLevel::kInfo, "index \"i\"\nis ready"); };
  EXPECT_THAT(lines_of_log(LogForm::kText, LogLevel::kInfo, write),
              ElementsAre("2027-01-15T08:00:00.005Z info  index \"i\" is ready"));
  EXPECT_THAT(lines_of_log(LogForm::kJson, LogLevel::kInfo, write),
              ElementsAre(R"({"time":"2027-01-15T08:00:00.005Z","level":"info","message":"index \"i\" is ready"})"));
}

TEST(Log, is_json_whatever_bytes_a_message_has) {
  EXPECT_THAT(lines_of_log(LogForm::kJson, LogLevel::kInfo, [](Log& log) { log.write(LogLevel::kWarn, "a\xff\x01z"); }),
              ElementsAre(R"({"time":"2027-01-15T08:00:00.005Z","level":"warn","message":"a  z"})"));
}

TEST(Log, tells_of_a_request_who_did_what_and_how_long_it_took) {
  const auto write = [](Log& log) { log.write(LogLevel::kDebug, some_request()); };
  EXPECT_THAT(lines_of_log(LogForm::kText, LogLevel::kDebug, write),
              ElementsAre("2027-01-15T08:00:00.005Z debug PutItem 200 1.500 ms table=notes in=60 out=2 key=DLMN1 "
                          "peer=10.0.0.1 id=ABC"));
  EXPECT_THAT(
      lines_of_log(LogForm::kJson, LogLevel::kDebug, write),
      ElementsAre(R"({"time":"2027-01-15T08:00:00.005Z","level":"debug","event":"request","operation":"PutItem",)"
                  R"("table":"notes","status":200,"time_ms":1.500,"request_bytes":60,"response_bytes":2,)"
                  R"("access_key":"DLMN1","peer":"10.0.0.1","request_id":"ABC"})"));
}

TEST(Log, names_the_type_of_an_error_and_not_its_message) {
  const Error error(Code::kValidation, "the value of \"secret\" is wrong");
  const auto write = [&](Log& log) { log.write(LogLevel::kInfo, wire::AnsweredView{.status = 400, .error = &error}); };
  EXPECT_THAT(lines_of_log(LogForm::kText, LogLevel::kInfo, write),
              ElementsAre("2027-01-15T08:00:00.005Z info  request 400 ValidationException 0.000 ms in=0 out=0"));
}

TEST(Log, leaves_out_what_its_level_does_not_want) {
  const auto write = [](Log& log) {
    log.write(LogLevel::kDebug, some_request());
    log.write(LogLevel::kInfo, "x");
    log.write(LogLevel::kWarn, "x");
  };
  EXPECT_THAT(lines_of_log(LogForm::kText, LogLevel::kError, write), IsEmpty());
  EXPECT_EQ(lines_of_log(LogForm::kText, LogLevel::kWarn, write).size(), 1U);
  EXPECT_EQ(lines_of_log(LogForm::kText, LogLevel::kInfo, write).size(), 2U);
  EXPECT_EQ(lines_of_log(LogForm::kText, LogLevel::kDebug, write).size(), 3U);
}

TEST(Log, knows_its_levels_by_their_names) {
  for (const LogLevel level : {LogLevel::kError, LogLevel::kWarn, LogLevel::kInfo, LogLevel::kDebug})
    EXPECT_EQ(log_level_of(log_level_name(level)), level);
  EXPECT_EQ(log_level_of("loud"), std::nullopt);
}

}  // namespace
}  // namespace dolmen
