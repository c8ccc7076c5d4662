// Ion: any text is read as an item or refused with one code; what is accepted reads back as the same item from the Ion
// and from the DynamoDB JSON that are written for it.
#include "formats/ion.h"
#include "fuzz/fuzz.h"
#include "value/json.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<Item> item = formats::parse_ion(fuzz_input(data, size));
  if (!item) {
    DOLMEN_CHECK(item.error().code() == Code::kValidation, "a refusal has one code");
    return 0;
  }
  std::string written;
  formats::append_ion(written, *item);
  const Result<Item> again = formats::parse_ion(written);
  DOLMEN_CHECK(again && *again == *item, "Ion reads back");
  // What DynamoDB refuses beside that, such as an empty set, is refused there.
  const Result<EncodedItem> other = json::parse_item(json::to_text(*item));
  DOLMEN_CHECK(!other || *other == encode_item(*item), "both forms have the same meaning");
  return 0;
}
