#pragma once

#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// The value at a path; nothing when some part of the way does not exist or is of another kind.
const AttributeValue* find(const Item& item, const Path& path);
AttributeValue* find(Item& item, const Path& path);

/// The value that holds the last part of a nested path, a map or a list; nothing when there is none.
AttributeValue* find_parent(Item& item, const Path& path);

}  // namespace dolmen::expr
