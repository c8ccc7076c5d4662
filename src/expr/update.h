#pragma once

#include <cstdint>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// Whether the actions come from an expression or from AttributeUpdates. Decides how a wrong type is reported.
enum class UpdateForm : std::uint8_t { kExpression, kAttributeUpdates };

/// The item after bound actions. Every operand reads `old`; indexes of lists are those of `old`, and an element that is
/// set beyond the end of its list is appended. Fails with kValidation when an operand does not exist or has the wrong
/// type, when a path cannot be updated, when a value would lie deeper than an item may nest, or when the values that
/// are set are larger than an item may be.
Result<Item> apply(const std::vector<UpdateAction>& actions, Item old, UpdateForm form = UpdateForm::kExpression);

/// For an item that becomes larger than an item may be.
std::unexpected<Error> update_too_large();

/// The paths that actions set, add to, delete from or remove, in the order of the text. UPDATED_OLD and UPDATED_NEW
/// return the values at these paths before and after the update.
std::vector<Path> updated_paths(const std::vector<UpdateAction>& actions);

}  // namespace dolmen::expr
