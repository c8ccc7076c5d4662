// DynamoDB JSON: any text is read as an item or refused with one of two codes. An item that is read has the content
// that a plain walk of the JSON finds, is a valid encoding, has the size of its tree, is written as JSON that reads
// back as the same item, and obeys the rules for trees.
#include <algorithm>
#include <simdjson.h>

#include "fuzz/fuzz.h"
#include "fuzz/reference/decimal.h"
#include "value/encoded_item.h"
#include "value/item_rules.h"
#include "value/json.h"

using namespace dolmen;

namespace {

std::size_t size_of(const AttributeValue& value);

std::size_t size_of(const Item& map, std::size_t each) {
  std::size_t total = 0;
  for (const auto& [name, value] : map) total += each + name.size() + size_of(value);
  return total;
}

/// The size of a value by DynamoDB's rules, from its tree.
std::size_t size_of(const AttributeValue& value) {
  std::size_t total = 0;
  switch (value.type()) {
    case Type::kString: return value.string().size();
    case Type::kNumber: return reference::decimal_size(value.number().to_string());
    case Type::kBinary: return value.binary().size();
    case Type::kBool:
    case Type::kNull: return 1;
    case Type::kMap: return 3 + size_of(value.map(), 1);
    case Type::kList:
      for (const AttributeValue& element : value.list()) total += 1 + size_of(element);
      return 3 + total;
    case Type::kStringSet:
      for (const std::string& member : value.string_set()) total += member.size();
      return total;
    case Type::kNumberSet:
      for (const Number& member : value.number_set()) total += reference::decimal_size(member.to_string());
      return total;
    case Type::kBinarySet:
      for (const Bytes& member : value.binary_set()) total += member.size();
      return total;
  }
  return total;
}

std::string text_of(simdjson::dom::element element) { return std::string(std::string_view(element)); }

/// The number of bytes that well-formed base64 stands for.
std::size_t decoded_size(const std::string& base64) {
  return base64.size() / 4 * 3 - static_cast<std::size_t>(std::ranges::count(base64, '='));
}

bool same(const Item& item, simdjson::dom::object object);

/// True when the tree has the content of the JSON. Members with other names are not values.
bool same(const AttributeValue& value, simdjson::dom::object typed) {
  simdjson::dom::element found;
  if (typed[type_name(value.type())].get(found) != simdjson::SUCCESS) return false;
  std::size_t index = 0;
  switch (value.type()) {
    case Type::kString: return value.string() == text_of(found);
    case Type::kNumber: return value.number().to_string() == reference::read_decimal(text_of(found));
    case Type::kBinary: return value.binary().size() == decoded_size(text_of(found));
    case Type::kBool: return !found.is_bool() || value.boolean() == bool(found);
    case Type::kNull: return true;
    case Type::kMap: return same(value.map(), found);
    case Type::kList:
      for (const simdjson::dom::element element : simdjson::dom::array(found))
        if (index >= value.list().size() || !same(value.list()[index++], element)) return false;
      return index == value.list().size();
    case Type::kStringSet:
      for (const simdjson::dom::element member : simdjson::dom::array(found))
        if (!value.string_set().contains(text_of(member))) return false;
      return simdjson::dom::array(found).size() == value.string_set().size();
    case Type::kNumberSet:
      for (const simdjson::dom::element member : simdjson::dom::array(found))
        if (!value.number_set().contains(Number::parse(*reference::read_decimal(text_of(member))).value()))
          return false;
      return simdjson::dom::array(found).size() == value.number_set().size();
    case Type::kBinarySet: return simdjson::dom::array(found).size() == value.binary_set().size();
  }
  return false;
}

bool same(const Item& item, simdjson::dom::object object) {
  // When a name occurs twice, either one may count.
  if (object.size() != item.size()) return object.size() > item.size();
  for (const auto [name, value] : object) {
    const AttributeValue* found = item.find(name);
    if (found == nullptr || !same(*found, simdjson::dom::object(value))) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<EncodedItem> read = json::parse_item(fuzz_input(data, size));
  if (!read) {
    const Code code = read.error().code();
    DOLMEN_CHECK(code == Code::kSerialization || code == Code::kValidation, "refused with another code");
    DOLMEN_CHECK(!read.error().message().empty(), "refused without a message");
    return 0;
  }
  const Result<Item> item = decode_item(read->bytes);
  DOLMEN_CHECK(item.has_value(), "what the reader writes can be decoded");
  DOLMEN_CHECK(check_item_rules(*item).has_value(), "what the reader accepts obeys the rules");
  DOLMEN_CHECK(item_size(read->bytes) == size_of(*item, 0), "the size is that of the tree");
  DOLMEN_CHECK(encode_item(*item) == *read, "the tree is encoded as it was read");
  simdjson::dom::parser parser;
  const simdjson::dom::object object = parser.parse(std::string(fuzz_input(data, size)));
  DOLMEN_CHECK(same(*item, object), "the tree says what the JSON says");
  const std::string text = json::to_text(*item);
  const Result<EncodedItem> again = json::parse_item(text);
  DOLMEN_CHECK(again.has_value() && *again == *read, "JSON reads back as the same item");
  return 0;
}
