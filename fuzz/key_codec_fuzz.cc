// The key codec: any bytes either decode to a value that encodes to exactly what was read, or are refused; and two byte
// strings are ordered as their encodings are.
#include "fuzz/fuzz.h"
#include "value/key_codec.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);

  std::string_view rest = input;
  if (const auto number = take_ordered_number(rest)) {
    std::string encoded;
    append_ordered_number(encoded, *number);
    DOLMEN_CHECK(encoded == input.substr(0, input.size() - rest.size()), "a number has one encoding");
    std::string_view skipped = input;
    DOLMEN_CHECK(skip_ordered_number(skipped) && skipped == rest, "skipping ends where reading does");
  }

  rest = input;
  if (const auto bytes = take_ordered_bytes(rest)) {
    std::string encoded;
    append_ordered_bytes(encoded, *bytes);
    DOLMEN_CHECK(encoded == input.substr(0, input.size() - rest.size()), "a byte string has one encoding");
  }

  if (input.empty()) return 0;
  const std::size_t cut = static_cast<unsigned char>(input[0]) % input.size();
  const std::string_view a = input.substr(0, cut);
  const std::string_view b = input.substr(cut);
  std::string encoded_a;
  std::string encoded_b;
  append_ordered_bytes(encoded_a, a);
  append_ordered_bytes(encoded_b, b);
  DOLMEN_CHECK((a < b) == (encoded_a < encoded_b) && (a == b) == (encoded_a == encoded_b), "order is kept");
  return 0;
}
