#include "value/key_codec.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/test_seed.h"
#include "value/encoded_item.h"
#include "value/test_items.h"

namespace dolmen {
namespace {

std::string encoded(const Number& number) {
  std::string out;
  append_ordered_number(out, number);
  return out;
}

std::string encoded(std::string_view bytes) {
  std::string out;
  append_ordered_bytes(out, bytes);
  return out;
}

int sign(auto order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

/// Unsigned comparison of bytes, as the storage does it.
int byte_order(const std::string& a, const std::string& b) { return sign(a.compare(b) <=> 0); }

TEST(KeyCodec, orders_any_two_numbers_as_their_values) {
  RandomItems items(test_seed("number keys"));
  for (int i = 0; i < 100'000; ++i) {
    const Number a = items.number();
    const Number b = items.below(4) == 0 ? add(a, Number(1)).value_or(a) : items.number();
    ASSERT_EQ(byte_order(encoded(a), encoded(b)), sign(a <=> b)) << a.to_string() << " " << b.to_string();
  }
}

TEST(KeyCodec, orders_any_two_byte_strings_as_their_bytes) {
  RandomItems items(test_seed("byte keys"));
  for (int i = 0; i < 100'000; ++i) {
    const std::string a = items.bytes();
    const std::string b = items.below(4) == 0 ? a + items.bytes() : items.bytes();
    ASSERT_EQ(byte_order(encoded(a), encoded(b)), sign(a.compare(b) <=> 0));
  }
}

TEST(KeyCodec, stays_in_order_whatever_follows) {
  // A sort key follows a partition key: the end of the first must not be mistaken for content.
  RandomItems items(test_seed("followed keys"));
  for (int i = 0; i < 20'000; ++i) {
    const std::string a = items.bytes();
    const std::string b = items.bytes();
    if (a == b) continue;
    ASSERT_EQ(byte_order(encoded(a) + items.bytes(), encoded(b) + items.bytes()), sign(a.compare(b) <=> 0));
    const Number x = items.number();
    const Number y = items.number();
    if (x == y) continue;
    ASSERT_EQ(byte_order(encoded(x) + items.bytes(), encoded(y) + items.bytes()), sign(x <=> y));
  }
}

TEST(KeyCodec, reads_back_what_it_writes_and_leaves_the_rest) {
  RandomItems items(test_seed("key round trip"));
  for (int i = 0; i < 50'000; ++i) {
    const Number number = items.number();
    const std::string bytes = items.bytes();
    const std::string both = encoded(number) + encoded(bytes) + "rest";
    std::string_view view = both;
    ASSERT_EQ(take_ordered_number(view), number);
    ASSERT_EQ(take_ordered_bytes(view), bytes);
    ASSERT_EQ(view, "rest");
    view = both;
    ASSERT_TRUE(skip_ordered_number(view));
    ASSERT_EQ(view, encoded(bytes) + "rest");
  }
}

TEST(KeyCodec, takes_1_to_22_bytes_for_a_number) {
  EXPECT_EQ(encoded(Number(0)).size(), 1U);
  EXPECT_EQ(encoded(Number(7)).size(), 4U);
  EXPECT_EQ(encoded(Number::parse("-" + std::string(38, '9')).value()).size(), 22U);
}

/// A plain decimal as the header defines it, found in another way than by the function itself.
bool is_plain(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool known = text.find_first_not_of("0123456789.") == std::string_view::npos;
  const bool digits = text.find_first_of("0123456789") != std::string_view::npos;
  return known && digits && std::ranges::count(text, '.') <= 1 && text.size() <= limits::kNumberDigits;
}

/// Fails unless the text is written as `Number::parse` and `append_ordered_number` write it, when it is plain.
void check_plain_number(const std::string& text) {
  char out[kOrderedNumberBytes];
  const PutNumber put = put_plain_number(out, text);
  ASSERT_EQ(put.end != nullptr, is_plain(text)) << text;
  if (put.end == nullptr) return;
  const Number number = Number::parse(text).value();
  ASSERT_EQ(std::string(out, put.end), encoded(number)) << text;
  ASSERT_EQ(put.size, number_size(number)) << text;
}

TEST(KeyCodec, writes_plain_decimals_as_it_writes_the_numbers_that_they_stand_for) {
  for (const std::string_view text :
       {"0",    "-0",        "0.0",   "7",   "-7", "10", "100", "1.",  ".1", "-.5", "0.001",
        "1.50", "00012.300", "99",    "101", "",   ".",  "-",   "-.",  "+1", "1e3", "1E3",
        "--1",  "1-",        "1.2.3", " 1",  "1 ", "/",  ":",   "0x1", "NaN"})
    check_plain_number(std::string(text));
  // Around the most digits that a number has, and the longest plain text.
  for (const char* sign : {"", "-"})
    for (std::size_t length = 17; length <= 42; ++length)
      for (const char digit : {'0', '1', '9'})
        for (std::size_t point = 0; point <= length; ++point) {
          std::string text(length, digit);
          check_plain_number(sign + text);
          check_plain_number(sign + text.insert(point, "."));
        }
}

TEST(KeyCodec, writes_any_plain_decimal_as_the_number_that_it_stands_for) {
  RandomItems items(test_seed("plain decimals"));
  for (int i = 0; i < 200'000; ++i) {
    // Mostly digits, many of them zero, so that there are leading and trailing ones.
    constexpr std::string_view kCharacters = "0000000000000000123456789123456789.";
    std::string text = items.below(3) == 0 ? "-" : "";
    for (std::size_t length = items.below(items.below(4) == 0 ? 44 : 12); length > 0; --length)
      text.push_back(kCharacters[items.below(kCharacters.size())]);
    if (items.below(10) == 0) text.insert(items.below(text.size() + 1), 1, "+-eE. x"[items.below(7)]);
    check_plain_number(text);
  }
}

TEST(KeyCodec, refuses_numbers_that_it_does_not_write) {
  using namespace std::string_view_literals;
  for (std::string_view bytes : {""sv, "\x81"sv, "\xC0"sv, "\xC0\x82"sv, "\xC0\x82\x00"sv, "\xC0\x82\x0B"sv,
                                 "\xC0\x82\x05\x00"sv, "\xC0\x82\x0B\x01\x00"sv, "\xC0\x82\x66\x00"sv})
    EXPECT_EQ(take_ordered_number(bytes), std::nullopt);
  const std::string too_long = "\xC0\x82" + std::string(20, '\x0B') + '\0';
  std::string_view view = too_long;
  EXPECT_EQ(take_ordered_number(view), std::nullopt);
}

TEST(KeyCodec, refuses_byte_strings_that_it_does_not_write) {
  using namespace std::string_view_literals;
  for (std::string_view bytes : {""sv, "abc"sv, "abc\0"sv, "a\0\x01"sv, "\0\xFF"sv})
    EXPECT_EQ(take_ordered_bytes(bytes), std::nullopt);
}

}  // namespace
}  // namespace dolmen
