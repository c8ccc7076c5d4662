#include "wire/shape_check.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/check.h"

namespace dolmen::wire {
namespace {

using json::Element;
using json::StructurePlace;
using Kind = Shape::Kind;

Result<void> check_type(const Shape& shape, Element value, StructurePlace place);

Result<void> check_structure_types(const Shape& shape, Element value, StructurePlace place) {
  DOLMEN_TRY_VOID(json::check_structure(value, shape.name, place));
  for (const auto [name, inner] : json::object_of(value)) {
    if (inner.is_null()) continue;
    if (const Member* member = find_member(shape, name))
      DOLMEN_TRY_VOID(check_type(*member->shape, inner, StructurePlace::kField));
  }
  return {};
}

Result<void> check_list_types(const Shape& shape, Element value) {
  DOLMEN_TRY_VOID(json::check_list(value));
  for (const Element element : json::array_of(value))
    if (!element.is_null()) DOLMEN_TRY_VOID(check_type(*shape.element, element, StructurePlace::kElement));
  return {};
}

Result<void> check_map_types(const Shape& shape, Element value) {
  if (shape.element->kind == Kind::kAttributeValue) return json::check_attribute_map(value);
  if (!value.is_object())
    return json::check_map(value, shape.element->kind == Kind::kString
                                      ? "java.lang.String"
                                      : fmt::format("com.amazonaws.dynamodb.v20120810.{}", shape.element->name));
  for (const auto [key, element] : json::object_of(value))
    if (!element.is_null()) DOLMEN_TRY_VOID(check_type(*shape.element, element, StructurePlace::kElement));
  return {};
}

Result<void> check_type(const Shape& shape, Element value, StructurePlace place) {
  switch (shape.kind) {
    case Kind::kString: return json::check_string(value);
    case Kind::kInteger: return json::check_integer(value, json::kJavaInteger);
    case Kind::kLong: return json::check_integer(value, json::kJavaLong);
    case Kind::kDouble: return json::check_double(value);
    case Kind::kBoolean: return json::check_boolean(value);
    case Kind::kBlob: return json::check_blob(value);
    case Kind::kList: return check_list_types(shape, value);
    case Kind::kMap: return check_map_types(shape, value);
    case Kind::kStructure: return check_structure_types(shape, value, place);
    case Kind::kAttributeValue: return json::check_attribute_value(value, place);
  }
  DOLMEN_UNREACHABLE("a kind outside the closed list");
}

}  // namespace

const Member* find_member(const Shape& shape, std::string_view name) {
  const auto found = std::ranges::find(shape.members, name, &Member::name);
  return found == shape.members.end() ? nullptr : &*found;
}

Result<void> check_types(const Shape& shape, Element input) {
  return check_structure_types(shape, input, StructurePlace::kField);
}

}  // namespace dolmen::wire
