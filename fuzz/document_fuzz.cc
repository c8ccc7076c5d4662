// Documents and schema files: any text is accepted or refused with reasons; an accepted text is accepted again in its
// stored form, and violations are sorted.
#include <algorithm>
#include <tuple>

#include "dolmen/schema.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

namespace {

const Schema& fixed_schema() {
  static const Schema schema = parse_schema(R"({"schema_id":"all","schema_version":"v1","fields":{
      "_id":{"type":"string","required":true},"s":{"type":"string","required":false},"i":{"type":"int","required":false},
      "b":{"type":"bool","required":false},"f":{"type":"float","required":false},
      "o":{"type":"object","required":false,"fields":{"x":{"type":"int","required":true}}},
      "a":{"type":"array","required":false,"element_type":{"type":"object","fields":{"c":{"type":"string","required":true}}}}}})")
                                   .value();
  return schema;
}

void check_document(const Schema& schema, std::string_view text) {
  const Result<CheckedDocument> checked = validate_document(schema, text);
  if (checked) {
    const Result<CheckedDocument> again = validate_document(schema, checked->text);
    DOLMEN_CHECK(again && again->text == checked->text && again->id == checked->id, "what is kept is valid");
    return;
  }
  const std::vector<ErrorDetail>& details = checked.error().details();
  const auto place = [](const ErrorDetail& detail) { return std::tie(detail.path, detail.rule); };
  DOLMEN_CHECK(!details.empty() && std::ranges::is_sorted(details, {}, place), "a refusal has sorted reasons");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz_input(data, size);
  check_document(fixed_schema(), text);
  // A schema file and a document for it, with a line between them.
  const std::size_t split = text.find("\n--\n");
  const Result<Schema> schema = parse_schema(text.substr(0, split));
  DOLMEN_CHECK(schema || !schema.error().details().empty(), "a refusal has reasons");
  if (schema && split != std::string_view::npos) check_document(*schema, text.substr(split + 4));
  return 0;
}
