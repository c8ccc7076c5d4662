// Update expressions: src/expr and the reference (fuzz/reference) accept the same texts, make the same items, and name
// the same updated paths.
#include "fuzz/expression_fuzz.h"
#include "fuzz/reference/agreement.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  if (is_text_input(input)) {
    check_agreement(reference::update_disagreement(request_of_text(input), item_for_text()));
    return 0;
  }
  reference::Choices choices(input.substr(1));
  reference::Generator generator(choices);
  const reference::Request request = generator.update();
  check_agreement(reference::update_disagreement(request, generator.item()));
  return 0;
}
