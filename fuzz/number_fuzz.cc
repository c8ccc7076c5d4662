// Number text: accepted and written as arithmetic on paper (fuzz/reference) says. An accepted number reads back from
// its canonical text as the same number, keeps its order-preserving encoding, and cancels itself out; two numbers are
// compared and added as on paper.
#include <algorithm>

#include "dolmen/number.h"
#include "fuzz/fuzz.h"
#include "fuzz/reference/decimal.h"
#include "value/key_codec.h"

using namespace dolmen;

namespace {

void check_pair(const Number& a, const Number& b) {
  const std::string left = a.to_string();
  const std::string right = b.to_string();
  const int order = reference::compare_decimals(left, right);
  DOLMEN_CHECK((a < b) == (order < 0) && (a == b) == (order == 0), "the order is that of paper");
  const Result<Number> sum = add(a, b);
  const std::optional<std::string> expected = reference::add_decimals(left, right);
  DOLMEN_CHECK(sum.has_value() == expected.has_value(), "a sum can be stored or not");
  DOLMEN_CHECK(!sum || sum->to_string() == *expected, "the sum is that of paper");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A line break stands between two numbers.
  const std::string_view input = fuzz_input(data, size);
  const std::size_t cut = std::min(input.find('\n'), input.size());
  const Result<Number> number = Number::parse(input.substr(0, cut));
  const std::optional<std::string> expected = reference::read_decimal(input.substr(0, cut));
  // Zero is refused when its exponent is out of range.
  DOLMEN_CHECK(number.has_value() == expected.has_value() || (!number && expected == "0"), "a number is one or not");
  if (!number) return 0;
  const std::string text = number->to_string();
  DOLMEN_CHECK(text == *expected, "the canonical text is that of paper");
  if (cut < input.size())
    if (const Result<Number> other = Number::parse(input.substr(cut + 1))) check_pair(*number, *other);
  DOLMEN_CHECK(text.find_first_of("eE+") == std::string::npos, "canonical text is plain");
  DOLMEN_CHECK(Number::parse(text) == *number, "canonical text reads back");
  DOLMEN_CHECK(Number::parse(text)->to_string() == text, "canonical text is stable");
  std::string encoded;
  append_ordered_number(encoded, *number);
  std::string_view rest = encoded;
  DOLMEN_CHECK(encoded.size() <= 22 && take_ordered_number(rest) == *number && rest.empty(), "the encoding reads back");
  DOLMEN_CHECK(subtract(*number, *number) == Number(), "a number minus itself is zero");
  DOLMEN_CHECK((*number <=> number->negated()) == (*number <=> Number()),
               "the sign decides the order with its opposite");
  return 0;
}
