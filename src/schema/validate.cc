// Checks a document against its schema while reading it, once from front to back.
#include <algorithm>
#include <bitset>
#include <charconv>
#include <fmt/format.h>

#include "base/unicode.h"
#include "schema/limits.h"
#include "schema/violations.h"
#include "value/json.h"
#include "value/json_scanner.h"

namespace dolmen {
namespace {

using json::JsonScanner;
using schema::PlaceView;
using Kind = JsonScanner::Kind;

std::string_view found_name(Kind kind) {
  switch (kind) {
    case Kind::kString: return "string";
    case Kind::kNumber: return "number";
    case Kind::kTrue:
    case Kind::kFalse: return "bool";
    case Kind::kNull: return "null";
    case Kind::kObject: return "object";
    case Kind::kArray: return "array";
    case Kind::kNothing: break;
  }
  return "nothing";
}

class Validator {
 public:
  Validator(const Schema& schema, std::string_view text) : schema_(schema), text_(text), scanner_(text) {}

  Result<CheckedDocument> run() {
    if (text_.size() > limits::kDocumentTextBytes)
      return refuse("size", fmt::format("the text is longer than {} bytes", limits::kDocumentTextBytes));
    if (!is_utf8(text_)) return refuse("utf8", "the text is not UTF-8");
    document_.text.reserve(text_.size());
    document_.scalars.resize(schema_.scalars.size());
    if (const Kind kind = scanner_.peek(); kind == Kind::kObject) {
      object(schema_.fields, nullptr);
    } else if (kind != Kind::kNothing) {
      violations_.add(nullptr, "root_type", fmt::format("expected object, found {}", found_name(kind)));
      scanner_.skip(limits::kDocumentNesting);
    }
    scanner_.end();
    if (scanner_.failed())
      return refuse(scanner_.failed_unicode() ? "utf8" : "json",
                    fmt::format("at byte {}: {}", scanner_.position() + 1, scanner_.problem()));
    if (document_.text.size() > limits::kDocumentBytes)
      violations_.add(nullptr, "size",
                      fmt::format("the document has {} bytes; at most {} are allowed", document_.text.size(),
                                  limits::kDocumentBytes));
    if (violations_.empty()) return std::move(document_);
    return std::unexpected(schema::validation_error(schema_.ref, violations_.take()));
  }

 private:
  /// What cannot be read has no other violations.
  std::unexpected<Error> refuse(std::string rule, std::string message) const {
    return std::unexpected(schema::validation_error(
        schema_.ref, {{.path = "$root", .rule = std::move(rule), .message = std::move(message)}}));
  }

  /// Documents often have their fields in the order of the schema, so the one after the last is tried first.
  static std::size_t position_of(const std::vector<SchemaField>& fields, std::string_view name, std::size_t guess) {
    if (guess < fields.size() && fields[guess].name == name) return guess;
    const auto found = std::ranges::lower_bound(fields, name, {}, &SchemaField::name);
    if (found == fields.end() || found->name != name) return fields.size();
    return static_cast<std::size_t>(found - fields.begin());
  }

  void object(const std::vector<SchemaField>& fields, const PlaceView* place) {
    std::bitset<limits::kFieldsPerObject> seen;
    std::size_t guess = 0;
    scanner_.expect('{', "");
    document_.text.push_back('{');
    if (!scanner_.accept('}')) {
      do {
        if (scanner_.peek() != Kind::kString) {
          scanner_.fail("a name in double quotes is expected here");
          return;
        }
        guess = member(fields, place, guess, seen);
      } while (!scanner_.failed() && scanner_.accept(','));
      scanner_.expect('}', "a comma or } is expected here");
      if (scanner_.failed()) return;
      if (document_.text.back() == ',') document_.text.pop_back();
    }
    document_.text.push_back('}');
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (fields[i].required && !seen[i]) {
        const PlaceView missing{.above = place, .name = fields[i].name};
        violations_.add(&missing, "required",
                        fmt::format("{} is required and missing", field_type_name(fields[i].type.type)));
      }
  }

  /// One name and its value. Returns the position after that of the field.
  std::size_t member(const std::vector<SchemaField>& fields, const PlaceView* place, std::size_t guess,
                     std::bitset<limits::kFieldsPerObject>& seen) {
    const JsonScanner::Text written = scanner_.string();
    scanner_.expect(':', "a colon must follow the name");
    if (scanner_.failed()) return guess;
    std::string plain;
    if (written.escaped) plain = decoded(written);
    const PlaceView own{.above = place, .name = written.escaped ? std::string_view(plain) : written.raw};
    const std::size_t position = position_of(fields, own.name, guess);
    const bool declared = position < fields.size();
    if (!declared || seen[position]) {
      if (declared)
        violations_.add(&own, "duplicate_key", "the name occurs twice in one object");
      else
        violations_.add(&own, "undeclared", fmt::format("not declared in {}", to_string(schema_.ref)));
      scanner_.skip(limits::kDocumentNesting);
      return guess;
    }
    seen[position] = true;
    json::append_string(document_.text, own.name);
    document_.text.push_back(':');
    value(fields[position].type, own);
    document_.text.push_back(',');
    return position + 1;
  }

  void value(const SchemaType& type, const PlaceView& place) {
    const Kind kind = scanner_.peek();
    if (kind == Kind::kNothing) return;
    const std::size_t start = document_.text.size();
    switch (type.type) {
      case FieldType::kString:
        if (kind != Kind::kString) return mismatch(type, place, kind);
        string(type, place);
        break;
      case FieldType::kBool:
        if (kind != Kind::kTrue && kind != Kind::kFalse) return mismatch(type, place, kind);
        scanner_.literal(kind);
        document_.text.append(kind == Kind::kTrue ? "true" : "false");
        break;
      case FieldType::kInt:
      case FieldType::kFloat:
        if (kind != Kind::kNumber) return mismatch(type, place, kind);
        number(type, place);
        break;
      case FieldType::kObject:
        if (kind != Kind::kObject) return mismatch(type, place, kind);
        return object(type.fields, &place);
      case FieldType::kArray:
        if (kind != Kind::kArray) return mismatch(type, place, kind);
        return array(type.element.front(), place);
    }
    if (type.scalar)
      document_.scalars[*type.scalar] = {.offset = static_cast<std::uint32_t>(start),
                                         .length = static_cast<std::uint32_t>(document_.text.size() - start)};
  }

  void mismatch(const SchemaType& type, const PlaceView& place, Kind kind) {
    const std::size_t start = scanner_.position();
    scanner_.skip(limits::kDocumentNesting);
    if (kind == Kind::kNull)
      return violations_.add(&place, "null", fmt::format("expected {}, found null", field_type_name(type.type)));
    std::string_view found = found_name(kind);
    if (kind == Kind::kNumber) {
      const std::string_view text = text_.substr(start, scanner_.position() - start);
      found = text.find_first_of(".eE") == std::string_view::npos ? "int" : "float";
    }
    violations_.add(&place, "type", fmt::format("expected {}, found {}", field_type_name(type.type), found));
  }

  void string(const SchemaType& type, const PlaceView& place) {
    const JsonScanner::Text written = scanner_.string();
    const bool is_id = place.above == nullptr && place.name == "_id" && type.scalar.has_value();
    if (!written.escaped && !is_id) {
      document_.text.append("\"").append(written.raw).append("\"");
      return;
    }
    std::string plain = decoded(written);
    json::append_string(document_.text, plain);
    if (!is_id || scanner_.failed()) return;
    if (std::string problem = schema::document_id_problem(plain); !problem.empty())
      violations_.add(&place, "id_valid", std::move(problem));
    document_.id = std::move(plain);
  }

  void number(const SchemaType& type, const PlaceView& place) {
    const JsonScanner::Numeral numeral = scanner_.number();
    if (scanner_.failed()) return;
    const char* const end = numeral.text.data() + numeral.text.size();
    if (numeral.is_float != (type.type == FieldType::kFloat)) {
      violations_.add(
          &place, "type",
          fmt::format("expected {}, found {}", field_type_name(type.type), numeral.is_float ? "float" : "int"));
    } else if (numeral.is_float) {
      double parsed = 0;
      if (std::from_chars(numeral.text.data(), end, parsed).ec != std::errc{})
        violations_.add(&place, "float_range",
                        fmt::format("expected a float of 64 bits, found {}", numeral.text.substr(0, 40)));
    } else {
      std::int64_t parsed = 0;
      if (std::from_chars(numeral.text.data(), end, parsed).ec != std::errc{})
        violations_.add(&place, "int_range",
                        fmt::format("expected an int of 64 bits, found {}", numeral.text.substr(0, 40)));
    }
    document_.text.append(numeral.text);
  }

  void array(const SchemaType& element, const PlaceView& place) {
    scanner_.expect('[', "");
    document_.text.push_back('[');
    if (!scanner_.accept(']')) {
      for (std::size_t i = 0;; ++i) {
        const PlaceView own{.above = &place, .index = i, .is_element = true};
        value(element, own);
        if (scanner_.failed() || !scanner_.accept(',')) break;
        document_.text.push_back(',');
      }
      scanner_.expect(']', "a comma or ] is expected here");
    }
    document_.text.push_back(']');
  }

  const Schema& schema_;
  const std::string_view text_;
  JsonScanner scanner_;
  CheckedDocument document_;
  schema::Violations violations_;
};

}  // namespace

Result<CheckedDocument> validate_document(const Schema& schema, std::string_view json) {
  return Validator(schema, json).run();
}

}  // namespace dolmen
