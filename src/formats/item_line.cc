#include "formats/item_line.h"

#include <utility>

#include "base/fail.h"
#include "base/limits.h"
#include "base/unicode.h"
#include "formats/ion.h"
#include "value/item_rules.h"
#include "value/json.h"
#include "value/json_scanner.h"

namespace dolmen::formats {
namespace {

using json::JsonScanner;

/// An object for each level of a value, and the value inside it.
constexpr unsigned kJsonLevelsMax = 2 * limits::kNestingLevels + 8;

Result<void> append_ion_member(std::string& out, std::string_view name, std::string_view item) {
  DOLMEN_TRY(const Item decoded, decode_item(item));
  append_ion_name(out, name);
  out.push_back(':');
  append_ion(out, decoded);
  return {};
}

Result<void> append_json_member(std::string& out, std::string_view name, std::string_view item) {
  json::append_string(out, name);
  out.push_back(':');
  return json::append_item(out, item);
}

/// The text of a value of JSON, which is passed over.
std::string_view value_text(JsonScanner& scanner, std::string_view line) {
  scanner.peek();
  const std::size_t begin = scanner.position();
  scanner.skip(kJsonLevelsMax);
  return line.substr(begin, scanner.position() - begin);
}

void read_names(JsonScanner& scanner, std::map<std::string, std::string, std::less<>>& names) {
  scanner.expect('{', "an object is missing");
  if (scanner.accept('}')) return;
  do {
    if (scanner.peek() != JsonScanner::Kind::kString) scanner.fail("a name is missing");
    if (scanner.failed()) return;
    std::string name = json::decoded(scanner.string());
    scanner.expect(':', "a colon is missing");
    if (scanner.peek() != JsonScanner::Kind::kString) scanner.fail("a text is missing");
    if (scanner.failed()) return;
    names.insert_or_assign(std::move(name), json::decoded(scanner.string()));
  } while (scanner.accept(','));
  scanner.expect('}', "a brace is missing");
}

Result<PutLine> parse_json_line(std::string_view line) {
  if (!is_utf8(line)) return fail(Code::kValidation, "the line is not UTF-8");
  JsonScanner scanner(line);
  PutLine put;
  std::string_view item;
  std::string_view values;
  scanner.expect('{', "the line is not an object");
  bool more = !scanner.failed() && !scanner.accept('}');
  while (more && !scanner.failed()) {
    if (scanner.peek() != JsonScanner::Kind::kString) scanner.fail("a name is missing");
    if (scanner.failed()) break;
    const std::string name = json::decoded(scanner.string());
    scanner.expect(':', "a colon is missing");
    if (name == "Item") {
      item = value_text(scanner, line);
    } else if (name == "ConditionExpression") {
      if (scanner.peek() != JsonScanner::Kind::kString) scanner.fail("ConditionExpression is not a text");
      if (!scanner.failed()) put.condition = json::decoded(scanner.string());
    } else if (name == "ExpressionAttributeNames") {
      read_names(scanner, put.names);
    } else if (name == "ExpressionAttributeValues") {
      values = value_text(scanner, line);
    } else {
      scanner.fail(
          "it has a member other than Item, ConditionExpression, ExpressionAttributeNames and "
          "ExpressionAttributeValues");
    }
    more = scanner.accept(',');
    if (!more) scanner.expect('}', "a brace is missing");
  }
  if (!scanner.failed()) scanner.end();
  if (scanner.failed())
    return fail(Code::kSerialization, "the line is not an item in DynamoDB JSON: column {}: {}", scanner.position() + 1,
                scanner.problem());
  if (item.empty()) return fail(Code::kSerialization, "the line has no Item");
  DOLMEN_TRY(put.item, json::parse_item(item));
  if (!values.empty()) {
    DOLMEN_TRY(const EncodedItem encoded, json::parse_item(values));
    DOLMEN_TRY(put.values, decode_item(encoded.bytes));
  }
  return put;
}

Result<PutLine> parse_ion_line(std::string_view line) {
  DOLMEN_TRY(const Item read, parse_ion(line));
  PutLine put;
  for (const auto& [name, value] : read) {
    const Item* inner = value.get_if<Item>();
    const std::string* text = value.get_if<std::string>();
    if (name == "Item" && inner != nullptr) {
      DOLMEN_TRY_VOID(check_item_rules(*inner));
      put.item = encode_item(*inner);
    } else if (name == "ConditionExpression" && text != nullptr) {
      put.condition = *text;
    } else if (name == "ExpressionAttributeValues" && inner != nullptr) {
      put.values = *inner;
    } else if (name == "ExpressionAttributeNames" && inner != nullptr) {
      for (const auto& [placeholder, meant] : *inner) {
        if (meant.type() != Type::kString) return fail(Code::kValidation, "{} does not stand for a name", placeholder);
        put.names.insert_or_assign(placeholder, meant.string());
      }
    } else {
      return fail(Code::kValidation, "the line has a field {} that has no meaning, or not that type", name);
    }
  }
  if (put.item.bytes.empty()) return fail(Code::kSerialization, "the line has no Item");
  return put;
}

}  // namespace

Result<void> append_item_line(std::string& out, std::string_view item, LineForm form) {
  if (form == LineForm::kDynamoJson) {
    out.push_back('{');
    DOLMEN_TRY_VOID(append_json_member(out, "Item", item));
  } else {
    out.append("$ion_1_0 {");
    DOLMEN_TRY_VOID(append_ion_member(out, "Item", item));
  }
  out.append("}\n");
  return {};
}

Result<void> append_change_line(std::string& out, const ChangeLine& change, LineForm form) {
  const bool is_json = form == LineForm::kDynamoJson;
  const auto append = is_json ? append_json_member : append_ion_member;
  const std::string micros = std::to_string(change.written_micros);
  if (is_json) {
    out.append(R"({"Metadata":{"WriteTimestampMicros":{"N":")").append(micros).append("\"}},");
  } else {
    out.append("$ion_1_0 {Metadata:{WriteTimestampMicros:").append(micros).append(".},");
  }
  DOLMEN_TRY_VOID(append(out, "Keys", change.keys.bytes));
  if (change.old_image) {
    out.push_back(',');
    DOLMEN_TRY_VOID(append(out, "OldImage", change.old_image->bytes));
  }
  if (change.new_image) {
    out.push_back(',');
    DOLMEN_TRY_VOID(append(out, "NewImage", change.new_image->bytes));
  }
  out.append("}\n");
  return {};
}

Result<PutLine> parse_put_line(std::string_view line, LineForm form) {
  return form == LineForm::kDynamoJson ? parse_json_line(line) : parse_ion_line(line);
}

}  // namespace dolmen::formats
