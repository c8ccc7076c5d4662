#include "partiql/functions.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/fail.h"

namespace dolmen::partiql {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.name = "attribute_exists", .in_conditions = true},
    {.name = "attribute_not_exists", .in_conditions = true},
    {.name = "attribute_type", .in_conditions = true},
    {.name = "begins_with", .in_conditions = true},
    {.name = "contains", .in_conditions = true},
    {.name = "size", .in_conditions = true},
    {.name = "if_not_exists", .in_updates = true},
    {.name = "list_append", .in_updates = true},
    {.name = "set_add", .known = false},
    {.name = "set_delete", .known = false},
});

}  // namespace

const Function* find_function(std::string_view name) {
  const auto* found = std::ranges::find_if(
      kFunctions, [name](const Function& function) { return equals_ignoring_case(function.name, name); });
  return found == kFunctions.end() ? nullptr : &*found;
}

Result<void> check_attribute_type_name(const expr::Node& operand) {
  if (operand.kind != expr::NodeKind::kValue || operand.value->type() != Type::kString) return {};
  for (int named = 0; named <= static_cast<int>(Type::kBinarySet); ++named)
    if (operand.value->string() == type_name(static_cast<Type>(named))) return {};
  return fail(Code::kValidation,
              "Invalid attribute type name found; type: {}, valid types: {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}",
              operand.value->string());
}

}  // namespace dolmen::partiql
