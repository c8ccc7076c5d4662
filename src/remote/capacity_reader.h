#pragma once

#include <optional>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/operations.h"
#include "remote/json_fields.h"

namespace dolmen::remote {

/// The member ConsumedCapacity: of one table, and of several.
Result<std::optional<ConsumedCapacity>> read_capacity_member(const Fields& fields);
Result<std::vector<ConsumedCapacity>> read_capacities(const Fields& fields);

}  // namespace dolmen::remote
