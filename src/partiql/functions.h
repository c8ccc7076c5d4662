#pragma once

#include <string_view>

#include "dolmen/error.h"
#include "expr/syntax.h"

namespace dolmen::partiql {

/// A function of statements.
struct Function {
  std::string_view name;
  bool in_conditions = false;
  bool in_updates = false;
  /// Only as the whole value that is assigned; elsewhere nobody knows it.
  bool known = true;
};

/// The function of that name, in any case; null when there is none.
const Function* find_function(std::string_view name);

/// Checks the second operand of attribute_type.
Result<void> check_attribute_type_name(const expr::Node& operand);

}  // namespace dolmen::partiql
