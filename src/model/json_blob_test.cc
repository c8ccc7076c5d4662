#include <cmath>
#include <gtest/gtest.h>

#include "dolmen/model/logical_value.h"

// Section 2.4: the one text of a JSON value.
namespace dolmen {
namespace {

std::string canonical(std::string_view text) {
  const Result<LogicalValue> value = parse_json(text);
  if (!value) return std::string(portable_error_name(value.error().code()));
  const Result<std::string> out = canonical_json(*value);
  return out ? *out : std::string(portable_error_name(out.error().code()));
}

TEST(JsonBlob, section_2_4_sorts_names_by_their_bytes) {
  EXPECT_EQ(canonical(R"({"b": {"\uD800\uDC00": 1, "\uFB01": 2}, "9": 1, "10": 2, "B": 3, "": 4})"),
            "{\"\":4,\"10\":2,\"9\":1,\"B\":3,\"b\":{\"\xEF\xAC\x81\":2,\"\xF0\x90\x80\x80\":1}}");
}

TEST(JsonBlob, section_2_4_writes_doubles_as_rfc_8785_does_and_integers_exactly) {
  const std::pair<const char*, const char*> cases[] = {
      {"1.0", "1"},
      {"-0", "0"},
      {"-0.0", "0"},
      {"1e21", "1e+21"},
      {"1e20", "100000000000000000000"},
      {"1e-6", "0.000001"},
      {"1e-7", "1e-7"},
      {"2.5e3", "2500"},
      {"1.50", "1.5"},
      {"-1.25e-9", "-1.25e-9"},
      {"333333333.33333329", "333333333.3333333"},
      {"4.50", "4.5"},
      {"2e-3", "0.002"},
      {"0.000000000000000000000000001", "1e-27"},
      {"5e-324", "5e-324"},
      {"1e-999", "0"},
      {"1.7976931348623157e308", "1.7976931348623157e+308"},
      {"9007199254740993", "9007199254740993"},
      {"123456789012345678901234567890123456789012345", "123456789012345678901234567890123456789012345"}};
  for (const auto& [in, out] : cases) EXPECT_EQ(canonical(in), out) << in;
}

TEST(JsonBlob, section_2_4_escapes_only_what_it_must) {
  EXPECT_EQ(canonical(R"("\u003c>&/\u2028\u007f\b\f\n\r\t\u0001\u001F\"\\")"),
            "\"<>&/\xE2\x80\xA8\x7F\\b\\f\\n\\r\\t\\u0001\\u001f\\\"\\\\\"");
}

TEST(JsonBlob, section_2_4_refuses_what_is_not_json) {
  for (const char* text :
       {"NaN", "Infinity", "1e999", "-1e999", "[1,]", "{\"a\":1,\"a\":2}", "\"\\ud800\"", "01", "'x'", ""})
    EXPECT_EQ(canonical(text), "ErrInvalidModel") << text;
  EXPECT_FALSE(canonical_json(LogicalNumber{"007"}));
  EXPECT_FALSE(canonical_json(INFINITY));
  EXPECT_FALSE(canonical_json(std::string("\xFF")));
}

TEST(JsonBlob, section_2_4_has_a_limit_of_depth) {
  EXPECT_EQ(canonical(std::string(256, '[') + std::string(256, ']')).size(), 512U);
  EXPECT_EQ(canonical(std::string(257, '[') + std::string(257, ']')), "ErrInvalidModel");
}

}  // namespace
}  // namespace dolmen
