#include "history.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "base/test_result.h"
#include "linearisability.h"
#include "serialisability.h"

namespace dolmen::history {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

History parsed(const std::string& text) {
  std::istringstream input(text);
  return read_history(input).value();
}

std::vector<std::string> violations(const History& history) {
  std::vector<std::string> found = find_not_serialisable(history);
  for (const Object& object : history.objects)
    if (auto complaint = find_not_linearisable(object)) found.push_back(*std::move(complaint));
  return found;
}

/// The first line of a case is a comment: "# fine", or "# violation: " and a part of what is said.
TEST(HistoryCases, are_judged_as_they_say) {
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/history/cases")) {
    SCOPED_TRACE(entry.path().filename().string());
    ++cases;
    std::ifstream file(entry.path());
    std::string verdict;
    std::getline(file, verdict);
    const Result<History> history = read_history(file);
    ASSERT_TRUE(history) << history.error().message();
    const std::vector<std::string> found = violations(*history);
    if (verdict == "# fine") {
      EXPECT_THAT(found, IsEmpty());
    } else {
      ASSERT_TRUE(verdict.starts_with("# violation: ")) << verdict;
      ASSERT_THAT(found, SizeIs(testing::Ge(1)));
      EXPECT_THAT(found.front(), HasSubstr(verdict.substr(13)));
    }
  }
  EXPECT_GE(cases, 20U);
}

TEST(HistoryReader, names_the_line_that_is_wrong) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"\nx 1 2 done jump 3", "line 2: the kind \"jump\""},
           {"x 1 2 done read", "the value is missing"},
           {"x 1 2 done read 3a", "\"3a\" is not a whole number"},
           {"x 2 1 done read 3", "it ends before it begins"},
           {"x 1 - done read 3", "only an unknown outcome has no end"},
           {"x 1 2 unknown read 3", "only an unknown outcome has no end"},
           {"x 1 2 lost read 3", "the outcome \"lost\""},
           {"transaction 1 2 done x k 3", "an access is r or w, not \"x\""},
       }) {
    std::istringstream input(text);
    EXPECT_THAT(read_history(input), fails_with(Code::kValidation, HasSubstr(message)));
  }
}

/// Eight clients of a register that is never wrong; every read gives the value of the moment in the middle of it.
std::string long_history(std::size_t operations, bool one_stale_read) {
  std::string text;
  std::uint64_t random = 7;
  std::int64_t value = 0;
  for (std::size_t i = 0; i < operations; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const auto middle = static_cast<std::int64_t>(i) * 10;
    const auto width = static_cast<std::int64_t>((random >> 33U) % 40);
    const std::string times = std::to_string(middle - width) + " " + std::to_string(middle + width);
    if (random >> 63U == 0) {
      value = static_cast<std::int64_t>(i) + 1;
      text += "x " + times + " done write " + std::to_string(value) + "\n";
    } else {
      const bool stale = one_stale_read && i > operations - 50;
      const std::string seen = value == 0 ? "-" : std::to_string(stale ? 1 : value);
      text += "x " + times + " done read " + seen + "\n";
    }
  }
  return text;
}

TEST(Linearisability, of_a_hundred_thousand_operations_on_one_object_is_decided) {
  EXPECT_THAT(violations(parsed(long_history(100'000, false))), IsEmpty());
  EXPECT_THAT(violations(parsed(long_history(100'000, true))), SizeIs(1));
}

TEST(Serialisability, of_a_hundred_thousand_transactions_is_decided) {
  std::string text;
  std::int64_t versions[10] = {};
  for (std::int64_t i = 1; i <= 100'000; ++i) {
    const std::int64_t a = i % 10;
    const std::int64_t b = (i * 7 + 3) % 10;
    const auto seen = [&](std::int64_t key) {
      return versions[key] == 0 ? std::string("-") : std::to_string(versions[key]);
    };
    text += "transaction " + std::to_string(i * 10 - 15) + " " + std::to_string(i * 10 + 15) + " done";
    text += " r " + std::to_string(a) + " " + seen(a) + " w " + std::to_string(a) + " " + std::to_string(i);
    if (a != b) text += " r " + std::to_string(b) + " " + seen(b);
    text += "\n";
    versions[a] = i;
  }
  EXPECT_THAT(violations(parsed(text)), IsEmpty());
  EXPECT_THAT(violations(parsed(text + "transaction 2000000 2000001 done r 3 13\n")), SizeIs(1));
}

}  // namespace
}  // namespace dolmen::history
