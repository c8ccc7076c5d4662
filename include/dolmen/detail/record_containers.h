#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "dolmen/detail/record_types.h"

/// How types that hold others are mapped; dolmen/record.h says what a user needs to know of it.
namespace dolmen::mapping {

/// std::optional and std::unique_ptr, with what is inside mapped by `Inner`.
template <class T, class Inner>
struct OptionalMapping {
  static constexpr TypeSet kTypes = Inner::kTypes | TypeSet{Type::kNull};
  static constexpr bool kLeftOutWhenNull = true;
  static constexpr bool kIsTimeText = is_time<Inner>();
  static_assert(!Inner::kTypes.contains(Type::kNull),
                "NULL stands for an empty optional, so what is inside must never be NULL itself: optionals, sets, "
                "AttributeValue and std::monostate are");

  static AttributeValue write(Context& context, const T& value) {
    if (value) return Inner::write(context, *value);
    return nullptr;
  }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    out = T();
    if (value.type() == Type::kNull) return true;
    if constexpr (requires { out.emplace(); })
      out.emplace();
    else
      out = std::make_unique<Pointee<T>>();
    return Inner::read(context, value, *out);
  }
};

template <class T>
struct Mapping<T, Kind::kOptional> : OptionalMapping<T, Mapping<Pointee<T>>> {};

template <class Element, class T>
List write_elements(Context& context, const T& value) {
  List list;
  list.reserve(value.size());
  // Not `const Element&`: std::vector<bool> has none to give.
  for (const auto& element : value) {
    const Context::Step step(context, list.size());
    list.push_back(Mapping<Element>::write(context, element));
  }
  return list;
}

template <class T>
struct Mapping<T, Kind::kArray> {
  using Element = typename T::value_type;
  static constexpr TypeSet kTypes{Type::kList};
  static AttributeValue write(Context& context, const T& value) { return write_elements<Element>(context, value); }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    const List* list = read_list(context, value, out.size());
    if (list == nullptr) return false;
    bool good = true;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Context::Step step(context, i);
      good = Mapping<Element>::read(context, (*list)[i], out[i]) && good;
    }
    return good;
  }
};

template <class T>
struct Mapping<T, Kind::kSequence> {
  using Element = typename T::value_type;
  static constexpr TypeSet kTypes{Type::kList};
  static AttributeValue write(Context& context, const T& value) { return write_elements<Element>(context, value); }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    const List* list = read_list(context, value);
    if (list == nullptr) return false;
    out.clear();
    if constexpr (requires { out.reserve(list->size()); }) out.reserve(list->size());
    bool good = true;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Context::Step step(context, i);
      Element element{};
      good = Mapping<Element>::read(context, (*list)[i], element) && good;
      out.push_back(std::move(element));
    }
    return good;
  }
};

template <class T>
struct Mapping<T, Kind::kMap> {
  using Value = typename T::mapped_type;
  static constexpr TypeSet kTypes{Type::kMap};
  static AttributeValue write(Context& context, const T& value) {
    Item map;
    map.reserve(value.size());
    for (const auto& [name, entry] : value) {
      const Context::Step step(context, Context::Step::Kind::kEntry, name);
      map.set(name, Mapping<Value>::write(context, entry));
    }
    return map;
  }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    const Item* map = read_map(context, value);
    if (map == nullptr) return false;
    out.clear();
    bool good = true;
    for (const auto& [name, entry] : *map) {
      const Context::Step step(context, Context::Step::Kind::kEntry, name);
      Value read{};
      good = Mapping<Value>::read(context, entry, read) && good;
      out.insert_or_assign(name, std::move(read));
    }
    return good;
  }
};

template <class T>
struct Mapping<T, Kind::kSet> {
  using Element = typename T::value_type;
  static constexpr TypeSet kElements = Mapping<Element>::kTypes;
  static_assert(kElements == TypeSet{Type::kString} || kElements == TypeSet{Type::kNumber} ||
                    kElements == TypeSet{Type::kBinary},
                "DynamoDB has sets of strings, of numbers and of binary values only");
  static constexpr Type kType = kElements.contains(Type::kString)   ? Type::kStringSet
                                : kElements.contains(Type::kNumber) ? Type::kNumberSet
                                                                    : Type::kBinarySet;
  static constexpr TypeSet kTypes{kType, Type::kNull};
  static constexpr bool kLeftOutWhenNull = true;
  using Stored = std::conditional_t<kType == Type::kStringSet, StringSet,
                                    std::conditional_t<kType == Type::kNumberSet, NumberSet, BinarySet>>;

  static AttributeValue write(Context& context, const T& value) {
    if (value.empty()) return nullptr;
    Stored set;
    for (const Element& element : value) {
      AttributeValue written = Mapping<Element>::write(context, element);
      // Most sets have the order that DynamoDB's have.
      if (auto* plain = written.get_if<typename Stored::key_type>()) set.insert(set.end(), std::move(*plain));
    }
    return set;
  }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    out.clear();
    if (value.type() == Type::kNull) return true;
    const auto* set = value.get_if<Stored>();
    if (set == nullptr) return context.wrong_type({kType}, value);
    bool good = true;
    for (const auto& found : *set) {
      Element element{};
      good = read_element(context, found, element) && good;
      out.insert(std::move(element));
    }
    return good;
  }

 private:
  static bool read_element(Context& context, const typename Stored::key_type& found, Element& out) {
    if constexpr (kind_of<Element>() == Kind::kPlain)
      return out = found, true;
    else
      return Mapping<Element>::read(context, found, out);
  }
};

// ---- Variants ----

template <class T>
consteval std::string_view record_name() {
  if constexpr (kind_of<T>() == Kind::kRecord) return dolmen_record_name(std::type_identity<T>{});
  return {};
}

/// Whether the alternatives can be told apart when they are read: records by their names, all others by their types.
consteval bool are_distinct(std::span<const TypeSet> types, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < types.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!names[i].empty() && !names[j].empty() ? names[i] == names[j] : types[i].overlaps(types[j])) return false;
  return true;
}

consteval bool has_attribute(std::span<const Member> members, std::string_view attribute) {
  for (const Member& member : members)
    if (member.attribute == attribute) return true;
  return false;
}

template <class... Alternatives>
struct Mapping<std::variant<Alternatives...>, Kind::kVariant> {
  using Variant = std::variant<Alternatives...>;
  static constexpr std::array kAlternatives{Mapping<Alternatives>::kTypes...};
  static constexpr std::array kNames{record_name<Alternatives>()...};
  static constexpr TypeSet kTypes = (Mapping<Alternatives>::kTypes | ...);
  static_assert(are_distinct(kAlternatives, kNames),
                "alternatives of a variant must be written as different DynamoDB types, or be records with different "
                "names; put the others into records");

  static AttributeValue write(Context& context, const Variant& value) {
    if (!value.valueless_by_exception())
      return std::visit([&](const auto& held) { return write_alternative(context, held); }, value);
    context.fail("alternative", "the variant holds nothing");
    return nullptr;
  }
  static bool read(Context& context, const AttributeValue& value, Variant& out) {
    std::size_t index = 0;
    return find_alternative(context, value, kAlternatives, kNames, index) &&
           read(context, value, index, out, std::index_sequence_for<Alternatives...>{});
  }

 private:
  template <class T>
  static AttributeValue write_alternative(Context& context, const T& value) {
    AttributeValue written = Mapping<T>::write(context, value);
    if constexpr (constexpr std::string_view kName = record_name<T>(); !kName.empty()) {
      static_assert(!has_attribute(kMembers<T>, kTagAttribute),
                    "a record in a variant has its name in the attribute _type, so no member can have that one");
      written.get_if<Item>()->set(std::string(kTagAttribute), kName);
    }
    return written;
  }

  template <std::size_t... I>
  static bool read(Context& context, const AttributeValue& value, std::size_t index, Variant& out,
                   std::index_sequence<I...>) {
    return ((index == I && Mapping<Alternatives>::read(context, value, out.template emplace<I>())) || ...);
  }
};

}  // namespace dolmen::mapping
