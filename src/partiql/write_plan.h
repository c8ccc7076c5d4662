#pragma once

#include <memory>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "partiql/statement.h"
#include "service/requests.h"

namespace dolmen::partiql {

/// The write that an INSERT, UPDATE or DELETE becomes, or the check that an EXISTS becomes. Fails with kValidation in
/// DynamoDB's words; with the reason kKeyMismatch when the statement does not name one item by its key.
///
///   INSERT   a put, if there is no such item
///   UPDATE   an update, if the item exists and the rest of the WHERE clause holds
///   DELETE   a delete, if the rest holds or there is no such item
///   EXISTS   a check of the rest
Result<WriteRequest> plan_write(const std::shared_ptr<const Statement>& statement, const TableDefinition& table);

}  // namespace dolmen::partiql
