#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "dolmen/detail/record_context.h"

/// How each C++ type is mapped; dolmen/record.h says what a user needs to know of it.
namespace dolmen {

template <class T>
struct Converter;

}  // namespace dolmen

namespace dolmen::mapping {

// ---- What kind of type a type is ----

/// DOLMEN_RECORD and DOLMEN_ENUM declare these functions beside the type.
template <class T>
concept Record = requires { dolmen_record_name(std::type_identity<T>{}); };
template <class T>
concept NamedEnumeration = requires { dolmen_enumerators(std::type_identity<T>{}); };

template <class T>
concept Converted = requires { sizeof(Converter<T>); };

template <class T>
concept Integer =
    std::integral<T> && sizeof(T) <= 8 && !std::same_as<T, bool> && !std::same_as<T, char> &&
    !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <class T>
concept Sequence = requires(T& sequence, typename T::value_type element) { sequence.push_back(std::move(element)); };
template <class T>
concept MapOfStrings = requires(T& map, typename T::mapped_type value) {
  requires std::same_as<typename T::key_type, std::string>;
  map.insert_or_assign(std::string(), std::move(value));
};
/// Not a multiset: its insert says whether the element is new.
template <class T>
concept Set =
    std::same_as<typename T::key_type, typename T::value_type> && requires(T& set, typename T::value_type element) {
      { set.insert(std::move(element)).second } -> std::convertible_to<bool>;
    };

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsOptional<std::unique_ptr<T>> = true;
/// What is inside an optional.
template <class T>
using Pointee = std::remove_reference_t<decltype(*std::declval<T&>())>;

template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;
template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t size>
inline constexpr bool kIsArray<std::array<T, size>> = true;
template <class T>
inline constexpr bool kIsTime = false;
template <std::signed_integral Rep, class Period>
inline constexpr bool kIsTime<std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<Rep, Period>>> =
    true;
template <class T>
inline constexpr bool kIsDuration = false;
template <std::signed_integral Rep, class Period>
inline constexpr bool kIsDuration<std::chrono::duration<Rep, Period>> = true;

enum class Kind {
  kUnknown,
  kConverted,
  kRecord,
  kEnumeration,
  kPlain,
  kInteger,
  kBinary,
  kOptional,
  kVariant,
  kArray,
  kTime,
  kSequence,
  kMap,
  kSet,
};

/// The type of a value that AttributeValue holds as it is; nothing for others.
template <class T>
consteval std::optional<Type> plain_type() {
  if constexpr (std::same_as<T, std::string>) return Type::kString;
  if constexpr (std::same_as<T, Number>) return Type::kNumber;
  if constexpr (std::same_as<T, Bytes>) return Type::kBinary;
  if constexpr (std::same_as<T, bool>) return Type::kBool;
  if constexpr (std::same_as<T, Item>) return Type::kMap;
  return std::nullopt;
}

template <class T>
consteval bool is_sequence_of_bytes() {
  if constexpr (Sequence<T> || kIsArray<T>) return std::same_as<typename T::value_type, std::byte>;
  return false;
}

template <class T>
consteval Kind kind_of() {
  if constexpr (Converted<T>)
    return Kind::kConverted;
  else if constexpr (Record<T>)
    return Kind::kRecord;
  else if constexpr (NamedEnumeration<T>)
    return Kind::kEnumeration;
  else if constexpr (plain_type<T>())
    return Kind::kPlain;
  else if constexpr (Integer<T>)
    return Kind::kInteger;
  else if constexpr (is_sequence_of_bytes<T>())
    return Kind::kBinary;
  else if constexpr (kIsOptional<T>)
    return Kind::kOptional;
  else if constexpr (kIsVariant<T>)
    return Kind::kVariant;
  else if constexpr (kIsArray<T>)
    return Kind::kArray;
  else if constexpr (kIsTime<T>)
    return Kind::kTime;
  else if constexpr (Sequence<T>)
    return Kind::kSequence;
  else if constexpr (MapOfStrings<T>)
    return Kind::kMap;
  else if constexpr (Set<T>)
    return Kind::kSet;
  else
    return Kind::kUnknown;
}

// ---- One mapping for each kind: kTypes are the types that it writes, and it reads no other. What cannot be written is
// noted, and NULL stands for it. ----

template <class T, Kind = kind_of<T>()>
struct Mapping {
  static_assert(kIsDuration<T> || std::is_enum_v<T>,
                "Dolmen does not know how to map this type: specialise dolmen::Converter for it, or describe it with "
                "DOLMEN_RECORD before it is used");
  static_assert(!kIsDuration<T>, "a duration needs a unit, such as (member, as_seconds)");
  static_assert(!std::is_enum_v<T>, "the names of an enumeration's values are given by DOLMEN_ENUM");
};

template <class M>
consteval bool left_out_when_null() {
  if constexpr (requires { M::kLeftOutWhenNull; }) return M::kLeftOutWhenNull;
  return false;
}

template <class M>
consteval bool is_time() {
  if constexpr (requires { M::kIsTimeText; }) return M::kIsTimeText;
  return false;
}

/// By a converter of the user's, which returns values and errors.
template <class T, class By>
struct ConvertedMapping {
  static constexpr bool kLeftOutWhenNull = left_out_when_null<By>();
  static constexpr TypeSet kTypes = [] {
    TypeSet types{Type::kString, Type::kNumber,    Type::kBinary,    Type::kBool,     Type::kList,
                  Type::kMap,    Type::kStringSet, Type::kNumberSet, Type::kBinarySet};
    if constexpr (requires { By::kTypes; }) types = By::kTypes;
    return kLeftOutWhenNull ? types | TypeSet{Type::kNull} : types;
  }();

  static AttributeValue write(Context& context, const T& value) {
    if constexpr (std::convertible_to<decltype(By::to(value)), AttributeValue>) {
      return By::to(value);
    } else {
      Result<AttributeValue> converted = By::to(value);
      if (converted) return std::move(*converted);
      context.refused_by_converter(converted.error());
      return nullptr;
    }
  }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    Result<T> converted = By::from(value);
    if (!converted) return context.refused_by_converter(converted.error());
    out = std::move(*converted);
    return true;
  }
};

template <class T>
struct Mapping<T, Kind::kConverted> : ConvertedMapping<T, Converter<T>> {};

template <class T>
struct Mapping<T, Kind::kPlain> {
  static constexpr TypeSet kTypes{*plain_type<T>()};
  static AttributeValue write(Context&, const T& value) { return value; }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    return read_plain(context, value, *plain_type<T>(), out);
  }
};

template <>
struct Mapping<AttributeValue> {
  static constexpr TypeSet kTypes{Type::kString, Type::kNumber, Type::kBinary,    Type::kBool,      Type::kNull,
                                  Type::kList,   Type::kMap,    Type::kStringSet, Type::kNumberSet, Type::kBinarySet};
  static AttributeValue write(Context&, const AttributeValue& value) { return value; }
  static bool read(Context&, const AttributeValue& value, AttributeValue& out) {
    out = value;
    return true;
  }
};

template <>
struct Mapping<std::monostate> {
  static constexpr TypeSet kTypes{Type::kNull};
  static AttributeValue write(Context&, std::monostate) { return nullptr; }
  static bool read(Context& context, const AttributeValue& value, std::monostate&) {
    return value.type() == Type::kNull || context.wrong_type(kTypes, value);
  }
};

template <>
struct Mapping<double> {
  static constexpr TypeSet kTypes{Type::kNumber};
  static AttributeValue write(Context& context, double value) { return write_double(context, value); }
  static bool read(Context& context, const AttributeValue& value, double& out) {
    return read_double(context, value, out);
  }
};

template <>
struct Mapping<float> {
  static constexpr TypeSet kTypes{Type::kNumber};
  static AttributeValue write(Context& context, float value) { return write_float(context, value); }
  static bool read(Context& context, const AttributeValue& value, float& out) {
    return read_float(context, value, out);
  }
};

template <class T>
struct Mapping<T, Kind::kInteger> {
  static constexpr TypeSet kTypes{Type::kNumber};
  static AttributeValue write(Context&, const T& value) { return value; }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    using Limits = std::numeric_limits<T>;
    std::uint64_t bits = 0;
    if (!read_integer(context, value, static_cast<std::int64_t>(Limits::min()),
                      static_cast<std::uint64_t>(Limits::max()), bits))
      return false;
    out = static_cast<T>(bits);
    return true;
  }
};

/// Sequences of std::byte.
template <class T>
struct Mapping<T, Kind::kBinary> {
  static constexpr TypeSet kTypes{Type::kBinary};
  static AttributeValue write(Context&, const T& value) {
    std::string data;
    data.reserve(value.size());
    for (const std::byte byte : value) data.push_back(static_cast<char>(byte));
    return Bytes(std::move(data));
  }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    std::size_t size = std::string_view::npos;
    if constexpr (kIsArray<T>) size = std::tuple_size_v<T>;
    const Bytes* bytes = read_binary(context, value, size);
    if (bytes == nullptr) return false;
    if constexpr (!kIsArray<T>) out.resize(bytes->size());
    std::size_t at = 0;
    for (std::byte& byte : out) byte = static_cast<std::byte>(bytes->view()[at++]);
    return true;
  }
};

// ---- Time ----

template <class Duration>
consteval TickUnit tick_unit() {
  using Period = typename Duration::period;
  using Range = std::numeric_limits<typename Duration::rep>;
  static_assert(1'000'000'000 * Period::num % Period::den == 0, "times are kept to the nanosecond, not finer");
  return {.numerator = Period::num, .denominator = Period::den, .least = Range::min(), .most = Range::max()};
}

template <class T>
struct Mapping<T, Kind::kTime> {
  using Duration = typename T::duration;
  static constexpr TypeSet kTypes{Type::kString};
  static constexpr bool kIsTimeText = true;
  static AttributeValue write(Context& context, const T& value) {
    return write_time(context, value.time_since_epoch().count(), tick_unit<Duration>());
  }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    std::int64_t ticks = 0;
    if (!read_time(context, value, tick_unit<Duration>(), ticks)) return false;
    out = T(Duration(static_cast<typename Duration::rep>(ticks)));
    return true;
  }
};

/// A duration itself, and the duration since 1970 of a time.
template <class T>
constexpr auto duration_of(const T& value) {
  if constexpr (kIsTime<T>)
    return value.time_since_epoch();
  else
    return value;
}

/// A duration, or a time since 1970, as a number of units.
template <class T, class Unit>
struct TicksMapping {
  static_assert(!kIsDuration<T> || std::convertible_to<T, Unit>,
                "the duration does not fit into whole units; choose a smaller one");
  static constexpr TypeSet kTypes{Type::kNumber};
  static AttributeValue write(Context& context, const T& value) {
    const auto duration = duration_of(value);
    return write_ticks(context, duration.count(), tick_unit<decltype(duration_of(value))>(), tick_unit<Unit>());
  }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    using Duration = decltype(duration_of(out));
    std::int64_t ticks = 0;
    if (!read_ticks(context, value, tick_unit<Duration>(), tick_unit<Unit>(), ticks)) return false;
    out = T(Duration(static_cast<typename Duration::rep>(ticks)));
    return true;
  }
};

// ---- Enumerations and records ----

template <class T>
struct Mapping<T, Kind::kEnumeration> {
  static constexpr auto kKnown = dolmen_enumerators(std::type_identity<T>{});
  static constexpr TypeSet kTypes{Type::kString};
  static AttributeValue write(Context& context, const T& value) {
    return write_enumerator(context, static_cast<std::uint64_t>(value), kKnown);
  }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    std::uint64_t bits = 0;
    if (!read_enumerator(context, value, kKnown, bits)) return false;
    out = static_cast<T>(bits);
    return true;
  }
};

template <Record T>
inline constexpr auto kMembers = dolmen_record_members(std::type_identity<T>{});

template <class T>
struct Mapping<T, Kind::kRecord> {
  static constexpr TypeSet kTypes{Type::kMap};
  static AttributeValue write(Context& context, const T& value) { return write_members(context, &value, kMembers<T>); }
  static bool read(Context& context, const AttributeValue& value, T& out) {
    const Item* map = read_map(context, value);
    return map != nullptr && read_members(context, *map, kMembers<T>, &out);
  }
};

}  // namespace dolmen::mapping
