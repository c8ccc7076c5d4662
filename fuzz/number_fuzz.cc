// Number text: what is accepted reads back from its canonical text as the same number, keeps its order-preserving
// encoding, and cancels itself out.
#include "dolmen/number.h"
#include "fuzz/fuzz.h"
#include "value/key_codec.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<Number> number = Number::parse(fuzz_input(data, size));
  if (!number) return 0;
  const std::string text = number->to_string();
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
