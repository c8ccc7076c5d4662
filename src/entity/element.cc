#include "entity/element.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "entity/js_number.h"

namespace dolmen::entity {

Element Element::of(const EntityValue& value) {
  struct Visitor {
    Element operator()(std::monostate /*unused*/) const { return {}; }
    Element operator()(std::nullptr_t) const { return null(); }
    Element operator()(bool boolean) const { return of(boolean); }
    Element operator()(double number) const { return of(number); }
    Element operator()(const BigInteger& integer) const { return big_integer(integer.digits); }
    Element operator()(const std::string& text) const { return view(text); }
  };
  return std::visit(Visitor{}, value);
}

Element Element::of(EntityValue value, KeptTexts& kept) {
  if (auto* text = std::get_if<std::string>(&value)) return view(kept.emplace_front(std::move(*text)));
  if (auto* integer = std::get_if<BigInteger>(&value))
    return big_integer(kept.emplace_front(std::move(integer->digits)));
  return of(value);
}

bool Element::is_truthy() const noexcept {
  switch (kind_) {
    case Kind::kUndefined:
    case Kind::kNull: return false;
    case Kind::kBoolean: return boolean_;
    case Kind::kNumber: return number_ != 0 && !std::isnan(number_);
    case Kind::kBigInteger: return text() != "0";
    case Kind::kString: return !text().empty();
    case Kind::kOther: return true;
  }
  return true;
}

char* Element::write_to(char* out) const {
  const auto write = [out](std::string_view text) { return out + text.copy(out, text.size()); };
  switch (kind_) {
    case Kind::kUndefined: return write("undefined");
    case Kind::kNull: return write("null");
    case Kind::kBoolean: return write(boolean_ ? "true" : "false");
    case Kind::kNumber: return write_number(out, number_);
    case Kind::kBigInteger:
    case Kind::kString:
    case Kind::kOther: break;
  }
  return write(text_);
}

void Element::append_to(std::string& out) const {
  const std::size_t before = out.size();
  out.resize(before + text_bytes_max());
  out.resize(static_cast<std::size_t>(write_to(out.data() + before) - out.data()));
}

std::string Element::to_string() const {
  std::string text;
  append_to(text);
  return text;
}

EntityValue Element::value() const {
  switch (kind_) {
    case Kind::kUndefined: return std::monostate{};
    case Kind::kNull: return nullptr;
    case Kind::kBoolean: return boolean_;
    case Kind::kNumber: return number_;
    case Kind::kBigInteger: return BigInteger{std::string(text())};
    case Kind::kString:
    case Kind::kOther: return std::string(text());
  }
  return std::monostate{};
}

SortedNames::SortedNames(std::vector<std::string> unsorted) : names(std::move(unsorted)) {
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  for (const std::string& name : names) starts.push_back(name_start(name));
}

void ElementSource::read(const SortedNames& names, std::span<Element> values, std::span<AttributePlace> places) const {
  for (std::size_t i = 0; i < names.names.size(); ++i) std::construct_at(&values[i], get(names.names[i]));
  std::ranges::uninitialized_value_construct(places);
}

Element ElementViews::get(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &std::pair<std::string_view, Element>::first);
  return found == entries_.end() ? Element{} : found->second;
}

void ElementViews::each(const std::function<void(std::string_view, const Element&)>& visit) const {
  for (const auto& [name, value] : entries_) visit(name, value);
}

void ElementViews::set(std::string_view name, Element value) {
  const auto found = std::ranges::find(entries_, name, &std::pair<std::string_view, Element>::first);
  if (found != entries_.end()) {
    found->second = value;
  } else {
    entries_.emplace_back(name, value);
  }
}

void ElementViews::clear() {
  entries_.clear();
  kept().clear();
}

Element ElementList::get(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::first);
  return found == entries_.end() ? Element{} : Element::of(found->second);
}

void ElementList::each(const std::function<void(std::string_view, const Element&)>& visit) const {
  for (const auto& [name, value] : entries_) visit(name, Element::of(value));
}

void ElementList::set(std::string_view name, EntityValue value) {
  const auto found = std::ranges::find(entries_, name, &Entry::first);
  if (found != entries_.end()) {
    found->second = std::move(value);
  } else {
    entries_.emplace_back(name, std::move(value));
  }
}

}  // namespace dolmen::entity
