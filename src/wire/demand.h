#pragma once

#include "access/permission.h"
#include "service/operations.h"
#include "wire/parameters.h"

namespace dolmen::wire {

/// What a request of DynamoDB asks of the key that signed it. A request that names no table in any way that is known
/// here is about all tables, so that no operation can be forgotten.
access::Demand demand_of(const OperationInfo& operation, const Parameters& parameters);

}  // namespace dolmen::wire
