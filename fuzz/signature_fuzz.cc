// Signatures of requests that nobody has checked: whatever is in the header and the query, the one form of a request
// does not depend on the order in which its headers came.
#include <algorithm>

#include "access/claim.h"
#include "access/signed_request.h"
#include "fuzz/fuzz.h"

namespace {

/// Up to the next line feed.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dolmen::access;
  std::string_view text = fuzz_input(data, size);
  SignedRequest request{.method = "POST", .path = "/"};
  request.query = take_line(text);
  request.headers.push_back({"Authorization", take_line(text)});
  request.headers.push_back({"X-Amz-Date", take_line(text)});
  request.headers.push_back({"host", take_line(text)});
  if (request.headers.front().value.empty()) request.headers.erase(request.headers.begin());
  request.body = text;
  const auto claim = read_claim(request);
  if (!claim || !*claim) return 0;
  SignedRequest turned = request;
  std::ranges::reverse(turned.headers);
  const std::string names((*claim)->signed_headers);
  DOLMEN_CHECK(canonical_request(request, names) == canonical_request(turned, names),
               "the order of headers does not matter");
  return 0;
}
