// URNs and page tokens of relations: any text is read or refused with one code; a URN has one text, and a token that is
// accepted was made for the list.
#include "dolmen/relation/urn.h"
#include "fuzz/fuzz.h"
#include "relation/page_token.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz_input(data, size);
  if (const Result<Urn> urn = Urn::parse(text))
    DOLMEN_CHECK(urn->format() == std::string(text), "a URN has one text");
  else
    DOLMEN_CHECK(urn.error().code() == Code::kInvalidUrn, "a refusal has one code");
  for (const std::size_t split : {size / 3, size / 2}) {
    const Urn parts{.type = std::string(text.substr(0, split)), .id = std::string(text.substr(split))};
    if (const Result<std::string> written = parts.format())
      DOLMEN_CHECK(Urn::parse(*written) == parts, "what is written reads back");
  }
  const Result<std::string> position = relation::read_token("list", text);
  if (position)
    DOLMEN_CHECK(relation::read_token("list", relation::make_token("list", *position)) == *position,
                 "a token reads back");
  else
    DOLMEN_CHECK(position.error().code() == Code::kInvalidPageToken, "a refusal has one code");
  const std::string token = relation::make_token(text, text);
  DOLMEN_CHECK(relation::read_token(text, token) == std::string(text), "a token is good for its list");
  return 0;
}
