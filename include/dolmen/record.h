#pragma once

#include <array>
#include <string_view>
#include <type_traits>

#include "dolmen/detail/record_context.h"
#include "dolmen/detail/record_macros.h"
#include "dolmen/detail/record_options.h"
#include "dolmen/detail/record_types.h"
#include "dolmen/error.h"
#include "dolmen/value.h"

namespace dolmen {

/// Maps a struct to items and back. It stands after the struct, in its namespace, and names the members; each is
/// an attribute of the same name. A member in parentheses has more to say, in any order: the attribute's name, that the
/// attribute may be missing, how the value is written.
///
///     struct Note {
///       std::string topic;
///       std::int64_t written = 0;
///       std::optional<std::string> text;
///       std::set<std::string> tags;
///       int stars = 3;
///       std::optional<std::chrono::system_clock::time_point> expires;
///     };
///     DOLMEN_RECORD(Note, topic, (written, "w"), text, tags, (stars, defaulted), (expires, "ttl", as_seconds));
///
///     Result<Item> item = to_item(note);
///     Result<Note> note = from_item<Note>(item);
///
/// | C++                                                      | DynamoDB                                            |
/// |----------------------------------------------------------|-----------------------------------------------------|
/// | std::string                                              | S                                                   |
/// | bool                                                     | BOOL                                                |
/// | integers of up to 64 bits, not char                      | N; read only when the value is an integer that fits |
/// | double, float                                            | N, the shortest decimal that is read back the same  |
/// | Bytes, std::vector or std::array of std::byte            | B                                                   |
/// | Number, Item, AttributeValue                             | themselves                                          |
/// | another record                                           | M                                                   |
/// | an enumeration with DOLMEN_ENUM                          | S                                                   |
/// | std::chrono::time_point of system_clock                  | S, RFC 3339 in UTC with nine fraction digits        |
/// | the same, as_seconds, as_milliseconds, ...               | N, units since 1970, rounded down                   |
/// | std::chrono::duration, as_seconds, ...                   | N                                                   |
/// | std::vector, std::deque, std::list                       | L                                                   |
/// | std::array                                               | L of so many elements                               |
/// | std::map, std::unordered_map by std::string              | M                                                   |
/// | std::set, std::unordered_set of what is an S, N or B     | SS, NS or BS; an empty one is left out              |
/// | std::optional, std::unique_ptr                           | as what it holds; an empty one is left out          |
/// | std::variant                                             | as what it holds; std::monostate is NULL            |
/// | anything else                                            | as its Converter says                               |
///
/// What is left out is read back as empty, and so is NULL. Inside a list or a map, where nothing can be left out, NULL
/// stands for it. Every other attribute must be there, unless its member is `defaulted` and keeps what the struct gives
/// it. Attributes that belong to no member are ignored.
///
/// A variant is read by the type of what is found, so no two alternatives may have the same; records among them are
/// told apart by their names, which they carry in the attribute "_type". Times are read in every form of RFC 3339 and
/// rounded down to what the member can hold.
///
/// Types must have a default constructor. A struct may have up to 256 members.
#define DOLMEN_RECORD(type, ...)                                                                                   \
  constexpr ::std::string_view dolmen_record_name(::std::type_identity<type>) {                                    \
    return ::dolmen::mapping::without_scope(#type);                                                                \
  }                                                                                                                \
  constexpr auto dolmen_record_members(::std::type_identity<type>) {                                               \
    using namespace ::dolmen::member_options; /* NOLINT(google-build-using-namespace): only the words below */     \
    return ::std::to_array<::dolmen::mapping::Member>({DOLMEN_FOR_EACH(DOLMEN_RECORD_MEMBER, type, __VA_ARGS__)}); \
  }                                                                                                                \
  static_assert(::dolmen::mapping::are_distinct(dolmen_record_members(::std::type_identity<type>{})),              \
                "two members of " #type " have the same attribute name, or one has an empty name")

/// Names the values of an enumeration, which are written as these names. In parentheses a name that is not the
/// enumerator's.
///
///     enum class Colour { red, dark_green };
///     DOLMEN_ENUM(Colour, red, (dark_green, "dark-green"));
#define DOLMEN_ENUM(type, ...)                                                                                      \
  constexpr auto dolmen_enumerators(::std::type_identity<type>) {                                                   \
    return ::std::to_array<::dolmen::mapping::Enumerator>({DOLMEN_FOR_EACH(DOLMEN_ENUMERATOR, type, __VA_ARGS__)}); \
  }                                                                                                                 \
  static_assert(::dolmen::mapping::are_distinct(dolmen_enumerators(::std::type_identity<type>{})),                  \
                "two values of " #type " have the same name, or one has two names")

/// Specialise this to map a type that Dolmen does not know, everywhere:
///
///     template <>
///     struct dolmen::Converter<Colour> {
///       static AttributeValue to(const Colour& colour);        // or Result<AttributeValue>
///       static Result<Colour> from(const AttributeValue& value);
///     };
///
/// It may have `static constexpr TypeSet kTypes{Type::kString}`, which a variant and a set need to know, and
/// `static constexpr bool kLeftOutWhenNull = true` for a type that is left out when `to` gives NULL; a missing
/// attribute is then given to `from` as NULL. A struct with the same functions can be named for one member, or for what
/// is in its optional: `(colour, as<HexColour>)`.
template <class T>
struct Converter;

/// A struct that DOLMEN_RECORD describes.
template <class T>
concept Record = mapping::Record<T>;

/// Fails with kValidation when a value cannot be stored: a number that is not finite or out of range, an enumerator
/// without a name, what a converter refuses. The details name every such member by its path.
template <Record T>
Result<Item> to_item(const T& record) {
  mapping::Context context;
  Result<Item> item = mapping::write_members(context, &record, mapping::kMembers<T>);
  if (!context.problems().empty()) item = std::unexpected(context.error(dolmen_record_name(std::type_identity<T>{})));
  return item;
}

/// Fails with kValidation when an attribute is missing or does not fit its member, say with "Note.tags[2]: expected S,
/// found N". The details name every such member by its path, such as "tags[2]", and the rule: required, type, range,
/// size, format, name, alternative or converter.
template <Record T>
Result<T> from_item(const Item& item) {
  mapping::Context context;
  Result<T> record;
  if (!mapping::read_members(context, item, mapping::kMembers<T>, &*record))
    record = std::unexpected(context.error(dolmen_record_name(std::type_identity<T>{})));
  return record;
}

}  // namespace dolmen
