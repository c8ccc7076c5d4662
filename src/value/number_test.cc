#include "dolmen/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "base/test_seed.h"
#include "dolmen/value.h"

namespace dolmen {
namespace {

constexpr const char* kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr const char* kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
constexpr const char* kPrecision = "Attempting to store more than 38 significant digits in a Number";

std::string text_of(std::string_view text) {
  const Result<Number> number = Number::parse(text);
  return number ? number->to_string() : "error: " + number.error().message();
}

TEST(Number, is_written_without_exponent_and_needless_zeros) {
  const std::pair<const char*, const char*> cases[] = {{"0", "0"},
                                                       {"-0", "0"},
                                                       {"00042", "42"},
                                                       {"1.0", "1"},
                                                       {"3.1400", "3.14"},
                                                       {"1.5E2", "150"},
                                                       {"+5", "5"},
                                                       {".5", "0.5"},
                                                       {"5.", "5"},
                                                       {"1.e5", "100000"},
                                                       {"0042.1200", "42.12"},
                                                       {"-0015.789e6", "-15789000"},
                                                       {"12E-2", "0.12"},
                                                       {"1e-7", "0.0000001"},
                                                       {"100", "100"},
                                                       {"0e125", "0"},
                                                       {"0.000", "0"},
                                                       {"-1E-3", "-0.001"}};
  for (const auto& [text, canonical] : cases) EXPECT_EQ(text_of(text), canonical) << text;
  EXPECT_EQ(text_of("1E125"), "1" + std::string(125, '0'));
  EXPECT_EQ(text_of("1e-130"), "0." + std::string(129, '0') + "1");
}

TEST(Number, refuses_text_that_is_no_number_and_repeats_it) {
  for (const char* text : {"abc",
                           " 1",
                           "1 ",
                           "1+2",
                           "1.2.3",
                           "+e2",
                           "1e",
                           "1e+",
                           "1e+-2",
                           "0x10",
                           "NaN",
                           "Infinity",
                           ".",
                           "-",
                           "+",
                           "1_0",
                           "--1",
                           "e5",
                           "1e9223372036854775808",
                           "\xD9\xA1"})
    EXPECT_EQ(text_of(text), std::string("error: The parameter cannot be converted to a numeric value: ") + text);
  EXPECT_EQ(text_of(""), "error: The parameter cannot be converted to a numeric value");
}

TEST(Number, keeps_its_range_and_precision) {
  EXPECT_EQ(text_of("1e126"), std::string("error: ") + kOverflow);
  EXPECT_EQ(text_of("-1e126"), std::string("error: ") + kOverflow);
  EXPECT_EQ(text_of("1e99999999999"), std::string("error: ") + kOverflow);
  EXPECT_EQ(text_of("0e126"), std::string("error: ") + kOverflow);
  EXPECT_EQ(text_of("1e-131"), std::string("error: ") + kUnderflow);
  EXPECT_EQ(text_of("1e-99999999999"), std::string("error: ") + kUnderflow);
  EXPECT_EQ(text_of("0e-131"), std::string("error: ") + kUnderflow);
  EXPECT_EQ(text_of("9." + std::string(37, '9') + "E125"), std::string(38, '9') + std::string(88, '0'));
  EXPECT_EQ(text_of("1" + std::string(37, '0') + "1"), std::string("error: ") + kPrecision);
  EXPECT_EQ(text_of("1" + std::string(60, '0')), "1" + std::string(60, '0'));
  EXPECT_EQ(text_of("0." + std::string(60, '0') + "12" + std::string(60, '0')), "0." + std::string(60, '0') + "12");
}

TEST(Number, is_made_of_any_integer) {
  EXPECT_EQ(Number(0).to_string(), "0");
  EXPECT_EQ(Number(-100).to_string(), "-100");
  EXPECT_EQ(Number(std::numeric_limits<std::int64_t>::min()).to_string(), "-9223372036854775808");
  EXPECT_EQ(Number(std::numeric_limits<std::uint64_t>::max()).to_string(), "18446744073709551615");
}

TEST(Number, is_written_down_to_the_last_digit) {
  EXPECT_EQ((9.99_n).to_string(), "9.99");
  EXPECT_EQ((-0.1_n).to_string(), "-0.1");
  EXPECT_EQ((1e-9_n).to_string(), "0.000000001");
  EXPECT_EQ((12345678901234567890123456789012345678_n).to_string(), "12345678901234567890123456789012345678");
  EXPECT_EQ((Item{{"price", 9.99_n}}.at("price").number()), *Number::parse("9.99"));
}

TEST(Number, gives_back_integers_that_fit) {
  EXPECT_EQ(Number(std::numeric_limits<std::int64_t>::min()).to_int64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Number(std::numeric_limits<std::int64_t>::max()).to_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Number::parse("9223372036854775808")->to_int64(), std::nullopt);
  EXPECT_EQ(Number::parse("-9223372036854775809")->to_int64(), std::nullopt);
  EXPECT_EQ(Number::parse("1e18")->to_int64(), 1'000'000'000'000'000'000);
  EXPECT_EQ(Number::parse("1e30")->to_int64(), std::nullopt);
  EXPECT_EQ(Number::parse("1.5")->to_int64(), std::nullopt);
  EXPECT_EQ(Number(std::numeric_limits<std::uint64_t>::max()).to_uint64(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(Number::parse("18446744073709551616")->to_uint64(), std::nullopt);
  EXPECT_EQ(Number::parse("1e19")->to_uint64(), 10'000'000'000'000'000'000U);
  EXPECT_EQ(Number::parse("1e20")->to_uint64(), std::nullopt);
  EXPECT_EQ(Number::parse("1e125")->to_uint64(), std::nullopt);
  EXPECT_EQ(Number(0).to_uint64(), 0U);
  EXPECT_EQ(Number(-1).to_uint64(), std::nullopt);
  EXPECT_EQ(Number::parse("0.5")->to_uint64(), std::nullopt);
}

TEST(Number, converts_doubles_by_their_shortest_text) {
  EXPECT_EQ(Number::from_double(0.1)->to_string(), "0.1");
  EXPECT_EQ(Number::from_double(-1e21)->to_string(), "-1" + std::string(21, '0'));
  EXPECT_EQ(Number::parse("0.1")->to_double(), 0.1);
  EXPECT_FALSE(Number::from_double(1e300).has_value());
  EXPECT_FALSE(Number::from_double(std::numeric_limits<double>::infinity()).has_value());
  EXPECT_FALSE(Number::from_double(std::numeric_limits<double>::quiet_NaN()).has_value());
}

TEST(Number, is_for_every_double_the_text_that_the_standard_library_writes) {
  const std::uint64_t seed = test_seed("number of double");
  std::mt19937_64 random(seed);
  const auto check = [](double value) {
    char text[32];
    const char* end = std::to_chars(text, text + sizeof(text), value).ptr;
    const Result<Number> expected = Number::parse({text, static_cast<std::size_t>(end - text)});
    EXPECT_EQ(Number::from_double(value).value_or(Number(-1)), expected.value_or(Number(-1))) << text;
  };
  for (const double value : {0.0, -0.0, 1e15, 999999999999999.0, 1e14 + 0.5, 0.0000005, 1e-6, 123456789.123456, 0.3})
    for (const double each : {value, -value, std::nextafter(value, 1e300), std::nextafter(value, 0.0)}) check(each);
  for (int i = 0; i < 20'000; ++i) {
    const auto digits = static_cast<double>(random() % (std::uint64_t{1} << random() % 54));
    check((random() % 2 == 0 ? digits : -digits) / std::pow(10, static_cast<double>(random() % 12)));
  }
}

std::string sum_of(const char* a, const char* b) {
  const Result<Number> sum = add(*Number::parse(a), *Number::parse(b));
  return sum ? sum->to_string() : "error: " + sum.error().message();
}

TEST(Number, adds_exactly_or_says_why_it_cannot) {
  EXPECT_EQ(sum_of("0.1", "0.2"), "0.3");
  EXPECT_EQ(sum_of("1E37", "1"), "10000000000000000000000000000000000001");
  EXPECT_EQ(sum_of("1E38", "1"), std::string("error: ") + kOverflow);
  EXPECT_EQ(sum_of("1E38", "-1"), std::string(38, '9'));
  EXPECT_EQ(sum_of("2E38", "-1"), std::string("error: ") + kOverflow);
  EXPECT_EQ(sum_of("1E125", "1"), std::string("error: ") + kOverflow);
  EXPECT_EQ(sum_of("9E125", "9E125"), std::string("error: ") + kOverflow);
  EXPECT_EQ(sum_of("1.1E-130", "-1E-130"), std::string("error: ") + kUnderflow);
  EXPECT_EQ(sum_of("2E-130", "-1E-130"), Number::parse("1E-130")->to_string());
  EXPECT_EQ(sum_of("99999999999999999999999999999999999999", "1"), "1" + std::string(38, '0'));
  EXPECT_EQ(sum_of("99999999999999999999999999999999999999", "2"), std::string("error: ") + kOverflow);
  EXPECT_EQ(sum_of("1E-130", "-1E-130"), "0");
  EXPECT_EQ(sum_of("-5", "0"), "-5");
  EXPECT_EQ(subtract(Number(3), Number(5))->to_string(), "-2");
  EXPECT_EQ(Number(0).negated(), Number(0));
}

/// A slow and plain decimal to compare with: a sign, any number of digits, and the power of ten of the last one.
struct Decimal {
  bool negative = false;
  std::string digits;  // most significant first, no leading or trailing zeros; empty for zero
  int exponent = 0;

  static Decimal trimmed(Decimal d) {
    d.digits.erase(0, std::min(d.digits.find_first_not_of('0'), d.digits.size()));
    while (!d.digits.empty() && d.digits.back() == '0') {
      d.digits.pop_back();
      ++d.exponent;
    }
    return d.digits.empty() ? Decimal{} : d;
  }

  [[nodiscard]] int magnitude() const { return exponent + static_cast<int>(digits.size()) - 1; }

  [[nodiscard]] std::string expected() const {
    if (digits.empty()) return "0";
    if (magnitude() > 125) return std::string("error: ") + kOverflow;
    if (magnitude() < -130) return std::string("error: ") + kUnderflow;
    if (digits.size() > 38) return std::string("error: ") + kPrecision;
    std::string plain = digits;
    if (exponent >= 0) {
      plain.append(static_cast<std::size_t>(exponent), '0');
    } else {
      const auto fraction = static_cast<std::size_t>(-exponent);
      if (plain.size() <= fraction) plain.insert(0, fraction - plain.size() + 1, '0');
      plain.insert(plain.size() - fraction, 1, '.');
    }
    return negative ? "-" + plain : plain;
  }

  /// The digits down to 10^-300, padded to 600.
  [[nodiscard]] std::string aligned() const {
    std::string out = digits;
    if (!out.empty()) out.append(static_cast<std::size_t>(exponent + 300), '0');
    return std::string(600 - out.size(), '0') + out;
  }
};

Decimal model_sum(const Decimal& a, const Decimal& b) {
  std::string x = a.aligned();
  std::string y = b.aligned();
  Decimal sum{.negative = a.negative, .digits = std::string(600, '0'), .exponent = -300};
  const bool same_sign = a.negative == b.negative;
  if (!same_sign && x < y) {
    std::swap(x, y);
    sum.negative = b.negative;
  }
  int carry = 0;
  for (std::size_t i = 600; i-- > 0;) {
    int digit = same_sign ? (x[i] - '0') + (y[i] - '0') + carry : (x[i] - '0') - (y[i] - '0') - carry;
    carry = same_sign ? digit / 10 : (digit < 0 ? 1 : 0);
    sum.digits[i] = static_cast<char>('0' + (digit + 10) % 10);
  }
  return Decimal::trimmed(sum);
}

class RandomDecimals {
 public:
  explicit RandomDecimals(std::uint64_t seed) : random_(seed) {}

  /// Mostly in range, often with few digits or near another one, sometimes beyond every limit.
  Decimal next() {
    Decimal d{.negative = random_() % 2 == 0};
    const std::size_t count = random_() % 4 == 0 ? random_() % 42 : random_() % 6;
    for (std::size_t i = 0; i < count; ++i) d.digits.push_back(static_cast<char>('0' + digit()));
    d.exponent = random_() % 3 == 0 ? static_cast<int>(random_() % 270) - 140 : static_cast<int>(random_() % 60) - 30;
    return Decimal::trimmed(d);
  }

  /// One of the many ways to write it.
  std::string text(const Decimal& d) {
    std::string out = d.negative ? "-" : (random_() % 5 == 0 ? "+" : "");
    out.append(random_() % 3, '0');
    std::string digits = d.digits.empty() ? "0" : d.digits;
    digits.append(random_() % 3, '0');
    const std::size_t added = digits.size() - d.digits.size();
    const std::size_t point = random_() % (digits.size() + 1);
    const long exponent =
        static_cast<long>(d.exponent) - static_cast<long>(added) + static_cast<long>(digits.size() - point);
    digits.insert(point, 1, '.');
    if (digits.back() == '.' && random_() % 2 == 0) digits.pop_back();
    if (digits.front() == '.' && out.find('0') == std::string::npos && random_() % 2 == 0) out.push_back('0');
    out += digits;
    if (exponent != 0 || random_() % 3 == 0) out += (random_() % 2 == 0 ? "e" : "E") + std::to_string(exponent);
    return out;
  }

 private:
  // Zeros and nines are where carries and borrows are.
  unsigned digit() {
    const auto r = static_cast<unsigned>(random_() % 16);
    return r < 10 ? r : (r < 13 ? 0 : 9);
  }

  std::mt19937_64 random_;
};

TEST(Number, parses_formats_adds_and_compares_as_a_plain_decimal_does) {
  RandomDecimals decimals(test_seed("number"));
  int sums = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Decimal a = decimals.next();
    const Decimal b = decimals.next();
    const std::string a_text = decimals.text(a);
    if (!a.digits.empty()) {
      ASSERT_EQ(text_of(a_text), a.expected()) << a_text;
    }
    const Result<Number> x = Number::parse(a.expected());
    const Result<Number> y = Number::parse(b.expected());
    if (!x || !y) continue;
    ++sums;
    const Result<Number> sum = add(*x, *y);
    std::string expected = model_sum(a, b).expected();
    if (expected == std::string("error: ") + kPrecision) expected = std::string("error: ") + kOverflow;
    ASSERT_EQ(sum ? sum->to_string() : "error: " + sum.error().message(), expected)
        << a.expected() << " + " << b.expected();
    Decimal minus_b = b;
    minus_b.negative = !b.negative;
    const Decimal difference = model_sum(a, minus_b);
    const auto order = difference.digits.empty() ? std::strong_ordering::equal
                       : difference.negative     ? std::strong_ordering::less
                                                 : std::strong_ordering::greater;
    ASSERT_TRUE((*x <=> *y) == order) << a.expected() << " <=> " << b.expected();
    ASSERT_EQ(*x == *y, order == 0);
  }
  EXPECT_GT(sums, 50'000);
}

}  // namespace
}  // namespace dolmen
