#include "dolmen/vectors.h"

#include <cmath>

#include "base/fail.h"
#include "value/float_number.h"

namespace dolmen {

Result<List> vector_list(std::span<const float> vector) {
  List elements;
  elements.reserve(vector.size());
  for (const float element : vector) {
    if (!std::isfinite(element))
      return fail(Code::kValidation, "element {} of the vector is {}, which is not a number", elements.size(), element);
    elements.emplace_back(number_of(element));
  }
  return elements;
}

Result<std::vector<float>> vector_of(const AttributeValue& value) {
  const auto* list = value.get_if<List>();
  if (list == nullptr)
    return fail(Code::kValidation, "a vector is a list of numbers, and this is {}", type_name(value.type()));
  std::vector<float> vector;
  vector.reserve(list->size());
  for (const AttributeValue& element : *list) {
    const auto* number = element.get_if<Number>();
    const std::optional<float> nearest = number == nullptr ? std::nullopt : nearest_float(*number);
    if (!nearest)
      return fail(Code::kValidation, "element {} of the vector is not a 32-bit floating point number", vector.size());
    vector.push_back(*nearest);
  }
  return vector;
}

}  // namespace dolmen
