#include "model/field_place.h"

#include <algorithm>
#include <charconv>

#include "base/fail.h"
#include "model/types.h"

namespace dolmen {

namespace {

bool begins_step(char c) { return c == '.' || c == '['; }

/// The attribute with the longest name that the field begins with.
const ModelAttribute* first_attribute(const Model& model, std::string_view field) {
  const ModelAttribute* longest = nullptr;
  for (const ModelAttribute& attribute : model.attributes) {
    const std::string_view name = attribute.name;
    if (!field.starts_with(name) || field.size() == name.size() || !begins_step(field[name.size()])) continue;
    if (longest == nullptr || name.size() > longest->name.size()) longest = &attribute;
  }
  return longest;
}

/// Takes ".name" or "[0]" off the front of `rest`. False when there is neither.
bool take_step(std::string_view& rest, FieldPlace::Step& step) {
  if (rest.starts_with('[')) {
    std::size_t index = 0;
    const char* end = rest.data() + rest.size();
    const auto [after, error] = std::from_chars(rest.data() + 1, end, index);
    if (error != std::errc() || after == end || *after != ']') return false;
    step = index;
    rest.remove_prefix(static_cast<std::size_t>(after - rest.data()) + 1);
    return rest.empty() || begins_step(rest.front());
  }
  rest.remove_prefix(1);
  const std::string_view name =
      rest.substr(0, static_cast<std::size_t>(std::ranges::find_if(rest, begins_step) - rest.begin()));
  step = std::string(name);
  rest.remove_prefix(name.size());
  return !name.empty();
}

}  // namespace

Path FieldPlace::path() const {
  Path path = attr(attribute->name);
  for (const Step& step : steps) {
    const std::string* name = std::get_if<std::string>(&step);
    path = name != nullptr ? path[*name] : path[std::get<std::size_t>(step)];
  }
  return path;
}

bool FieldPlace::conflicts_with(const FieldPlace& other) const {
  if (attribute != other.attribute) return false;
  const auto [mine, theirs] = std::ranges::mismatch(steps, other.steps);
  return mine == steps.end() || theirs == other.steps.end() || mine->index() != theirs->index();
}

Result<FieldPlace> place_of(const Model& model, std::string_view field) {
  FieldPlace place{.attribute = model.find(field)};
  if (place.attribute != nullptr) return place;
  place.attribute = first_attribute(model, field);
  if (place.attribute == nullptr)
    return fail(Code::kInvalidOperator, "model \"{}\" has no attribute \"{}\"", model.name, field);
  const ModelAttribute& attribute = *place.attribute;
  if (!attribute.encrypted && !is_document(attribute))
    return fail(Code::kInvalidOperator, "\"{}\" names a part of \"{}\", which is of type {}; only L and M have parts",
                field, attribute.name, type_name(attribute.type));
  for (std::string_view rest = field.substr(attribute.name.size()); !rest.empty();)
    if (!take_step(rest, place.steps.emplace_back()))
      return fail(Code::kInvalidOperator, "\"{}\" is not a path; write it as \"{}.name\" or \"{}[0]\"", field,
                  attribute.name, attribute.name);
  return place;
}

Result<AttributeValue> encode_part(const Model& model, const ModelAttribute& attribute, const LogicalValue& value,
                                   TimestampForm form) {
  // A list of one, because only lists take values of every kind.
  const ModelAttribute list{.name = attribute.name, .type = Type::kList};
  DOLMEN_TRY(const AttributeValue one,
             encode_attribute(model, list, LogicalValue::List(1, value), {.timestamp_form = form}));
  return one.list().front();
}

}  // namespace dolmen
