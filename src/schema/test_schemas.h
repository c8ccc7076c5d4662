#pragma once

// What the tests of documents share. Not part of the library.

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/schema.h"

namespace dolmen::test {

/// A schema file with these fields besides `_id`.
inline std::string schema_text(std::string_view id, std::string_view version, std::string_view more_fields = "") {
  std::string text = R"({"schema_id":")";
  text.append(id).append(R"(","schema_version":")").append(version);
  text.append(R"(","fields":{"_id":{"type":"string","required":true})").append(more_fields).append("}}");
  return text;
}

/// Fields of every type.
inline constexpr std::string_view kAllFields =
    R"(,"s":{"type":"string","required":false},"i":{"type":"int","required":false},
  "b":{"type":"bool","required":false},"f":{"type":"float","required":false},
  "o":{"type":"object","required":false,"fields":{"x":{"type":"int","required":true},"y":{"type":"string","required":false}}},
  "a":{"type":"array","required":false,"element_type":{"type":"string"}},
  "rows":{"type":"array","required":false,"element_type":{"type":"object","fields":{"c":{"type":"int","required":true}}}})";

inline Schema all_fields_schema() { return parse_schema(schema_text("all", "v1", kAllFields)).value(); }

/// "path rule" of every violation; empty when the document fits.
inline std::vector<std::string> violations(const Schema& schema, std::string_view document) {
  std::vector<std::string> found;
  const Result<CheckedDocument> checked = validate_document(schema, document);
  if (checked) return found;
  for (const ErrorDetail& detail : checked.error().details()) found.push_back(detail.path + " " + detail.rule);
  return found;
}

/// "path rule" of every mistake of a schema file.
inline std::vector<std::string> mistakes(std::string_view text) {
  std::vector<std::string> found;
  const Result<Schema> parsed = parse_schema(text);
  if (parsed) return found;
  for (const ErrorDetail& detail : parsed.error().details()) found.push_back(detail.path + " " + detail.rule);
  return found;
}

}  // namespace dolmen::test
