#include "dolmen/value.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "value/item_parts.h"

namespace dolmen {
namespace {

constexpr std::array<std::string_view, 10> kTypeNames = {"S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"};

/// The place of the attribute, or the place where it would be inserted.
template <class Attributes>
auto lower_bound(Attributes& attributes, std::string_view name) {
  auto first = attributes.begin();
  for (auto count = attributes.size(); count > 0;) {
    const auto half = count / 2;
    const auto middle = first + static_cast<std::ptrdiff_t>(half);
    const int order = compare_names(middle->first, name);
    if (order == 0) return middle;
    if (order < 0) {
      first = middle + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

// Most values are strings and numbers, for which this is several times as fast as std::variant's own operation.

template <class Value>
Value moved(Value& from) noexcept {
  if (auto* text = std::get_if<std::string>(&from)) return Value(std::in_place_type<std::string>, std::move(*text));
  if (const auto* number = std::get_if<Number>(&from)) return Value(std::in_place_type<Number>, *number);
  return std::move(from);
}

template <class Value>
Value copied(const Value& from) {
  if (const auto* text = std::get_if<std::string>(&from)) return Value(std::in_place_type<std::string>, *text);
  if (const auto* number = std::get_if<Number>(&from)) return Value(std::in_place_type<Number>, *number);
  return from;
}

}  // namespace

std::string_view type_name(Type type) { return kTypeNames[static_cast<std::size_t>(type)]; }

AttributeValue::~AttributeValue() {
  if (auto* text = std::get_if<std::string>(&value_)) {
    std::destroy_at(text);
  } else if (!std::holds_alternative<Number>(value_)) {
    std::destroy_at(&value_);
  }
}
AttributeValue::AttributeValue(const AttributeValue& other) : value_(copied(other.value_)) {}
AttributeValue::AttributeValue(AttributeValue&& other) noexcept : value_(moved(other.value_)) {}

// The other value may be a part of this one, so it is taken out before this one goes.

AttributeValue& AttributeValue::operator=(const AttributeValue& other) {
  Values copy = copied(other.value_);
  value_ = std::move(copy);
  return *this;
}

AttributeValue& AttributeValue::operator=(AttributeValue&& other) noexcept {
  auto* text = std::get_if<std::string>(&value_);
  auto* other_text = std::get_if<std::string>(&other.value_);
  if (text != nullptr && other_text != nullptr) {
    *text = std::move(*other_text);
  } else {
    Values taken = moved(other.value_);
    value_ = std::move(taken);
  }
  return *this;
}

Item::Item() = default;
Item::~Item() = default;
Item::Item(const Item&) = default;
Item::Item(Item&&) noexcept = default;
Item& Item::operator=(const Item&) = default;
Item& Item::operator=(Item&&) noexcept = default;

Item::Item(std::initializer_list<Attribute> attributes) {
  attributes_.reserve(attributes.size());
  for (const auto& [name, value] : attributes) set(name, value);
}

const AttributeValue* Item::find(std::string_view name) const {
  const auto at = lower_bound(attributes_, name);
  return at != attributes_.end() && at->first == name ? &at->second : nullptr;
}

AttributeValue* Item::find(std::string_view name) {
  const auto at = lower_bound(attributes_, name);
  return at != attributes_.end() && at->first == name ? &at->second : nullptr;
}

const AttributeValue& Item::at(std::string_view name) const {
  const AttributeValue* value = find(name);
  DOLMEN_CHECK(value != nullptr, "Item::at needs an attribute that exists");
  return *value;
}

void Item::reserve(std::size_t attributes) { attributes_.reserve(attributes); }

AttributeValue& Item::set(std::string name, AttributeValue value) {
  // Attributes usually arrive in order, for example from the codec.
  if (attributes_.empty() || compare_names(attributes_.back().first, name) < 0)
    return attributes_.emplace_back(std::move(name), std::move(value)).second;
  const auto at = lower_bound(attributes_, name);
  if (at != attributes_.end() && at->first == name) return at->second = std::move(value);
  return attributes_.emplace(at, std::move(name), std::move(value))->second;
}

bool Item::erase(std::string_view name) {
  const auto at = lower_bound(attributes_, name);
  if (at == attributes_.end() || at->first != name) return false;
  attributes_.erase(at);
  return true;
}

void ItemParts::change(Item& item, std::span<const TextChange> changes) {
  std::vector<Item::Attribute>& before = item.attributes_;
  std::vector<Item::Attribute> after;
  after.reserve(before.size() + changes.size());
  auto next = before.begin();
  for (const TextChange& change : changes) {
    if (change.kind == TextChange::Kind::kNone) continue;
    for (const auto end = before.begin() + change.place.at; next != end; ++next) after.push_back(std::move(*next));
    if (change.place.exists) ++next;
    if (change.kind == TextChange::Kind::kSet) after.emplace_back(change.name, change.text);
  }
  for (; next != before.end(); ++next) after.push_back(std::move(*next));
  before = std::move(after);
}

std::size_t Item::size() const noexcept { return attributes_.size(); }
bool Item::empty() const noexcept { return attributes_.empty(); }
Item::const_iterator Item::begin() const noexcept { return attributes_.begin(); }
Item::const_iterator Item::end() const noexcept { return attributes_.end(); }

bool operator==(const Item& a, const Item& b) { return a.attributes_ == b.attributes_; }

AttributeValue::AttributeValue() : value_(nullptr) {}
AttributeValue::AttributeValue(std::nullptr_t) : value_(nullptr) {}
AttributeValue::AttributeValue(std::string value) : value_(std::move(value)) {}
AttributeValue::AttributeValue(std::string_view value) : value_(std::in_place_type<std::string>, value) {}
AttributeValue::AttributeValue(const char* value) : value_(std::string(value)) {}
AttributeValue::AttributeValue(Number value) : value_(value) {}
AttributeValue::AttributeValue(Boolean value) : value_(value.value) {}
AttributeValue::AttributeValue(Bytes value) : value_(std::move(value)) {}
AttributeValue::AttributeValue(List value) : value_(std::move(value)) {}
AttributeValue::AttributeValue(Item value) : value_(std::move(value)) {}
AttributeValue::AttributeValue(StringSet value) : value_(detail::Boxed(std::move(value))) {}
AttributeValue::AttributeValue(NumberSet value) : value_(detail::Boxed(std::move(value))) {}
AttributeValue::AttributeValue(BinarySet value) : value_(detail::Boxed(std::move(value))) {}

bool operator==(const AttributeValue& a, const AttributeValue& b) { return a.value_ == b.value_; }

void AttributeValue::wrong_type(Type actual) {
  check_failed("dolmen/value.h", 0, "the value has the type that was asked for", type_name(actual).data());
}

}  // namespace dolmen
