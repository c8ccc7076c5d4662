#include "upkeep/drift_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "upkeep/drift_page.h"

namespace dolmen::upkeep {
namespace {

const Model kUser{.name = "User", .table = "users", .partition_key = {"pk", KeyType::kString}};

DriftRules::Verdict broken(const std::string& rule, const std::string& path, Mend mend = Mend::kNothing) {
  return {.model = &kUser, .findings = {{.rule = rule, .path = path, .message = rule + " found", .mend = mend}}};
}

TEST(DriftReport, groups_by_model_rule_and_path_with_the_first_keys_as_samples) {
  DriftReport report;
  for (int i = 9; i >= 0; --i) report.add(broken("type", "name"), fmt::format("k{}", i), false);
  report.add(broken("type", "age", Mend::kSet), "k5", true);
  report.add({.model = &kUser, .findings = {}}, "fine", false);
  EXPECT_EQ(report.items(), 12U);
  EXPECT_EQ(report.broken(), 11U);
  EXPECT_EQ(report.left(), 10U);
  EXPECT_EQ(report.mendable(), 1U);
  ASSERT_EQ(report.sorted().size(), 2U);
  const DriftGroup& names = report.sorted().front()->second;
  EXPECT_EQ(names.count, 10U);
  ASSERT_EQ(names.samples.size(), kDriftSamples);
  EXPECT_EQ(names.samples.front().key, "k0");
  EXPECT_EQ(names.samples.back().key, "k4");
  EXPECT_EQ(report.sorted().back()->second.mended, 1U);
}

TEST(DriftReport, is_the_same_in_whatever_order_its_parts_come) {
  std::vector<DriftReport> parts(4);
  for (int i = 0; i < 40; ++i)
    parts[static_cast<std::size_t>(i % 4)].add(broken(i % 3 == 0 ? "type" : "null", "name"), fmt::format("k{:02}", i),
                                               false);
  DriftReport one;
  DriftReport other;
  for (const DriftReport& part : parts) one.add(part);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) other.add(*part);
  EXPECT_EQ(one, other);
}

TEST(DriftReport, stays_small_when_every_item_has_its_own_attributes) {
  DriftReport report;
  for (int i = 0; i < 5'000; ++i) report.add(broken("undeclared", fmt::format("a{}", i)), fmt::format("k{}", i), false);
  EXPECT_LE(report.groups().size(), kDriftGroups + 1);
  std::uint64_t count = 0;
  for (const auto& [place, group] : report.groups()) count += group.count;
  EXPECT_EQ(count, 5'000U);
}

TEST(DriftReport, survives_being_written_down) {
  DriftReport report;
  report.add(broken("type", "na\"me<é>"), "k\n1", false);
  report.add(broken("time", "seen", Mend::kSet), "k2", true);
  report.add_refusal("k3", "the contract v1");
  EXPECT_EQ(DriftReport::from_json(report.to_json()).value(), report);
  EXPECT_FALSE(DriftReport::from_json("[]"));
  EXPECT_FALSE(DriftReport::from_json("{}"));
  EXPECT_FALSE(DriftReport::from_json(R"({"items":1,"broken":1,"left":1,"mendable":0,"refused":0,"findings":[{}]})"));
}

TEST(KeyText, is_one_line) {
  const TableDefinition table{
      .name = "users", .partition_key = {"pk", KeyType::kString}, .sort_key = KeyAttribute{"sk", KeyType::kBinary}};
  EXPECT_EQ(key_text({{"pk", "USER#1"}, {"sk", Bytes("\xff")}}, table), "USER#1//w==");
  EXPECT_EQ(key_text({{"pk", "a\nb"}, {"sk", Bytes("a")}}, table), "\"a\\nb\"/YQ==");
}

TEST(DriftPage, escapes_what_items_hold_and_needs_nothing_beside_it) {
  DriftReport report;
  report.add(broken("undeclared", "<script>alert(1)</script>"), "k&1", false);
  const std::string html =
      drift_page(report, {.table = "users", .store = "./data", .models = "user.yml", .time = "now"});
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
  EXPECT_NE(html.find("k&amp;1"), std::string::npos);
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos);
}

TEST(DriftPage, never_says_100_percent_when_something_is_broken) {
  DriftReport report;
  for (int i = 0; i < 1'000'000; ++i) report.add({.model = &kUser, .findings = {}}, "", false);
  EXPECT_NE(drift_page(report, {}).find("100.00 %"), std::string::npos);
  report.add(broken("type", "name"), "k", false);
  EXPECT_EQ(drift_page(report, {}).find("100.00 %"), std::string::npos);
}

}  // namespace
}  // namespace dolmen::upkeep
