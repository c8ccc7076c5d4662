#include "base/number_text.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include "base/test_locale.h"
#include "base/test_seed.h"

namespace dolmen {
namespace {

/// Minus zero is not zero here.
::testing::AssertionResult reads_as(std::string_view text, double value) {
  const std::optional<double> read = parse_decimal(text);
  if (read && std::bit_cast<std::uint64_t>(*read) == std::bit_cast<std::uint64_t>(value))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << text << " is read as " << (read ? std::to_string(*read) : "nothing");
}

TEST(NumberText, reads_decimals_in_every_form) {
  EXPECT_TRUE(reads_as("0", 0));
  EXPECT_TRUE(reads_as("-0", -0.0));
  EXPECT_TRUE(reads_as("+12", 12));
  EXPECT_TRUE(reads_as(".5", 0.5));
  EXPECT_TRUE(reads_as("-1.", -1));
  EXPECT_TRUE(reads_as("1.e3", 1000));
  EXPECT_TRUE(reads_as("1E+2", 100));
  EXPECT_TRUE(reads_as("25e-1", 2.5));
  EXPECT_TRUE(reads_as("0.1", 0.1));
  EXPECT_TRUE(reads_as("4.9406564584124654e-324", std::bit_cast<double>(std::uint64_t{1})));
}

TEST(NumberText, refuses_what_is_not_a_decimal) {
  for (const char* text : {"", "+", "-", ".", "e5", ".e5", "1e", "1e+", " 1", "1 ", "1,5", "0x10", "inf", "nan",
                           "Infinity", "--1", "+-1", "1e5.0", "1.2.3"})
    EXPECT_FALSE(parse_decimal(text)) << text;
}

TEST(NumberText, reads_what_no_double_can_hold_as_infinite_or_as_zero) {
  const double infinite = HUGE_VAL;
  EXPECT_TRUE(reads_as("1e309", infinite));
  EXPECT_TRUE(reads_as("-1e309", -infinite));
  EXPECT_TRUE(reads_as(std::string(400, '9'), infinite));
  EXPECT_TRUE(reads_as("0." + std::string(10, '0') + "1e400", infinite));
  EXPECT_TRUE(reads_as("1e-400", 0));
  EXPECT_TRUE(reads_as("-1e-400", -0.0));
  EXPECT_TRUE(reads_as("0." + std::string(400, '0') + "1", 0));
  EXPECT_TRUE(reads_as("1" + std::string(10, '0') + "e-400", 0));
  EXPECT_TRUE(reads_as("1e99999999999999999999", infinite));
  EXPECT_TRUE(reads_as("1e-99999999999999999999", 0));
  EXPECT_TRUE(reads_as("0e99999999999999999999", 0));
}

TEST(NumberText, reads_every_number_as_the_c_library_does) {
  std::mt19937_64 random(test_seed("NumberText"));
  const auto digits = [&] {
    std::string text;
    for (std::uint64_t left = random() % 25; left > 0; --left) text += static_cast<char>('0' + random() % 10);
    return text;
  };
  for (int i = 0; i < 100'000; ++i) {
    std::string text = random() % 2 == 0 ? "-" : "";
    text += digits() + "." + digits() + "7e" + std::to_string(static_cast<int>(random() % 700) - 350);
    EXPECT_TRUE(reads_as(text, std::strtod(text.c_str(), nullptr)));
  }
}

TEST(NumberText, reads_a_point_in_a_locale_with_a_decimal_comma) {
  const DecimalComma locale;
  if (!DecimalComma::is_set()) GTEST_SKIP() << "this C library does not take a locale of our making";
  EXPECT_TRUE(reads_as("1.5", 1.5));
  EXPECT_FALSE(parse_decimal("1,5"));
}

}  // namespace
}  // namespace dolmen
