// The item codec: any bytes either decode to an item that encodes to the same bytes, or are refused; and everything
// that walks encoded bytes without decoding them stays within them, and agrees with the decoder where the bytes are
// good.
#include "fuzz/fuzz.h"
#include "value/encoded_item.h"
#include "value/json.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  const Result<Item> item = decode_item(input);
  item_size(input);
  find_attribute(input, "a");
  std::string text;
  const Result<void> written = json::append_item(text, input);
  if (!item) return 0;

  DOLMEN_CHECK(encode_item(*item).bytes == input, "an item has one encoding");
  DOLMEN_CHECK(written.has_value(), "a good item can be written");
  for (const auto& [name, value] : *item) {
    std::string encoded;
    append_value(encoded, value);
    DOLMEN_CHECK(find_attribute(input, name) == encoded, "an attribute is found");
  }
  // Only an empty name is accepted by the codec and not by the wire.
  const Result<EncodedItem> read = json::parse_item(text);
  DOLMEN_CHECK(!read || read->bytes == input, "JSON reads back as the same item");
  return 0;
}
