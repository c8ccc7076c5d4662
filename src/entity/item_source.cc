#include "entity/item_source.h"

#include <algorithm>

#include "entity/js_number.h"
#include "value/item_parts.h"

namespace dolmen::entity {

namespace {

/// A number of which a double would be another one is a big integer, which fits no transcode but those of its kind.
Element number_element(const CompiledConfig& config, std::string_view name, const Number& number) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53U;
  const auto integer = number.to_int64();
  const Codec* codec = config.has_big_integers() ? config.find_codec(name) : nullptr;
  if (codec != nullptr && codec->takes_big_integers()) return Element::big_integer(number.to_string());
  if (integer && *integer >= -kExact && *integer <= kExact) return Element::of(static_cast<double>(*integer));
  const double value = number.to_double();
  const Result<Number> again = Number::from_double(value);
  if (config.options().strict && (!again || *again != number)) return Element::big_integer(number.to_string());
  return Element::of(value);
}

std::string list_text(const CompiledConfig& config, const List& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += ',';
    const Element element = element_of(config, "", list[i]);
    if (!element.is_nil()) element.append_to(text);
  }
  return text;
}

}  // namespace

Element element_of(const CompiledConfig& config, std::string_view name, const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString: return Element::view(value.string());
    case Type::kNumber: return number_element(config, name, value.number());
    case Type::kBool: return Element::of(value.boolean());
    case Type::kNull: return Element::null();
    case Type::kList: return Element::other(list_text(config, value.list()));
    default: return Element::other("[object Object]");
  }
}

Element ItemView::get(std::string_view name) const {
  const AttributeValue* value = item_.find(name);
  return value == nullptr ? Element{} : element_of(config_, name, *value);
}

void ItemView::read(const std::vector<std::string>& names, std::vector<Element>& values) const {
  auto attribute = item_.begin();
  const auto end = item_.end();
  for (std::size_t i = 0; i < names.size() && attribute != end; ++i) {
    int order = compare_names(attribute->first, names[i]);
    while (order < 0 && ++attribute != end) order = compare_names(attribute->first, names[i]);
    if (order == 0 && attribute != end) values[i] = element_of(config_, names[i], attribute->second);
  }
}

void ItemView::each(const std::function<void(std::string_view, const Element&)>& visit) const {
  for (const auto& [name, value] : item_) visit(name, element_of(config_, name, value));
}

void ItemTableView::ask_ahead(std::size_t row) const {
  constexpr std::size_t kAttributesAhead = 12;
  constexpr std::size_t kTextsAhead = 6;
  const auto place = static_cast<std::size_t>(place_);
  if (row + kAttributesAhead >= items_.size()) return;
  const Item& far = items_[row + kAttributesAhead];
  if (place < far.size()) {
    const Item::Attribute* attribute = &far.begin()[place_];
    __builtin_prefetch(attribute);
    __builtin_prefetch(&attribute->second);
  }
  const Item& near = items_[row + kTextsAhead];
  if (place >= near.size()) return;
  if (const auto* text = near.begin()[place_].second.get_if<std::string>()) __builtin_prefetch(text->data());
}

Element ItemTableView::get(std::size_t row, std::string_view name) const {
  ask_ahead(row);
  const Item& item = items_[row];
  if (static_cast<std::size_t>(place_) < item.size() && item.begin()[place_].first == name)
    return element_of(config_, name, item.begin()[place_].second);
  const AttributeValue* value = item.find(name);
  if (value == nullptr) return {};
  place_ = std::ranges::find(item, name, &Item::Attribute::first) - item.begin();
  return element_of(config_, name, *value);
}

Item with_changes(Item item, std::vector<KeyChange> changes) {
  using Kind = KeyChange::Kind;
  std::vector<Item::Attribute>& before = ItemParts::of(item);
  Item result;
  std::vector<Item::Attribute>& after = ItemParts::of(result);
  after.reserve(before.size() + changes.size());
  auto attribute = before.begin();
  for (KeyChange& change : changes) {
    if (change.kind == Kind::kNone) continue;
    int order = 1;
    for (; attribute != before.end(); ++attribute) {
      order = compare_names(attribute->first, change.token);
      if (order >= 0) break;
      after.push_back(std::move(*attribute));
    }
    if (order == 0 && attribute != before.end()) ++attribute;
    if (change.kind == Kind::kSet) after.emplace_back(change.token, std::move(change.text));
  }
  std::move(attribute, before.end(), std::back_inserter(after));
  return result;
}

Result<Item> item_of(const ElementList& elements) {
  Item item;
  for (const auto& [name, value] : elements.entries()) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      item.set(name, *text);
    } else if (const auto* number = std::get_if<double>(&value)) {
      DOLMEN_TRY(const Number exact, Number::from_double(*number));
      item.set(name, exact);
    } else if (const auto* integer = std::get_if<BigInteger>(&value)) {
      DOLMEN_TRY(const Number exact, Number::parse(integer->digits));
      item.set(name, exact);
    } else if (const auto* boolean = std::get_if<bool>(&value)) {
      item.set(name, *boolean);
    } else if (std::holds_alternative<std::nullptr_t>(value)) {
      item.set(name, nullptr);
    }
  }
  return item;
}

}  // namespace dolmen::entity
