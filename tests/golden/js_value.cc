#include "js_value.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "entity/js_number.h"
#include "entity/page_token.h"
#include "entity/utf16.h"

namespace dolmen::golden {

namespace {

using config::Node;
using entity::Element;

double number_of(std::string_view text) {
  if (text == "NaN") return std::nan("");
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::strtod(std::string(text).c_str(), nullptr);
}

/// A tag such as {"$bigint": "5"}, or nothing.
std::optional<JsValue> tagged(const Node& node) {
  if (node.entries.size() != 1) return std::nullopt;
  const auto& [name, position, value] = node.entries.front();
  if (name == "$undefined") return JsValue();
  if (name == "$bigint") return JsValue(EntityValue(BigInteger{value.text}));
  if (name == "$number") return JsValue(number_of(value.text));
  if (name == "$utf16") {
    std::u16string units;
    for (const Node& unit : value.elements) units.push_back(static_cast<char16_t>(std::atoi(unit.text.c_str())));
    return JsValue(entity::text_of_units(units));
  }
  return std::nullopt;
}

std::string show_scalar(const EntityValue& value) {
  const Element element = Element::of(value);
  switch (element.kind()) {
    case Element::Kind::kUndefined: return R"({"$undefined":true})";
    case Element::Kind::kBigInteger: return R"({"$bigint":")" + element.to_string() + "\"}";
    case Element::Kind::kString: {
      const std::string list = entity::json_of({element.to_string()});
      return list.substr(1, list.size() - 2);
    }
    default: return element.to_string();
  }
}

bool equal_scalars(const EntityValue& a, const EntityValue& b) {
  const double* left = std::get_if<double>(&a);
  const double* right = std::get_if<double>(&b);
  if (left == nullptr || right == nullptr) return a == b;
  return (std::isnan(*left) && std::isnan(*right)) || (*left == *right && std::signbit(*left) == std::signbit(*right));
}

}  // namespace

JsValue JsValue::of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull: return EntityValue(nullptr);
    case Node::Kind::kBoolean: return node.boolean;
    case Node::Kind::kNumber: return number_of(node.text);
    case Node::Kind::kString: return node.text;
    case Node::Kind::kList: {
      JsList list;
      for (const Node& element : node.elements) list.push_back(of(element));
      return list;
    }
    case Node::Kind::kMap: {
      if (auto value = tagged(node)) return *value;
      JsMap map;
      for (const Node::Entry& entry : node.entries) map.emplace_back(entry.name, of(entry.value));
      return map;
    }
  }
  return {};
}

JsValue JsValue::of(const std::vector<std::string>& texts) { return JsList(texts.begin(), texts.end()); }

JsValue JsValue::of(const entity::ElementList& elements) {
  JsMap map;
  for (const auto& [name, value] : elements.entries()) map.emplace_back(name, value);
  return map;
}

Element JsValue::element(entity::KeptTexts& kept) const {
  if (const EntityValue* value = scalar()) return Element::of(*value);
  if (map() != nullptr) return Element::other("[object Object]");
  std::string text;
  for (std::size_t i = 0; i < list()->size(); ++i) {
    if (i > 0) text += ',';
    if (!(*list())[i].is_nil()) text += (*list())[i].text();
  }
  return Element::other(kept.emplace_front(std::move(text)));
}

std::string JsValue::text() const {
  entity::KeptTexts kept;
  return element(kept).to_string();
}

bool JsValue::is_truthy() const {
  entity::KeptTexts kept;
  return element(kept).is_truthy();
}

double JsValue::number() const {
  const double* number = scalar() == nullptr ? nullptr : std::get_if<double>(scalar());
  return number == nullptr ? 0 : *number;
}

const JsValue& JsValue::at(std::string_view name) const {
  static const JsValue kUndefined;
  if (map() == nullptr) return kUndefined;
  const auto found = std::ranges::find(*map(), name, &JsMap::value_type::first);
  return found == map()->end() ? kUndefined : found->second;
}

void JsValue::set(std::string_view name, JsValue value) {
  auto& map = std::get<JsMap>(value_);
  const auto found = std::ranges::find(map, name, &JsMap::value_type::first);
  if (found != map.end()) {
    found->second = std::move(value);
  } else {
    map.emplace_back(name, std::move(value));
  }
}

void JsValue::erase(std::string_view name) {
  std::erase_if(std::get<JsMap>(value_), [&](const auto& entry) { return entry.first == name; });
}

std::string JsValue::show() const {
  if (const EntityValue* value = scalar()) return show_scalar(*value);
  std::string text;
  if (const JsList* elements = list()) {
    for (const JsValue& element : *elements) text += (text.empty() ? "" : ",") + element.show();
    return "[" + text + "]";
  }
  for (const auto& [name, value] : *map())
    text += (text.empty() ? "" : ",") + show_scalar(EntityValue(name)) + ":" + value.show();
  return "{" + text + "}";
}

bool operator==(const JsValue& a, const JsValue& b) {
  if (a.value_.index() != b.value_.index()) return false;
  if (a.scalar() != nullptr) return equal_scalars(*a.scalar(), *b.scalar());
  if (a.list() != nullptr) return *a.list() == *b.list();
  return a.map()->size() == b.map()->size() && std::ranges::all_of(*a.map(), [&](const auto& entry) {
           const auto found = std::ranges::find(*b.map(), entry.first, &JsMap::value_type::first);
           return found != b.map()->end() && found->second == entry.second;
         });
}

void JsSource::each(const std::function<void(std::string_view, const Element&)>& visit) const {
  if (value_.map() == nullptr) return;
  for (const auto& [name, value] : *value_.map()) visit(name, value.element(kept()));
}

namespace {

class JsPropertyReader final : public entity::PropertyReader {
 public:
  JsPropertyReader(const JsList& rows, std::string_view property) : rows_(rows), property_(property) {}
  Element get(std::size_t row) override { return rows_[row].at(property_).element(kept_); }

 private:
  const JsList& rows_;
  std::string_view property_;
  entity::KeptTexts kept_;
};

}  // namespace

std::unique_ptr<entity::PropertyReader> JsTable::reader(std::string_view property) const {
  return std::make_unique<JsPropertyReader>(rows_, property);
}

namespace {

AttributeValue attribute_of(const JsValue& value) {
  if (value.map() != nullptr) return item_of(value);
  if (const JsList* elements = value.list()) {
    List list;
    for (const JsValue& element : *elements) list.push_back(attribute_of(element));
    return list;
  }
  entity::KeptTexts kept;
  const Element element = value.element(kept);
  switch (element.kind()) {
    case Element::Kind::kBoolean: return element.boolean();
    case Element::Kind::kNumber: return Number::from_double(element.number()).value_or(Number());
    case Element::Kind::kBigInteger: return Number::parse(element.text()).value_or(Number());
    case Element::Kind::kString: return element.to_string();
    default: return nullptr;
  }
}

}  // namespace

Item item_of(const JsValue& map) {
  Item item;
  if (map.map() == nullptr) return item;
  for (const auto& [name, value] : *map.map())
    if (!value.is_undefined()) item.set(name, attribute_of(value));
  return item;
}

JsValue js_of(const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString: return value.string();
    case Type::kNumber: return value.number().to_double();
    case Type::kBool: return value.boolean();
    case Type::kList: {
      JsList list;
      for (const AttributeValue& element : value.list()) list.push_back(js_of(element));
      return list;
    }
    case Type::kMap: {
      JsMap map;
      for (const auto& [name, member] : value.map()) map.emplace_back(name, js_of(member));
      return map;
    }
    default: return EntityValue(nullptr);
  }
}

}  // namespace dolmen::golden
