#pragma once

#include <cstdint>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// An item after an update, and where the update touched it: the paths in the old item and in the new one, which differ
/// where an element was appended to a list.
struct Updated {
  Item item;
  std::vector<Path> old_paths;
  std::vector<Path> new_paths;
};

/// Whether the actions were written as an expression or made of AttributeUpdates. Decides how a wrong type is reported.
enum class UpdateForm : std::uint8_t { kExpression, kAttributeUpdates };

/// Applies bound actions. Every operand reads `old`; indexes of lists are those of `old`. Fails with kValidation when
/// an operand does not exist, has the wrong type, or a path cannot be updated.
Result<Updated> apply(const std::vector<UpdateAction>& actions, const Item& old,
                      UpdateForm form = UpdateForm::kExpression);

}  // namespace dolmen::expr
