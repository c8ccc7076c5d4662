#include "service/request_rules.h"

#include <fmt/format.h>
#include <unordered_set>

#include "base/fail.h"
#include "base/limits.h"
#include "expr/lexer.h"
#include "value/encoded_item.h"
#include "value/item_rules.h"

namespace dolmen {
namespace {

constexpr std::string_view kNames = "ExpressionAttributeNames";
constexpr std::string_view kValues = "ExpressionAttributeValues";

Result<void> check_placeholder(std::string_view map, std::string_view key, expr::TokenKind kind) {
  if (key.size() > limits::kPlaceholderBytes)
    return fail(Code::kValidation,
                "{} contains invalid key: The expression attribute map contains a key that is too long;{}", map,
                // DynamoDB states the size for names only.
                kind == expr::TokenKind::kName ? fmt::format(" size of key: {}", key.size()) : "");
  if (!expr::is_one_token(key, kind))
    return fail(Code::kValidation, "{} contains invalid key: Syntax error; key: \"{}\"", map, key);
  return {};
}

/// A list of the request that must have 1 to `max` members.
Result<void> check_length(std::string_view member, std::size_t length, std::size_t max) {
  if (length == 0)
    return fail(Code::kValidation,
                "1 validation error detected: Value at '{}' failed to satisfy constraint: Member must have length "
                "greater than or equal to 1",
                member);
  if (length > max)
    return fail(Code::kValidation,
                "1 validation error detected: Value at '{}' failed to satisfy constraint: Member must have length less "
                "than or equal to {}",
                member, max);
  return {};
}

std::unexpected<Error> bad_placeholder_value(std::string_view placeholder, const Error& why) {
  return fail(why.code(), "{} contains invalid value: {} for key {}", kValues, why.message(), placeholder);
}

}  // namespace

Result<void> check_name_placeholder(std::string_view placeholder, std::string_view name) {
  DOLMEN_TRY_VOID(check_placeholder(kNames, placeholder, expr::TokenKind::kName));
  if (const Result<void> checked = check_attribute_name(name); !checked)
    return fail(Code::kValidation, "{} contains invalid value: {} for key {}", kNames, checked.error().message(),
                placeholder);
  return {};
}

Result<void> check_value_placeholder(std::string_view placeholder) {
  return check_placeholder(kValues, placeholder, expr::TokenKind::kValue);
}

Result<void> check_values_size(std::size_t bytes) {
  if (bytes > limits::kExpressionValueBytes)
    return fail(Code::kValidation, "{} contains values of more than {} bytes in all", kValues,
                limits::kExpressionValueBytes);
  return {};
}

Result<void> check_placeholders(const expr::Placeholders& placeholders) {
  for (const auto& [placeholder, name] : placeholders.names) DOLMEN_TRY_VOID(check_name_placeholder(placeholder, name));
  for (const auto& [placeholder, value] : placeholders.values) DOLMEN_TRY_VOID(check_value_placeholder(placeholder));
  for (const auto& [placeholder, value] : placeholders.values)
    if (const Result<void> checked = check_item_rules({{placeholder, value}}); !checked)
      return bad_placeholder_value(placeholder, checked.error());
  return check_values_size(item_size(placeholders.values));
}

Result<void> check_keys(const std::vector<EncodedItem>& keys) {
  std::unordered_set<std::string_view> seen;
  for (const EncodedItem& key : keys)
    if (!seen.insert(key.bytes).second)
      return fail(Code::kValidation, "Provided list of item keys contains duplicates");
  return {};
}

Result<void> check_batch_gets(std::size_t keys) {
  if (keys > limits::kBatchGetKeys)
    return fail(Code::kValidation, "Too many items requested for the BatchGetItem call");
  return {};
}

Result<void> check_batch_writes(std::size_t writes) {
  if (writes > limits::kBatchWrites)
    return fail(Code::kValidation, "Too many items requested for the BatchWriteItem call");
  return {};
}

Result<void> check_batch(const BatchGetRequest& request) {
  DOLMEN_TRY_VOID(check_length("requestItems", request.tables.size(), limits::kBatchGetKeys));
  std::size_t keys = 0;
  for (const BatchGetTable& table : request.tables) {
    DOLMEN_TRY_VOID(
        check_length("requestItems." + table.table + ".member.keys", table.keys.size(), limits::kBatchGetKeys));
    DOLMEN_TRY_VOID(check_keys(table.keys));
    keys += table.keys.size();
  }
  return check_batch_gets(keys);
}

Result<void> check_batch(const BatchWriteRequest& request) {
  DOLMEN_TRY_VOID(check_batch_writes(request.writes.size()));
  return check_length("requestItems", request.writes.size(), limits::kBatchWrites);
}

Result<void> check_transaction(const TransactWriteRequest& request) {
  DOLMEN_TRY_VOID(check_length("transactItems", request.writes.size(), limits::kTransactionActions));
  if (request.client_token && (request.client_token->empty() || request.client_token->size() > limits::kTokenBytes))
    return fail(Code::kValidation,
                "1 validation error detected: Value '{}' at 'clientRequestToken' failed to satisfy constraint: Member "
                "must have length {}",
                *request.client_token,
                request.client_token->empty() ? "greater than or equal to 1" : "less than or equal to 36");
  for (const WriteRequest& write : request.writes)
    if (write.kind == WriteKind::kCheck && !write.condition)
      return fail(Code::kValidation, "The condition expression of a ConditionCheck must be given");
  return check_transaction_size(request.writes);
}

Result<void> check_transaction_size(const std::vector<WriteRequest>& writes) {
  std::size_t bytes = 0;
  for (const WriteRequest& write : writes) bytes += item_bytes_of(write) + item_size(write.placeholders.values);
  if (bytes > limits::kTransactionBytes)
    return fail(Code::kValidation, "Transaction payload size cannot exceed {} bytes", limits::kTransactionBytes);
  return {};
}

Result<void> check_transaction(const TransactGetRequest& request) {
  return check_length("transactItems", request.gets.size(), limits::kTransactionActions);
}

Result<void> check_segment(const ScanSegment& segment) {
  if (segment.total < 1 || segment.total > limits::kScanSegments)
    return fail(Code::kValidation,
                "1 validation error detected: Value '{}' at 'totalSegments' failed to satisfy constraint: Member must "
                "have value {}",
                segment.total, segment.total < 1 ? "greater than or equal to 1" : "less than or equal to 1000000");
  if (segment.segment >= segment.total)
    return fail(
        Code::kValidation,
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: {} is not less "
        "than TotalSegments: {}",
        segment.segment, segment.total);
  return {};
}

}  // namespace dolmen
