#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <simdjson.h>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"

/// The first of the two readings of a request's JSON: checks that each value has the JSON type that its place requires.
/// Failures are DynamoDB's SerializationException with its own messages.
namespace dolmen::json {

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

/// A string: a name, the text of a number, or a value of an enumeration.
Result<void> check_string(Element element);
/// A canonical base64 string.
Result<void> check_blob(Element element);
/// A boolean, or one of the texts that DynamoDB accepts for one.
Result<void> check_boolean(Element element);
/// A number for a parameter of the Java type Double.
Result<void> check_double(Element element);
Result<void> check_list(Element element);
/// An object that maps names to values of the given Java type.
Result<void> check_map(Element element, std::string_view java_value_type);

/// A Java integer type.
struct IntegerType {
  std::string_view name;
  std::int64_t min = 0;
  std::int64_t max = 0;
};
inline constexpr IntegerType kJavaInteger{"Integer", std::numeric_limits<std::int32_t>::min(),
                                          std::numeric_limits<std::int32_t>::max()};
inline constexpr IntegerType kJavaLong{"Long", std::numeric_limits<std::int64_t>::min(),
                                       std::numeric_limits<std::int64_t>::max()};
/// A number that fits the type once its fraction is cut off, as DynamoDB does. Numbers that are too large are refused,
/// never wrapped or clamped.
Result<void> check_integer(Element element, const IntegerType& type);

/// The place of a structure, which decides how DynamoDB words the error.
enum class StructurePlace { kField, kElement };
Result<void> check_structure(Element element, std::string_view shape, StructurePlace place);

/// Everything inside one attribute value, and inside an object of them. Types only; what the values mean is checked
/// when they are encoded.
Result<void> check_attribute_value(Element element, StructurePlace place);
Result<void> check_attribute_map(Element element);

/// The type that a member of an attribute value names, S, N or another. Nothing for names that the service model does
/// not define; such members are ignored.
inline std::optional<Type> type_named(std::string_view name) {
  if (name.size() == 1) {
    switch (name.front()) {
      case 'S': return Type::kString;
      case 'N': return Type::kNumber;
      case 'B': return Type::kBinary;
      case 'L': return Type::kList;
      case 'M': return Type::kMap;
      default: return std::nullopt;
    }
  }
  if (name == "BOOL") return Type::kBool;
  if (name == "NULL") return Type::kNull;
  if (name == "SS") return Type::kStringSet;
  if (name == "NS") return Type::kNumberSet;
  if (name == "BS") return Type::kBinarySet;
  return std::nullopt;
}

/// The boolean that `check_boolean` accepted.
bool boolean_of(Element element);
/// The integer that `check_integer` accepted.
std::int64_t integer_of(Element element);

/// What the checks above accepted; views live as long as the parsed document.
inline std::string_view string_of(Element element) { return element.get_string().value_unsafe(); }
/// The member of that name. Of several the last counts, as it does for DynamoDB.
inline std::optional<Element> member_of(Object object, std::string_view name) {
  std::optional<Element> found;
  for (const auto [key, value] : object)
    if (key == name) found = value;
  return found;
}
inline Object object_of(Element element) { return element.get_object().value_unsafe(); }

/// The members of an object that are looked up again and again: finding one compares names and does not walk the
/// document. Views into it.
class Members {
 public:
  explicit Members(Object object) {
    for (const auto [key, value] : object) {
      if (count_ < first_.size())
        first_[count_] = {key, value};
      else
        more_.push_back({key, value});
      ++count_;
    }
  }

  /// As `member_of`.
  [[nodiscard]] std::optional<Element> find(std::string_view name) const {
    for (const Member& member : more_ | std::views::reverse)
      if (member.name == name) return member.value;
    for (std::size_t i = std::min(count_, first_.size()); i-- > 0;)
      if (first_[i].name == name) return first_[i].value;
    return std::nullopt;
  }

 private:
  struct Member {
    std::string_view name;
    Element value;
  };
  /// Most requests and their parts have fewer.
  static constexpr std::size_t kUsual = 8;

  std::array<Member, kUsual> first_;
  std::size_t count_ = 0;
  std::vector<Member> more_;
};

/// Faster than the element's own function, which reads the whole string to answer.
inline bool is_string(Element element) { return element.type() == simdjson::dom::element_type::STRING; }
inline Array array_of(Element element) { return element.get_array().value_unsafe(); }

}  // namespace dolmen::json
