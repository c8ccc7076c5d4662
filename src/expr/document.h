#pragma once

#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// The value at a path; null when a part of the path does not exist or has another kind.
const AttributeValue* find(const Item& item, const Path& path);
AttributeValue* find(Item& item, const Path& path);

/// The map or list that holds the last part of a nested path; null when it does not exist.
AttributeValue* find_parent(Item& item, const Path& path);

}  // namespace dolmen::expr
