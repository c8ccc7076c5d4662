#include "base/unicode.h"

#include <gtest/gtest.h>

#include "base/test_seed.h"

namespace dolmen {
namespace {

TEST(Utf8, accepts_every_scalar_value_and_nothing_else) {
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    std::string text;
    append_utf8(text, code_point);
    ASSERT_EQ(is_utf8(text), !surrogate) << static_cast<unsigned>(code_point);
  }
}

TEST(Utf8, refuses_malformed_sequences) {
  using namespace std::string_view_literals;
  for (const std::string_view text :
       {"\x80"sv, "\xBF"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xE0\x80\x80"sv, "\xE0\x9F\xBF"sv, "\xF0\x80\x80\x80"sv,
        "\xF0\x8F\xBF\xBF"sv, "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xFF"sv, "\xC2"sv, "\xE2\x82"sv,
        "\xF0\x9F\x98"sv, "a\xC2"sv, "\xC2g"sv, "eight by\xED\xA0\x80"sv})
    EXPECT_FALSE(is_utf8(text));
}

TEST(Utf8, finds_a_bad_byte_at_every_offset_of_a_long_text) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    EXPECT_TRUE(is_utf8(text));
    text[at] = '\xFF';
    EXPECT_FALSE(is_utf8(text)) << at;
    EXPECT_EQ(utf16_from_utf8(text).error().message(), "invalid UTF-8 at byte " + std::to_string(at));
  }
}

TEST(Utf16, converts_both_ways) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";
  const std::u16string units = u"aé€😀z";
  EXPECT_EQ(utf16_from_utf8(text).value(), units);
  EXPECT_EQ(utf8_from_utf16(units).value(), text);
  EXPECT_EQ(utf16_length(text), units.size());
}

TEST(Utf16, refuses_lone_surrogates_and_says_where) {
  EXPECT_EQ(utf8_from_utf16({u"a\xD800"}).error().message(), "lone UTF-16 surrogate at code unit 1");
  EXPECT_EQ(utf8_from_utf16({u"\xDC00z"}).error().message(), "lone UTF-16 surrogate at code unit 0");
  EXPECT_FALSE(utf8_from_utf16({u"\xD800\xD800"}).has_value());
}

TEST(Utf16, round_trips_random_text) {
  std::mt19937_64 random(test_seed("utf16"));
  for (int i = 0; i < 5'000; ++i) {
    std::string text;
    for (std::uint64_t n = random() % 20; n > 0; --n) {
      const auto code_point = static_cast<char32_t>(random() % 0x110000);
      if (code_point < 0xD800 || code_point > 0xDFFF) append_utf8(text, code_point);
    }
    const std::u16string units = utf16_from_utf8(text).value();
    ASSERT_EQ(utf8_from_utf16(units).value(), text);
    ASSERT_EQ(utf16_length(text), units.size());
  }
}

}  // namespace
}  // namespace dolmen
