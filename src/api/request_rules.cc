#include "api/request_rules.h"

#include <algorithm>
#include <unordered_set>

#include "base/fail.h"
#include "base/limits.h"
#include "value/item_rules.h"

namespace dolmen {
namespace {

/// A placeholder is its sign and letters, digits and underscores.
Result<void> check_placeholder(std::string_view map, std::string_view key, char sign) {
  const auto is_name_character = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (key.size() > limits::kPlaceholderBytes)
    return fail(
        Code::kValidation,
        "{} contains invalid key: The expression attribute map contains a key that is too long; size of key: {}", map,
        key.size());
  if (key.size() < 2 || key.front() != sign || !std::ranges::all_of(key.substr(1), is_name_character))
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

std::size_t values_size(const Item& values) {
  std::size_t bytes = 0;
  std::string encoded;
  for (const auto& [name, value] : values) {
    encoded.clear();
    append_value(encoded, value);
    bytes += encoded.size();
  }
  return bytes;
}

}  // namespace

Result<void> check_placeholders(const expr::Placeholders& placeholders) {
  for (const auto& [placeholder, name] : placeholders.names) {
    constexpr std::string_view kMap = "ExpressionAttributeNames";
    DOLMEN_TRY_VOID(check_placeholder(kMap, placeholder, '#'));
    if (const Result<void> checked = check_attribute_name(name); !checked)
      return fail(Code::kValidation, "{} contains invalid value: {} for key {}", kMap, checked.error().message(),
                  placeholder);
  }
  constexpr std::string_view kMap = "ExpressionAttributeValues";
  for (const auto& [placeholder, value] : placeholders.values) {
    DOLMEN_TRY_VOID(check_placeholder(kMap, placeholder, ':'));
    if (const Result<void> checked = check_item_rules({{placeholder, value}}); !checked)
      return fail(Code::kValidation, "{} contains invalid value: {} for key {}", kMap, checked.error().message(),
                  placeholder);
  }
  if (values_size(placeholders.values) > limits::kExpressionValueBytes)
    return fail(Code::kValidation, "{} contains values of more than {} bytes in all", kMap,
                limits::kExpressionValueBytes);
  return {};
}

Result<void> check_batch(const BatchGetRequest& request) {
  DOLMEN_TRY_VOID(check_length("requestItems", request.tables.size(), limits::kBatchGetKeys));
  std::size_t keys = 0;
  for (const BatchGetTable& table : request.tables) {
    DOLMEN_TRY_VOID(
        check_length("requestItems." + table.table + ".member.keys", table.keys.size(), limits::kBatchGetKeys));
    std::unordered_set<std::string_view> seen;
    for (const EncodedItem& key : table.keys)
      if (!seen.insert(key.bytes).second)
        return fail(Code::kValidation, "Provided list of item keys contains duplicates");
    keys += table.keys.size();
  }
  if (keys > limits::kBatchGetKeys)
    return fail(Code::kValidation, "Too many items requested for the BatchGetItem call");
  return {};
}

Result<void> check_batch(const BatchWriteRequest& request) {
  if (request.writes.size() > limits::kBatchWrites)
    return fail(Code::kValidation, "Too many items requested for the BatchWriteItem call");
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
  std::size_t bytes = 0;
  for (const WriteRequest& write : request.writes) {
    if (write.kind == WriteKind::kCheck && !write.condition)
      return fail(Code::kValidation, "The condition expression of a ConditionCheck must be given");
    bytes += item_size(write.item.bytes) + values_size(write.placeholders.values);
  }
  if (bytes > limits::kTransactionBytes)
    return fail(Code::kValidation, "Collection size of TransactItems exceeds the maximum of {} bytes",
                limits::kTransactionBytes);
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
