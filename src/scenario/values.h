#pragma once

#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/model/model.h"
#include "dolmen/value.h"

namespace dolmen::scenario {

/// As people read it.
std::string shown(const LogicalValue& value);

/// Fails with kInvalidArgument unless the item has all that is wanted, as it is wanted: sets in any order, numbers by
/// value.
Result<void> check_contains(const Model& model, const LogicalItem& item, const LogicalItem& wanted);

/// True when a stored value is what a scenario writes for it, whatever a model says: a number or its text for N, base64
/// for B, a list in any order for a set.
bool is_stored_as(const AttributeValue& stored, const LogicalValue& wanted);

/// True when each wanted item is contained in a found one of its own, and none is left.
bool is_any_order(const Model& model, const std::vector<LogicalItem>& found, const std::vector<LogicalItem>& wanted);

}  // namespace dolmen::scenario
