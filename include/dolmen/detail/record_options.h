#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "dolmen/detail/record_containers.h"
#include "dolmen/detail/record_context.h"
#include "dolmen/detail/record_types.h"

namespace dolmen::mapping {

// ---- What DOLMEN_RECORD can say of a member ----

struct Defaulted {};

template <class C>
struct As {
  template <class T>
  static constexpr bool kTakes = std::same_as<decltype(C::from(std::declval<const AttributeValue&>())), Result<T>>;
  template <class T>
  using For = ConvertedMapping<T, C>;
};

template <class Unit>
struct AsTicks {
  template <class T>
  static constexpr bool kTakes = kIsTime<T> || kIsDuration<T>;
  template <class T>
  using For = TicksMapping<T, Unit>;
};

}  // namespace dolmen::mapping

/// What DOLMEN_RECORD can say of a member, besides the name of its attribute. These words, and nothing else of Dolmen,
/// are known between its parentheses.
namespace dolmen::member_options {

// NOLINTBEGIN(readability-identifier-naming): these are the words that DOLMEN_RECORD takes

/// The attribute may be missing; the member then keeps what the struct gives it.
inline constexpr mapping::Defaulted defaulted;

/// The value, or what is in the optional, is written and read by the functions `to` and `from` of C; see Converter.
template <class C>
inline constexpr mapping::As<C> as;

/// The duration, or the time since 1970, is written as a number of units. DynamoDB's time to live needs `as_seconds`.
inline constexpr mapping::AsTicks<std::chrono::seconds> as_seconds;
inline constexpr mapping::AsTicks<std::chrono::milliseconds> as_milliseconds;
inline constexpr mapping::AsTicks<std::chrono::microseconds> as_microseconds;
inline constexpr mapping::AsTicks<std::chrono::nanoseconds> as_nanoseconds;

// NOLINTEND(readability-identifier-naming)

}  // namespace dolmen::member_options

namespace dolmen::mapping {

// ---- The mapping of a member of type T with its options ----

template <class T, class Option>
consteval auto applied() {
  if constexpr (Option::template kTakes<T>) {
    return std::type_identity<typename Option::template For<T>>{};
  } else {
    static_assert(kIsOptional<T>, "the converter is for another type than the member's");
    static_assert(Option::template kTakes<Pointee<T>>, "the converter is for another type than the member's");
    return std::type_identity<OptionalMapping<T, typename Option::template For<Pointee<T>>>>{};
  }
}

template <class T, class... Options>
struct MappingWith : std::type_identity<Mapping<T>> {};
template <class T, class Option, class... Rest>
struct MappingWith<T, Option, Rest...> : decltype(applied<T, Option>()) {};
template <class T, class... Rest>
struct MappingWith<T, const char*, Rest...> : MappingWith<T, Rest...> {};
template <class T, class... Rest>
struct MappingWith<T, Defaulted, Rest...> : MappingWith<T, Rest...> {};

// ---- What the macros call ----

template <class T, class M>
consteval auto members_of() {
  std::span<const Member> (*members)() = nullptr;
  if constexpr (Record<T> && std::same_as<M, Mapping<T, Kind::kRecord>>)
    members = []() -> std::span<const Member> { return kMembers<T>; };
  return members;
}

template <class T, class M>
inline constexpr TypeMapping kTypeMapping{
    .write = [](Context& context, const void* value) -> AttributeValue {
      return M::write(context, *static_cast<const T*>(value));
    },
    .read = [](Context& context, const AttributeValue& value,
               void* out) { return M::read(context, value, *static_cast<T*>(out)); },
    .types = M::kTypes,
    .left_out_when_null = left_out_when_null<M>(),
    .is_time = is_time<M>(),
    .members = members_of<T, M>()};

constexpr void apply(Member& member, const char* attribute) { member.attribute = attribute; }
constexpr void apply(Member& member, Defaulted) { member.defaulted = true; }
template <class Converting>
constexpr void apply(Member&, Converting) {}

template <class R, auto pointer, class... Options>
constexpr Member member(std::string_view name, Options... options) {
  using T = std::remove_reference_t<decltype(std::declval<R&>().*pointer)>;
  using M = typename MappingWith<T, Options...>::type;
  static_assert(!((std::same_as<Options, Defaulted> || ...) && left_out_when_null<M>()),
                "a member that is left out when it is empty cannot be defaulted: a missing attribute means empty");
  Member member{.name = name,
                .attribute = name,
                .locate = [](void* record) -> void* { return std::addressof(static_cast<R*>(record)->*pointer); },
                .type = &kTypeMapping<T, M>};
  (apply(member, options), ...);
  return member;
}

/// Stands where DOLMEN_RECORD names something that is not a member, so that nothing else is reported.
constexpr Member unknown_member(std::string_view name) { return {.name = name, .attribute = name}; }

template <class T>
constexpr Enumerator enumerator(T value, std::string_view enumerator_name, const char* name = nullptr) {
  return {.name = name != nullptr ? name : enumerator_name, .value = static_cast<std::uint64_t>(value)};
}

/// "Note" of "shop::Note".
consteval std::string_view without_scope(std::string_view type) {
  const std::size_t scope = type.rfind("::");
  return scope == std::string_view::npos ? type : type.substr(scope + 2);
}

consteval bool are_distinct(std::span<const Member> members) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].attribute.empty()) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (members[i].attribute == members[j].attribute) return false;
  }
  return true;
}

consteval bool are_distinct(std::span<const Enumerator> enumerators) {
  for (std::size_t i = 0; i < enumerators.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (enumerators[i].name == enumerators[j].name || enumerators[i].value == enumerators[j].value) return false;
  return true;
}

}  // namespace dolmen::mapping
