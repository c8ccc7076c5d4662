#pragma once

#include "dolmen/error.h"
#include "service/requests.h"

/// What DynamoDB checks in a request before it looks at a table, apart from the form of its JSON. Failures are
/// kValidation with DynamoDB's messages.
namespace dolmen {

/// Checks that placeholders are well-formed and that their names and values obey DynamoDB's rules.
Result<void> check_placeholders(const expr::Placeholders& placeholders);

/// The parts of check_placeholders, for a reader that finds the placeholders one at a time.
Result<void> check_name_placeholder(std::string_view placeholder, std::string_view name);
Result<void> check_value_placeholder(std::string_view placeholder);
/// The `item_size` of all values, with their placeholders for names.
Result<void> check_values_size(std::size_t bytes);

/// Checks that the keys requested from one table are distinct.
Result<void> check_keys(const std::vector<EncodedItem>& keys);
/// At most 100 gets, at most 25 writes.
Result<void> check_batch_gets(std::size_t keys);
Result<void> check_batch_writes(std::size_t writes);

/// 1 to 100 keys in all, none twice in a table.
Result<void> check_batch(const BatchGetRequest& request);
/// 1 to 25 writes.
Result<void> check_batch(const BatchWriteRequest& request);

/// 1 to 100 actions of at most 4 MB in all, a token of at most 36 characters, checks with a condition.
Result<void> check_transaction(const TransactWriteRequest& request);
Result<void> check_transaction(const TransactGetRequest& request);
Result<void> check_transaction_size(const std::vector<WriteRequest>& writes);

Result<void> check_segment(const ScanSegment& segment);

}  // namespace dolmen
