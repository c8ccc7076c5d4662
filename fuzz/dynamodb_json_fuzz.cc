// DynamoDB JSON: any text is read as an item or refused with one of two codes; what is read is a valid encoding, is
// written as JSON that reads back as the same item, and obeys the rules for trees.
#include "fuzz/fuzz.h"
#include "value/encoded_item.h"
#include "value/item_rules.h"
#include "value/json.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<EncodedItem> read = json::parse_item(fuzz_input(data, size));
  if (!read) {
    const Code code = read.error().code();
    DOLMEN_CHECK(code == Code::kSerialization || code == Code::kValidation, "refused with another code");
    DOLMEN_CHECK(!read.error().message().empty(), "refused without a message");
    return 0;
  }
  const Result<Item> item = decode_item(read->bytes);
  DOLMEN_CHECK(item.has_value(), "what the reader writes can be decoded");
  DOLMEN_CHECK(check_item_rules(*item).has_value(), "what the reader accepts obeys the rules");
  const std::string text = json::to_text(*item);
  const Result<EncodedItem> again = json::parse_item(text);
  DOLMEN_CHECK(again.has_value() && *again == *read, "JSON reads back as the same item");
  return 0;
}
