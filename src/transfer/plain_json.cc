#include "transfer/plain_json.h"

#include "base/base64.h"
#include "base/fail.h"
#include "base/limits.h"
#include "base/unicode.h"
#include "value/json.h"
#include "value/json_scanner.h"

namespace dolmen::transfer {
namespace {

using json::JsonScanner;
using Kind = JsonScanner::Kind;

/// Reads values with a scanner. After a failure of its own, `problem` says what is wrong.
class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : scanner_(text) {}

  AttributeValue value(unsigned levels_left) {
    switch (scanner_.peek()) {
      case Kind::kString: return json::decoded(scanner_.string());
      case Kind::kNumber: return number();
      case Kind::kTrue: scanner_.literal(Kind::kTrue); return true;
      case Kind::kFalse: scanner_.literal(Kind::kFalse); return false;
      case Kind::kNull: scanner_.literal(Kind::kNull); return nullptr;
      case Kind::kArray: return list(levels_left);
      case Kind::kObject: return object(levels_left);
      case Kind::kNothing: break;
    }
    return nullptr;
  }

  Item object(unsigned levels_left) {
    Item item;
    scanner_.expect('{', "a JSON object is expected here");
    if (levels_left == 0) refuse(fmt::format("there are more than {} levels", limits::kNestingLevels));
    if (failed() || scanner_.accept('}')) return item;
    do {
      if (scanner_.peek() != Kind::kString) {
        scanner_.fail("a name in double quotes is expected here");
        return item;
      }
      std::string name = json::decoded(scanner_.string());
      if (item.contains(name)) refuse(fmt::format("\"{}\" stands there twice", name));
      scanner_.expect(':', "a colon must follow the name");
      if (failed()) return item;
      item.set(std::move(name), value(levels_left - 1));
    } while (!failed() && scanner_.accept(','));
    scanner_.expect('}', "a comma or } is expected here");
    return item;
  }

  Result<void> end() {
    if (!failed()) scanner_.end();
    if (!failed()) return {};
    return fail(Code::kInvalidArgument, "column {}: {}", scanner_.position() + 1,
                problem_.empty() ? scanner_.problem() : problem_);
  }

 private:
  [[nodiscard]] bool failed() const { return scanner_.failed(); }

  void refuse(std::string problem) {
    if (failed()) return;
    problem_ = std::move(problem);
    scanner_.fail("refused");
  }

  AttributeValue number() {
    const JsonScanner::Numeral numeral = scanner_.number();
    if (failed()) return nullptr;
    Result<Number> number = Number::parse(numeral.text);
    if (!number) {
      refuse(number.error().message());
      return nullptr;
    }
    return *number;
  }

  AttributeValue list(unsigned levels_left) {
    List elements;
    scanner_.expect('[', "a list is expected here");
    if (levels_left == 0) refuse(fmt::format("there are more than {} levels", limits::kNestingLevels));
    if (failed() || scanner_.accept(']')) return elements;
    do elements.push_back(value(levels_left - 1));
    while (!failed() && scanner_.accept(','));
    scanner_.expect(']', "a comma or ] is expected here");
    return elements;
  }

  JsonScanner scanner_;
  std::string problem_;
};

Result<void> check_text(std::string_view text) {
  return is_utf8(text) ? Result<void>() : fail(Code::kInvalidArgument, "the text is not UTF-8");
}

template <class Members, class Append>
void append_elements(std::string& out, const Members& members, Append append) {
  out.push_back('[');
  bool first = true;
  for (const auto& member : members) {
    if (!first) out.push_back(',');
    first = false;
    append(member);
  }
  out.push_back(']');
}

void append_bytes(std::string& out, const Bytes& bytes) {
  out.push_back('"');
  append_base64(out, bytes.view());
  out.push_back('"');
}

Result<void> restore_key(Item& item, const KeyAttribute& key) {
  AttributeValue* value = key.type == KeyType::kBinary ? item.find(key.name) : nullptr;
  const std::string* text = value == nullptr ? nullptr : value->get_if<std::string>();
  if (text == nullptr) return {};
  Result<std::string> bytes = decode_base64(*text);
  if (!bytes)
    return fail(Code::kInvalidArgument, "the key attribute \"{}\" is binary, and \"{}\" is not base64", key.name,
                *text);
  *value = Bytes(*std::move(bytes));
  return {};
}

}  // namespace

Result<AttributeValue> parse_plain_value(std::string_view text) {
  DOLMEN_TRY_VOID(check_text(text));
  PlainReader reader(text);
  AttributeValue value = reader.value(limits::kNestingLevels);
  DOLMEN_TRY_VOID(reader.end());
  return value;
}

Result<Item> parse_plain_item(std::string_view text) {
  DOLMEN_TRY_VOID(check_text(text));
  PlainReader reader(text);
  Item item = reader.object(limits::kNestingLevels);
  DOLMEN_TRY_VOID(reader.end());
  return item;
}

void append_plain(std::string& out, const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString: json::append_string(out, value.string()); break;
    case Type::kNumber: value.number().append_to(out); break;
    case Type::kBinary: append_bytes(out, value.binary()); break;
    case Type::kBool: out += value.boolean() ? "true" : "false"; break;
    case Type::kNull: out += "null"; break;
    case Type::kMap: append_plain(out, value.map()); break;
    case Type::kList:
      append_elements(out, value.list(), [&](const AttributeValue& element) { append_plain(out, element); });
      break;
    case Type::kStringSet:
      append_elements(out, value.string_set(), [&](const std::string& member) { json::append_string(out, member); });
      break;
    case Type::kNumberSet:
      append_elements(out, value.number_set(), [&](const Number& member) { member.append_to(out); });
      break;
    case Type::kBinarySet:
      append_elements(out, value.binary_set(), [&](const Bytes& member) { append_bytes(out, member); });
      break;
  }
}

void append_plain(std::string& out, const Item& item) {
  out.push_back('{');
  bool first = true;
  for (const auto& [name, value] : item) {
    if (!first) out.push_back(',');
    first = false;
    json::append_string(out, name);
    out.push_back(':');
    append_plain(out, value);
  }
  out.push_back('}');
}

std::string plain_text(const Item& item) {
  std::string text;
  append_plain(text, item);
  return text;
}

Result<void> restore_binary_keys(Item& item, const TableDefinition& table) {
  DOLMEN_TRY_VOID(restore_key(item, table.partition_key));
  if (table.sort_key) DOLMEN_TRY_VOID(restore_key(item, *table.sort_key));
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes})
    for (const IndexDefinition& index : *indexes)
      for (const auto* keys : {&index.partition_keys, &index.sort_keys})
        for (const KeyAttribute& key : *keys) DOLMEN_TRY_VOID(restore_key(item, key));
  return {};
}

}  // namespace dolmen::transfer
