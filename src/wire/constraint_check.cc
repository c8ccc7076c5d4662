#include "wire/constraint_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/unicode.h"
#include "wire/patterns.h"
#include "wire/shape_check.h"
#include "wire/table_name.h"

namespace dolmen::wire {
namespace {

using json::Element;
using Kind = Shape::Kind;

std::string path_name(std::string_view name);

/// DynamoDB prints values as Java does: [a, b], {k=v}, KeySchemaElement(attributeName=a, keyType=HASH).
std::string printed(const Shape& shape, Element value) {
  if (value.is_null()) return "null";
  if (value.is_string()) return std::string(json::string_of(value));
  std::vector<std::string> parts;
  switch (shape.kind) {
    case Kind::kList:
      for (const Element element : json::array_of(value)) parts.push_back(printed(*shape.element, element));
      return fmt::format("[{}]", fmt::join(parts, ", "));
    case Kind::kMap:
      for (const auto [name, inner] : json::object_of(value))
        parts.push_back(fmt::format("{}={}", name, printed(*shape.element, inner)));
      return fmt::format("{{{}}}", fmt::join(parts, ", "));
    case Kind::kStructure:
      for (const auto [name, inner] : json::object_of(value))
        if (const Member* member = find_member(shape, name))
          parts.push_back(fmt::format("{}={}", path_name(name), printed(*member->shape, inner)));
      return fmt::format("{}({})", shape.name, fmt::join(parts, ", "));
    case Kind::kInteger:
    case Kind::kLong: return std::to_string(json::integer_of(value));
    default: return simdjson::minify(value);
  }
}

/// A name as in DynamoDB's paths: its first letter in lower case.
std::string path_name(std::string_view name) {
  std::string lowered(name);
  if (!lowered.empty() && lowered[0] >= 'A' && lowered[0] <= 'Z')
    lowered[0] = static_cast<char>(lowered[0] - 'A' + 'a');
  return lowered;
}

/// The place of a value. Its text is made only for a violation.
struct Place {
  const Place* outer = nullptr;  ///< Null for a parameter.
  std::string_view name = {};    ///< Of a member of a structure or of a key of a map; empty for an element of a list.
  std::size_t index = 0;         ///< Of an element, from 1.
  bool in_structure = true;

  /// `named` makes the form of a member's name.
  template <class Named>
  [[nodiscard]] std::string text(Named named) const {
    if (outer == nullptr) return std::string(named(name));
    if (in_structure) return fmt::format("{}.{}", outer->text(named), named(name));
    return index > 0 ? fmt::format("{}.{}.member", outer->text(named), index)
                     : fmt::format("{}.{}.member", outer->text(named), name);
  }

  [[nodiscard]] std::string_view parameter() const { return outer == nullptr ? name : outer->parameter(); }
};

/// One broken constraint.
struct Violation {
  std::string_view parameter;  ///< The parameter of the request that it is in.
  std::string text;
};

class ConstraintChecker {
 public:
  explicit ConstraintChecker(const Layer& layer) : layer_(layer) {}

  /// `place` is that of the structure; null for the request itself.
  void structure(const Shape& shape, const json::Members& given, const Place* place) {
    for (const Member& member : shape.members) {
      const std::optional<Element> found = given.find(member.name);
      const bool absent = !found || found->is_null();
      const bool required = member.presence == Presence::kRequired;
      if (absent && !required) continue;
      const Place inner{.outer = place, .name = member.name};
      if (absent) {
        missing(inner);
      } else {
        check(*member.shape, *found, inner);
      }
    }
  }

  [[nodiscard]] Result<void> outcome() const {
    if (!missing_ && !first_length_.empty()) return fail(Code::kValidation, "{}{}", kOneErrorDetected, first_length_);
    if (!violations_.empty()) return missing_ ? joined(texts_of(violations_)) : in_order();
    if (empty_batch_) return fail(Code::kValidation, "{}", layer_.empty_batch);
    return {};
  }

 private:
  static std::unexpected<Error> joined(const std::vector<std::string>& texts) {
    return fail(Code::kValidation, "{} validation error{} detected: {}", texts.size(), texts.size() > 1 ? "s" : "",
                fmt::join(texts, "; "));
  }

  static std::vector<std::string> texts_of(std::span<const Violation> violations) {
    std::vector<std::string> texts;
    for (const Violation& violation : violations) texts.push_back(violation.text);
    return texts;
  }

  /// The violations in the order and in the words of the layer.
  [[nodiscard]] std::unexpected<Error> in_order() const {
    std::vector<std::string> texts;
    for (const Violation& violation : violations_)
      if (std::ranges::find(layer_.order, violation.parameter, &OrderedParameter::name) == layer_.order.end())
        texts.push_back(violation.text);
    for (const OrderedParameter& parameter : layer_.order) {
      const auto is_its = [&](const Violation& violation) { return violation.parameter == parameter.name; };
      if (std::ranges::none_of(violations_, is_its)) continue;
      if (parameter.alone && !texts.empty()) break;
      if (parameter.alone && !parameter.text.empty() && !layer_.introduces)
        return fail(Code::kValidation, "{}", parameter.text);
      for (const Violation& violation : violations_ | std::views::filter(is_its))
        texts.emplace_back(parameter.text.empty() ? violation.text : parameter.text);
      if (parameter.alone) break;
    }
    return joined(texts);
  }

  void check(const Shape& shape, Element value, const Place& place) {
    switch (shape.kind) {
      case Kind::kString: return string(shape, value, place);
      case Kind::kInteger:
      case Kind::kLong: return integer(shape, value, place);
      case Kind::kList: return list(shape, value, place);
      case Kind::kMap: return map(shape, value, place);
      case Kind::kStructure: return structure(shape, json::Members(json::object_of(value)), &place);
      default: return;
    }
  }

  void string(const Shape& shape, Element value, const Place& place) {
    const std::string_view text = json::string_of(value);
    if (shape.allows_arn && looks_like_arn(text)) return;
    if (!shape.enumeration.empty() && std::ranges::find(shape.enumeration, text) == shape.enumeration.end())
      violation(quoted(shape, value), place,
                fmt::format("Member must satisfy enum value set: [{}]", fmt::join(shape.enumeration, ", ")));
    // An empty name is reported only as too short, not as breaking the pattern.
    const bool only_empty = text.empty() && shape.min == 1;
    if (!shape.pattern.empty() && !only_empty && !matches_pattern(shape.pattern, text))
      violation(quoted(shape, value), place,
                fmt::format("Member must satisfy regular expression pattern: {}", shape.pattern));
    if (shape.min || shape.max) length(shape, value, utf16_length(text), place);
  }

  void integer(const Shape& shape, Element value, const Place& place) {
    const std::int64_t integer = json::integer_of(value);
    if (shape.min && integer < *shape.min)
      limit(quoted(shape, value), place, fmt::format("Member must have value greater than or equal to {}", *shape.min));
    if (shape.max && integer > *shape.max)
      limit(quoted(shape, value), place, fmt::format("Member must have value less than or equal to {}", *shape.max));
  }

  void list(const Shape& shape, Element value, const Place& place) {
    length(shape, value, json::array_of(value).size(), place);
    elements(shape, value, place);
  }

  void elements(const Shape& shape, Element value, const Place& place) {
    std::size_t index = 0;
    for (const Element element : json::array_of(value))
      member(*shape.element, element, {.outer = &place, .index = ++index, .in_structure = false});
  }

  void map(const Shape& shape, Element value, const Place& place) {
    const json::Object object = json::object_of(value);
    if (place.outer == nullptr && object.size() == 0 && !layer_.empty_batch.empty()) {
      empty_batch_ = true;
      return;
    }
    length(shape, value, object.size(), place);
    if (shape.element->kind == Kind::kAttributeValue) return;
    map_keys(shape, value, place);
    map_lists(shape, value, place);
    for (const auto [key, element] : object) {
      const Place inner{.outer = &place, .name = key, .in_structure = false};
      // The lengths of lists have been reported for the map as a whole.
      if (shape.element->kind == Kind::kList && element.is_array()) {
        elements(*shape.element, element, inner);
      } else {
        member(*shape.element, element, inner);
      }
    }
  }

  /// Of keys that must follow a pattern, which are names of tables. Here DynamoDB prints JSON where the values are
  /// structures.
  void map_keys(const Shape& shape, Element value, const Place& place) {
    const Shape& key = *shape.key;
    if (key.pattern.empty()) return;
    const auto fits = [&key](std::string_view text) {
      const auto length = static_cast<std::int64_t>(utf16_length(text));
      return (key.allows_arn && looks_like_arn(text)) ||
             (matches_pattern(key.pattern, text) && length >= key.min.value_or(0) &&
              length <= key.max.value_or(length));
    };
    for (const auto [name, element] : json::object_of(value))
      if (!fits(name))
        violation(
            shape.element->kind == Kind::kStructure ? fmt::format("'{}'", std::string(simdjson::minify(value)))
                                                    : quoted(shape, value),
            place,
            fmt::format("Map keys must satisfy constraint: [Member must have length less than or equal to {}, Member "
                        "must have length greater than or equal to {}, Member must satisfy regular expression "
                        "pattern: {}]",
                        *key.max, *key.min, key.pattern));
  }

  void map_lists(const Shape& shape, Element value, const Place& place) {
    const Shape& list = *shape.element;
    if (list.kind != Kind::kList || !list.min || !list.max) return;
    for (const auto [name, element] : json::object_of(value)) {
      if (!element.is_array()) continue;
      const auto size = static_cast<std::int64_t>(json::array_of(element).size());
      if (size < *list.min || size > *list.max)
        violation(
            quoted(shape, value), place,
            fmt::format("Map value must satisfy constraint: [Member must have length less than or equal to {}, Member "
                        "must have length greater than or equal to {}]",
                        *list.max, *list.min));
    }
  }

  void member(const Shape& shape, Element value, const Place& place) {
    if (value.is_null()) return missing(place);
    check(shape, value, place);
  }

  void missing(const Place& place) {
    missing_ = true;
    violation("null", place, "Member must not be null");
  }

  void length(const Shape& shape, Element value, std::size_t length, const Place& place) {
    if (shape.min && length < static_cast<std::size_t>(*shape.min))
      limit(quoted(shape, value), place,
            fmt::format("Member must have length greater than or equal to {}", *shape.min));
    if (!shape.max || length <= static_cast<std::size_t>(*shape.max)) return;
    const std::string rule = fmt::format("Member must have length less than or equal to {}", *shape.max);
    // Names are checked against their greatest length together with their pattern.
    shape.pattern.empty() ? limit(quoted(shape, value), place, rule) : violation(quoted(shape, value), place, rule);
  }

  /// A length or a range.
  void limit(const std::string& value, const Place& place, const std::string& rule) {
    violation(value, place, rule);
    if (layer_.names_lengths && first_length_.empty())
      first_length_ = fmt::format("Value at '{}' failed to satisfy constraint: {}", place.text(std::identity()), rule);
  }

  static std::string quoted(const Shape& shape, Element value) { return fmt::format("'{}'", printed(shape, value)); }

  void violation(const std::string& value, const Place& place, const std::string& rule) {
    constexpr std::size_t kReportedMax = 10;
    if (violations_.size() < kReportedMax)
      violations_.push_back({place.parameter(), fmt::format("Value {} at '{}' failed to satisfy constraint: {}", value,
                                                            place.text(path_name), rule)});
  }

  const Layer& layer_;
  std::vector<Violation> violations_;
  std::string first_length_;  ///< Of a layer that names lengths.
  bool missing_ = false;
  bool empty_batch_ = false;
};

}  // namespace

Result<void> check_constraints(const Shape& shape, const json::Members& input, const Layer& layer) {
  for (const Member& member : shape.members) {
    if (member.presence != Presence::kParameter) continue;
    const std::optional<Element> found = input.find(member.name);
    if (!found || found->is_null())
      return fail(Code::kValidation, "The parameter '{}' is required but was not present in the request", member.name);
  }
  ConstraintChecker checker(layer);
  checker.structure(shape, input, nullptr);
  return checker.outcome();
}

}  // namespace dolmen::wire
