#pragma once

#include "api/requests.h"
#include "dolmen/error.h"

/// What DynamoDB checks of a request before it looks at a table, apart from the form of its JSON. Failures are
/// kValidation with DynamoDB's texts.
namespace dolmen {

/// Placeholders are well-formed, and what they stand for obeys the rules for names and values.
Result<void> check_placeholders(const expr::Placeholders& placeholders);

/// 1 to 100 keys in all, none twice in a table.
Result<void> check_batch(const BatchGetRequest& request);
/// 1 to 25 writes.
Result<void> check_batch(const BatchWriteRequest& request);

/// 1 to 100 actions of at most 4 MB in all, a token of at most 36 characters, checks with a condition.
Result<void> check_transaction(const TransactWriteRequest& request);
Result<void> check_transaction(const TransactGetRequest& request);

Result<void> check_segment(const ScanSegment& segment);

}  // namespace dolmen
