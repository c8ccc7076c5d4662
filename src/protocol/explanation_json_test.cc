#include "protocol/explanation_json.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen {
namespace {

Explanation example() {
  return {.operation = "Query",
          .parts = {{.table = "notes",
                     .index = "by-date",
                     .partitions_read = 1,
                     .items_read = 10,
                     .items_returned = 2,
                     .items_fetched = 2,
                     .bytes_read = 1000,
                     .bytes_fetched = 300,
                     .bytes_returned = 200,
                     .capacity = 2.5}},
          .phases = {{"read", std::chrono::nanoseconds(1234)}},
          .warnings = {{"hot-partition", "partition {\"topic\":{\"S\":\"d\xC3\xB3lmen \xF0\x9F\xAA\xA8\"}} has most"}}};
}

TEST(ExplanationJson, comes_back_as_it_was) {
  EXPECT_EQ(read_explanation(explanation_json(example())).value(), example());
  EXPECT_EQ(read_explanation(explanation_header(example())).value(), example());
}

TEST(ExplanationJson, fits_into_a_header) {
  Explanation large = example();
  large.warnings.clear();
  for (int i = 0; i < 100; ++i) large.parts.push_back({.table = std::string(255, 'x') + std::to_string(i)});
  const std::string header = explanation_header(large);
  EXPECT_LE(header.size(), 6000U);
  EXPECT_TRUE(std::ranges::all_of(header, [](char c) { return c >= ' ' && c < 0x7F; }));
  EXPECT_NE(header.find("\"left_out\":true"), std::string::npos);
  EXPECT_EQ(explanation_header(example()).find("left_out"), std::string::npos);
  EXPECT_TRUE(std::ranges::all_of(explanation_header(example()), [](char c) { return c >= ' ' && c < 0x7F; }));
}

TEST(ExplanationJson, is_whole_in_a_header_of_6000_bytes) {
  Explanation full{.operation = "BatchGetItem", .parts = {{.table = "a"}, {.table = "b"}, {.table = "c"}}};
  full.parts[2].table.append(6000 - explanation_header(full).size(), 'x');
  EXPECT_EQ(explanation_header(full).size(), 6000U);
  EXPECT_EQ(read_explanation(explanation_header(full)).value(), full);
  full.parts[2].table += 'x';
  EXPECT_NE(explanation_header(full).find("\"left_out\":true"), std::string::npos);
}

TEST(ExplanationJson, refuses_what_is_not_one) {
  for (const char* text : {"", "1", "{}", R"({"operation":"Query","parts":[1]})"})
    EXPECT_THAT(read_explanation(text), fails_with(Code::kUnexpectedResponse)) << text;
}

}  // namespace
}  // namespace dolmen
