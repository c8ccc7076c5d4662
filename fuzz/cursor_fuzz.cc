// Cursors: any text is read or refused, also as the JSON inside; an accepted cursor can be written and read again.
#include "base/base64.h"
#include "dolmen/model/cursor.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

namespace {

void check(std::string_view text) {
  const Result<Cursor> cursor = decode_cursor(text);
  if (!cursor) {
    DOLMEN_CHECK(cursor.error().code() == Code::kInvalidOperator, "a damaged cursor has one code");
  } else if (!cursor->last_key.empty()) {
    DOLMEN_CHECK(decode_cursor(encode_cursor(*cursor)) == *cursor, "a cursor reads back");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(fuzz_input(data, size));
  check(encode_base64(fuzz_input(data, size), Base64::kUrl));
  return 0;
}
