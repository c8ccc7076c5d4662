#pragma once

#include <string>

#include "access/permission.h"
#include "service/operations.h"
#include "wire/parameters.h"

namespace dolmen::wire {

/// What a request of DynamoDB asks of the key that signed it. A request that names no table in any way that is known
/// here is about all tables, so that no operation can be forgotten.
access::Demand demand_of(const OperationInfo& operation, const Parameters& parameters);

/// The one table that a request of DynamoDB names, for the log; "*" when it names several, and empty when it names
/// none.
std::string table_named_by(const Parameters& parameters);

}  // namespace dolmen::wire
