#include "fuzz/reference/meaning.h"

#include <algorithm>
#include <map>

#include "fuzz/reference/decimal.h"
#include "fuzz/reference/rules.h"

namespace dolmen::reference {
namespace {

using Maybe = std::optional<AttributeValue>;

Maybe member(const AttributeValue& value, const Step& step) {
  if (!step.is_index) {
    if (value.type() != Type::kMap) return std::nullopt;
    for (const auto& [name, inner] : value.map())
      if (name == step.text) return inner;
    return std::nullopt;
  }
  const std::size_t index = std::stoul(step.text);
  if (value.type() != Type::kList || index >= value.list().size()) return std::nullopt;
  return value.list()[index];
}

Maybe look_up(const Item& item, const Steps& path) {
  Maybe at = AttributeValue(item);
  for (const Step& step : path)
    if (at) at = member(*at, step);
  return at;
}

std::size_t utf16_units(const std::string& text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

Maybe size_of(const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString: return utf16_units(value.string());
    case Type::kBinary: return value.binary().size();
    case Type::kList: return value.list().size();
    case Type::kMap: return value.map().size();
    case Type::kStringSet: return value.string_set().size();
    case Type::kNumberSet: return value.number_set().size();
    case Type::kBinarySet: return value.binary_set().size();
    default: return std::nullopt;
  }
}

Maybe operand(const Term& term, const Item& item) {
  if (term.what == "value") return term.value;
  if (term.what == "path") return look_up(item, term.path);
  const Maybe inner = operand(term.parts[0], item);
  return inner ? size_of(*inner) : std::nullopt;
}

/// The text of strings and binaries.
std::string_view bytes_of(const AttributeValue& value) {
  return value.type() == Type::kString ? std::string_view(value.string()) : value.binary().view();
}

bool is_text(const AttributeValue& value) { return value.type() == Type::kString || value.type() == Type::kBinary; }

/// The members of a list or a set as values.
List members(const AttributeValue& value) {
  List out;
  if (value.type() == Type::kList) out = value.list();
  if (value.type() == Type::kStringSet) out.assign(value.string_set().begin(), value.string_set().end());
  if (value.type() == Type::kNumberSet) out.assign(value.number_set().begin(), value.number_set().end());
  if (value.type() == Type::kBinarySet) out.assign(value.binary_set().begin(), value.binary_set().end());
  return out;
}

bool contains(const AttributeValue& whole, const AttributeValue& part) {
  if (is_text(whole))
    return whole.type() == part.type() && bytes_of(whole).find(bytes_of(part)) != std::string_view::npos;
  return std::ranges::count(members(whole), part) > 0;
}

bool compare(const std::string& what, const Maybe& left, const Maybe& right) {
  if (what == "=") return left && right && *left == *right;
  if (what == "<>") return !left || !right || *left != *right;
  const std::optional<int> order = left && right ? compare_values(*left, *right) : std::nullopt;
  if (!order) return false;
  if (what == "<") return *order < 0;
  if (what == "<=") return *order <= 0;
  if (what == ">") return *order > 0;
  return *order >= 0;
}

bool function(const std::string& name, const Maybe& first, const Maybe& second) {
  if (name == "attribute_exists") return first.has_value();
  if (name == "attribute_not_exists") return !first.has_value();
  if (!first || !second) return false;
  if (name == "attribute_type") return type_name(first->type()) == second->string();
  if (name == "contains") return contains(*first, *second);
  return is_text(*first) && first->type() == second->type() && bytes_of(*first).starts_with(bytes_of(*second));
}

// ---- Updates ----

/// `a` + `sign` * `b`; nothing unless both are numbers and the result can be stored.
Maybe sum(const AttributeValue& a, const AttributeValue& b, const std::string& sign) {
  if (a.type() != Type::kNumber || b.type() != Type::kNumber) return std::nullopt;
  const std::string right = b.number().to_string();
  const auto text = add_decimals(a.number().to_string(), sign == "-" ? negated_decimal(right) : right);
  if (!text) return std::nullopt;
  return Number::parse(*text).value();
}

Maybe assigned(const Term& term, const Item& item) {
  if (term.what == "value") return term.value;
  if (term.what == "path") return look_up(item, term.path);
  if (term.what == "if_not_exists") {
    const Maybe existing = look_up(item, term.parts[0].path);
    return existing ? existing : assigned(term.parts[1], item);
  }
  const Maybe first = assigned(term.parts[0], item);
  const Maybe second = assigned(term.parts[1], item);
  if (!first || !second) return std::nullopt;
  if (term.what != "list_append") return sum(*first, *second, term.what);
  if (first->type() != Type::kList || second->type() != Type::kList) return std::nullopt;
  List all = first->list();
  for (const AttributeValue& element : second->list()) all.push_back(element);
  return all;
}

template <class Set>
AttributeValue set_of(const List& elements) {
  Set set;
  for (const AttributeValue& element : elements)
    element.visit([&](const auto& member) {
      if constexpr (std::is_same_v<std::decay_t<decltype(member)>, typename Set::value_type>) set.insert(member);
    });
  return set;
}

AttributeValue set_of(Type type, const List& elements) {
  if (type == Type::kStringSet) return set_of<StringSet>(elements);
  if (type == Type::kNumberSet) return set_of<NumberSet>(elements);
  return set_of<BinarySet>(elements);
}

bool is_set(const AttributeValue& value) {
  return static_cast<int>(value.type()) >= static_cast<int>(Type::kStringSet);
}

/// The value at one path afterwards, or nothing.
struct Change {
  Steps path;
  Maybe value;
};

std::optional<Change> add(const Term& action, const Maybe& existing) {
  const AttributeValue& given = action.parts[0].value;
  if (!existing) return Change{action.path, given};
  if (given.type() == Type::kNumber) {
    const Maybe total = sum(*existing, given, "+");
    return total ? std::optional(Change{action.path, total}) : std::nullopt;
  }
  if (existing->type() != given.type()) return std::nullopt;
  List all = members(*existing);
  for (const AttributeValue& element : members(given)) all.push_back(element);
  return Change{action.path, set_of(given.type(), all)};
}

std::optional<Change> take_away(const Term& action, const Maybe& existing) {
  const AttributeValue& given = action.parts[0].value;
  if (!existing) return Change{action.path, std::nullopt};
  if (!is_set(*existing) || existing->type() != given.type()) return std::nullopt;
  List rest;
  for (const AttributeValue& element : members(*existing))
    if (!contains(given, element)) rest.push_back(element);
  return Change{action.path, rest.empty() ? Maybe() : set_of(given.type(), rest)};
}

/// The effect of an action on this item; nothing when it fails.
std::optional<Change> change_of(const Term& action, const Item& item) {
  const Maybe parent = look_up(item, Steps(action.path.begin(), action.path.end() - 1));
  if (!parent || parent->type() != (action.path.back().is_index ? Type::kList : Type::kMap)) return std::nullopt;
  const Maybe existing = look_up(item, action.path);
  if (action.what == "REMOVE") return Change{action.path, std::nullopt};
  if (action.what == "ADD") return add(action, existing);
  if (action.what == "DELETE") return take_away(action, existing);
  const Maybe value = assigned(action.parts[0], item);
  return value ? std::optional(Change{action.path, value}) : std::nullopt;
}

/// The number of nesting levels of a value.
std::size_t levels(const AttributeValue& value) {
  std::size_t inside = 0;
  if (value.type() == Type::kMap)
    for (const auto& [name, inner] : value.map()) inside = std::max(inside, levels(inner));
  if (value.type() == Type::kList)
    for (const AttributeValue& inner : value.list()) inside = std::max(inside, levels(inner));
  return 1 + inside;
}

bool too_deep(const Change& change) { return change.value && change.path.size() - 1 + levels(*change.value) > 32; }

Steps below(Steps path, Step step) {
  path.push_back(std::move(step));
  return path;
}

/// A copy of the value at `path` with all changes at and below the path.
Maybe rebuilt(const AttributeValue& value, const Steps& path, const std::vector<Change>& changes) {
  for (const Change& change : changes)
    if (change.path == path) return change.value;
  const auto is_new = [&](const Change& change) {
    return change.value && change.path.size() == path.size() + 1 &&
           std::equal(path.begin(), path.end(), change.path.begin()) && !member(value, change.path.back());
  };
  if (value.type() == Type::kMap) {
    Item map;
    for (const auto& [name, inner] : value.map())
      if (auto copy = rebuilt(inner, below(path, {.text = name}), changes)) map.set(name, *copy);
    for (const Change& change : changes)
      if (is_new(change)) map.set(change.path.back().text, *change.value);
    return map;
  }
  if (value.type() != Type::kList) return value;
  List list;
  for (std::size_t i = 0; i < value.list().size(); ++i) {
    const Step step{.is_index = true, .text = std::to_string(i)};
    if (auto copy = rebuilt(value.list()[i], below(path, step), changes)) list.push_back(*copy);
  }
  std::map<std::size_t, AttributeValue> appended;
  for (const Change& change : changes)
    if (is_new(change)) appended.emplace(std::stoul(change.path.back().text), *change.value);
  for (const auto& [index, element] : appended) list.push_back(element);
  return list;
}

// ---- Projections ----

/// The parts of the value at `path` that the wanted paths name.
Maybe kept(const AttributeValue& value, const Steps& path, const std::vector<Steps>& wanted) {
  if (std::ranges::count(wanted, path) > 0) return value;
  if (value.type() == Type::kMap) {
    Item map;
    for (const auto& [name, inner] : value.map())
      if (auto part = kept(inner, below(path, {.text = name}), wanted)) map.set(name, *part);
    return map.empty() ? Maybe() : map;
  }
  if (value.type() != Type::kList) return std::nullopt;
  List list;
  for (std::size_t i = 0; i < value.list().size(); ++i) {
    const Step step{.is_index = true, .text = std::to_string(i)};
    if (auto part = kept(value.list()[i], below(path, step), wanted)) list.push_back(*part);
  }
  return list.empty() ? Maybe() : list;
}

// ---- Key conditions ----

bool is_attribute(const Term& term) { return term.what == "path" && term.path.size() == 1; }

std::optional<KeyBound> key_bound(const Term& term) {
  static const std::map<std::string, std::string> kExchanged = {
      {"=", "="}, {"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}};
  const bool comparator = kExchanged.contains(term.what);
  if (!comparator && term.what != "BETWEEN" && term.what != "begins_with") return std::nullopt;
  Term turned = term;
  if (comparator && !is_attribute(turned.parts[0])) {
    std::swap(turned.parts[0], turned.parts[1]);
    turned.what = kExchanged.at(term.what);
  }
  if (!is_attribute(turned.parts[0])) return std::nullopt;
  KeyBound bound{.attribute = turned.parts[0].path[0].text, .what = turned.what};
  for (std::size_t i = 1; i < turned.parts.size(); ++i) {
    if (turned.parts[i].what != "value") return std::nullopt;
    bound.values.push_back(turned.parts[i].value);
  }
  return bound;
}

}  // namespace

bool holds(const Term& condition, const Item& item) {
  const std::vector<Term>& parts = condition.parts;
  if (condition.what == "AND") return holds(parts[0], item) && holds(parts[1], item);
  if (condition.what == "OR") return holds(parts[0], item) || holds(parts[1], item);
  if (condition.what == "NOT") return !holds(parts[0], item);
  std::vector<Maybe> values;
  for (const Term& part : parts) values.push_back(operand(part, item));
  if (condition.what == "BETWEEN") return compare(">=", values[0], values[1]) && compare("<=", values[0], values[2]);
  if (condition.what == "IN")
    return std::any_of(values.begin() + 1, values.end(), [&](const Maybe& v) { return compare("=", values[0], v); });
  if (is_condition_function(condition.what))
    return function(condition.what, values[0], values.size() > 1 ? values[1] : std::nullopt);
  return compare(condition.what, values[0], values[1]);
}

Item projected(const std::vector<Steps>& paths, const Item& item) {
  const Maybe part = kept(item, {}, paths);
  return part ? part->map() : Item();
}

std::optional<Item> updated(const std::vector<Term>& actions, const Item& item) {
  std::vector<Change> changes;
  for (const Term& action : actions) {
    auto change = change_of(action, item);
    if (!change || too_deep(*change)) return std::nullopt;
    changes.push_back(std::move(*change));
  }
  return rebuilt(item, {}, changes)->map();
}

std::optional<std::vector<KeyBound>> key_bounds(const Term& condition) {
  if (condition.what != "AND") {
    auto bound = key_bound(condition);
    return bound ? std::optional(std::vector<KeyBound>{std::move(*bound)}) : std::nullopt;
  }
  auto bounds = key_bounds(condition.parts[0]);
  auto more = key_bounds(condition.parts[1]);
  if (!bounds || !more) return std::nullopt;
  for (KeyBound& bound : *more) {
    if (std::ranges::count(*bounds, bound.attribute, &KeyBound::attribute) > 0) return std::nullopt;
    bounds->push_back(std::move(bound));
  }
  return bounds;
}

}  // namespace dolmen::reference
