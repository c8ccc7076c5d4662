#pragma once

#include <optional>
#include <string>
#include <string_view>

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
/// What a statement asks of the key: PartiQLSelect, PartiQLInsert, PartiQLUpdate or PartiQLDelete on its table. Nothing
/// for one that is refused whatever the tables are.
std::optional<access::Demand> demand_of_statement(std::string_view statement);

}  // namespace dolmen::wire
