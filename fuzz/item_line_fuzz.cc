// Lines of imports and exports: any text is read or refused as DynamoDB JSON and as Ion; an item that was accepted
// reads back from a line of either form.
#include "formats/item_line.h"
#include "fuzz/fuzz.h"

using namespace dolmen;
using formats::LineForm;

namespace {

void check_written(const EncodedItem& item, LineForm form) {
  std::string line;
  DOLMEN_CHECK(formats::append_item_line(line, item.bytes, form).has_value(), "an accepted item can be written");
  DOLMEN_CHECK(line.ends_with('\n') && line.find('\n') == line.size() - 1, "a line is one line");
  const Result<formats::PutLine> again = formats::parse_put_line(line, form);
  DOLMEN_CHECK(again && again->item == item && !again->condition, "an item reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const LineForm form : {LineForm::kDynamoJson, LineForm::kIon}) {
    const Result<formats::PutLine> line = formats::parse_put_line(fuzz_input(data, size), form);
    if (!line) {
      DOLMEN_CHECK(line.error().code() == Code::kValidation || line.error().code() == Code::kSerialization,
                   "a refusal has one of two codes");
      continue;
    }
    check_written(line->item, LineForm::kDynamoJson);
    check_written(line->item, LineForm::kIon);
  }
  return 0;
}
