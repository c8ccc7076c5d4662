#include "model/vector_value.h"

#include <fmt/format.h>

#include "value/float_number.h"

namespace dolmen {

std::string vector_breach(std::int64_t dimensions, const AttributeValue& value) {
  const List* list = value.get_if<List>();
  if (list == nullptr) return fmt::format("found {}", type_name(value.type()));
  if (static_cast<std::int64_t>(list->size()) != dimensions)
    return fmt::format("found {} element{}", list->size(), list->size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Number* number = (*list)[i].get_if<Number>();
    if (number == nullptr) return fmt::format("found {} at [{}]", type_name((*list)[i].type()), i);
    if (!nearest_float(*number))
      return fmt::format("found {} at [{}], which is beyond a 32-bit float", scientific_text(*number), i);
  }
  return {};
}

}  // namespace dolmen
