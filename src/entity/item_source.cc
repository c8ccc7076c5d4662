#include "entity/item_source.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>

#include "entity/js_number.h"
#include "value/number_parts.h"

namespace dolmen::entity {

namespace {

bool is_big_integer(const CompiledConfig& config, std::string_view name) {
  const Codec* codec = config.has_big_integers() ? config.find_codec(name) : nullptr;
  return codec != nullptr && codec->takes_big_integers();
}

/// The number, when it is an integer that a double holds exactly, as most are.
std::optional<double> small_integer(const Number& number) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53U;
  const NumberParts parts = NumberParts::of(number);
  if (parts.exponent == 0 && parts.coefficient <= kExact) {
    const auto magnitude = static_cast<double>(static_cast<std::int64_t>(parts.coefficient));
    return parts.negative ? -magnitude : magnitude;
  }
  const auto integer = number.to_int64();
  if (!integer || *integer < -kExact || *integer > kExact) return std::nullopt;
  return static_cast<double>(*integer);
}

/// A number that a double cannot hold exactly is a big integer, which only transcodes of big integers accept.
Element number_element(const CompiledConfig& config, std::string_view name, const Number& number, KeptTexts& kept) {
  if (is_big_integer(config, name)) return Element::big_integer(kept.emplace_front(number.to_string()));
  if (const auto integer = small_integer(number)) return Element::of(*integer);
  const double value = number.to_double();
  const Result<Number> again = Number::from_double(value);
  if (config.options().strict && (!again || *again != number))
    return Element::big_integer(kept.emplace_front(number.to_string()));
  return Element::of(value);
}

std::string list_text(const CompiledConfig& config, const List& list) {
  KeptTexts kept;
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += ',';
    const Element element = element_of(config, "", list[i], kept);
    if (!element.is_nil()) element.append_to(text);
  }
  return text;
}

/// The same as `element_of`, without a call for the most common types.
Element quick_element_of(const CompiledConfig& config, std::string_view name, const AttributeValue& value,
                         KeptTexts& kept) {
  const auto* text = value.get_if<std::string>();
  return text != nullptr ? Element::view(*text) : element_of(config, name, value, kept);
}

/// The purpose for which numbers are read.
enum class Numbers : std::uint8_t {
  kText,   ///< their text, which must be exact
  kOrder,  ///< their order, for which a double suffices
};

/// Items of one kind usually have a property in the same place, and the memory of the next rows is prefetched.
class ItemPropertyReader final : public PropertyReader {
 public:
  ItemPropertyReader(const CompiledConfig& config, const std::vector<Item*>& items, std::string_view property,
                     Numbers numbers)
      : config_(config),
        items_(items),
        property_(property),
        wants_doubles_(numbers == Numbers::kOrder && !is_big_integer(config, property)) {}

  Element get(std::size_t row) override {
    ask_ahead(row);
    const auto& attributes = ItemParts::of(std::as_const(*items_[row]));
    if (place_ >= attributes.size() || attributes[place_].first != property_) {
      const auto found = std::ranges::find(attributes, property_, &Item::Attribute::first);
      if (found == attributes.end()) return {};
      place_ = static_cast<std::size_t>(found - attributes.begin());
    }
    const AttributeValue& value = attributes[place_].second;
    if (wants_doubles_)
      if (const auto* number = value.get_if<Number>()) {
        const auto integer = small_integer(*number);
        return Element::of(integer ? *integer : number->to_double());
      }
    return quick_element_of(config_, property_, value, kept_);
  }

 private:
  // Without [[gnu::always_inline]], GCC treats it as a function without effects and removes it.
  [[gnu::always_inline]] void ask_ahead(std::size_t row) const {
    constexpr std::size_t kItemsAhead = 18;
    constexpr std::size_t kAttributesAhead = 12;
    constexpr std::size_t kTextsAhead = 6;
    if (row + kItemsAhead >= items_.size()) return;
    __builtin_prefetch(items_[row + kItemsAhead]);
    const auto& far = ItemParts::of(std::as_const(*items_[row + kAttributesAhead]));
    if (place_ < far.size()) {
      __builtin_prefetch(&far[place_]);
      __builtin_prefetch(reinterpret_cast<const char*>(&far[place_] + 1) - 1);
    }
    const auto& near = ItemParts::of(std::as_const(*items_[row + kTextsAhead]));
    if (place_ >= near.size()) return;
    if (const auto* text = near[place_].second.get_if<std::string>()) __builtin_prefetch(text->data());
  }

  const CompiledConfig& config_;
  const std::vector<Item*>& items_;
  std::string_view property_;
  bool wants_doubles_;
  KeptTexts kept_;
  /// The place of the property in the previous row.
  std::size_t place_ = 0;
};

/// The unique property in a range key, which is a prefix and that property. Undefined for another text.
Element unique_of_range_key(const CompiledEntity& entity, const Element& range_key) {
  if (range_key.kind() != Element::Kind::kString || !range_key.text().starts_with(entity.range_prefix)) return {};
  return Element::view(range_key.text().substr(entity.range_prefix.size()));
}

/// The unique property, even of items from indexes that do not hold it.
class UniqueReader final : public PropertyReader {
 public:
  UniqueReader(const CompiledConfig& config, const CompiledEntity& entity, const std::vector<Item*>& items)
      : entity_(entity),
        unique_(config, items, entity.definition.unique_property, Numbers::kText),
        range_key_(config, items, config.config().range_key, Numbers::kText) {}

  Element get(std::size_t row) override {
    const Element unique = unique_.get(row);
    return unique.is_nil() ? unique_of_range_key(entity_, range_key_.get(row)) : unique;
  }

 private:
  const CompiledEntity& entity_;
  ItemPropertyReader unique_;
  ItemPropertyReader range_key_;
};

}  // namespace

Element element_of(const CompiledConfig& config, std::string_view name, const AttributeValue& value, KeptTexts& kept) {
  switch (value.type()) {
    case Type::kString: return Element::view(value.string());
    case Type::kNumber: return number_element(config, name, value.number(), kept);
    case Type::kBool: return Element::of(value.boolean());
    case Type::kNull: return Element::null();
    case Type::kList: return Element::other(kept.emplace_front(list_text(config, value.list())));
    default: return Element::other("[object Object]");
  }
}

Element ItemView::get(std::string_view name) const {
  const AttributeValue* value = item_.find(name);
  return value == nullptr ? Element{} : element_of(config_, name, *value, kept());
}

void ItemView::read(const SortedNames& names, std::span<Element> values, std::span<AttributePlace> places) const {
  const std::span<const Item::Attribute> attributes = ItemParts::of(item_);
  const NameStart* const starts = names.starts.data();
  const std::size_t count = places.size();
  std::size_t next = 0;
  const auto add_missing = [&](std::uint32_t at) {
    std::construct_at(&values[next]);
    places[next++] = {.at = at};
  };
  // One pass over both, since both are sorted.
  std::uint32_t at = 0;
  for (const auto& [name, value] : attributes) {
    const NameStart start = name_start(name);
    while (next < count && starts[next] <= start) {
      const int order = starts[next] < start ? 1 : compare_after_start(name, names.names[next]);
      if (order > 0) {
        add_missing(at);
        continue;
      }
      if (order < 0) break;
      // Made where it belongs: std::construct_at would assemble it elsewhere and copy it.
      new (&values[next]) Element(quick_element_of(config_, name, value, kept()));
      places[next++] = {.at = at, .exists = true};
      break;
    }
    ++at;
  }
  while (next < count) add_missing(at);
}

void ItemView::each(const std::function<void(std::string_view, const Element&)>& visit) const {
  for (const auto& [name, value] : item_) visit(name, element_of(config_, name, value, kept()));
}

std::unique_ptr<PropertyReader> ItemTableView::reader(std::string_view property) const {
  if (property == entity_.definition.unique_property) return std::make_unique<UniqueReader>(config_, entity_, items_);
  return std::make_unique<ItemPropertyReader>(config_, items_, property, Numbers::kText);
}

std::unique_ptr<PropertyReader> ItemTableView::sort_reader(std::string_view property) const {
  return std::make_unique<ItemPropertyReader>(config_, items_, property, Numbers::kOrder);
}

Element unique_element(const CompiledConfig& config, const CompiledEntity& entity, const ItemView& item) {
  const Element unique = item.get(entity.definition.unique_property);
  return unique.is_nil() ? unique_of_range_key(entity, item.get(config.config().range_key)) : unique;
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
