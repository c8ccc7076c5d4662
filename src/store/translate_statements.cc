#include <array>
#include <string_view>

#include "base/fail.h"
#include "base/unicode.h"
#include "store/translate.h"
#include "value/item_rules.h"

namespace dolmen::translate {
namespace {

constexpr std::size_t kStatementCharactersMax = 8192;
constexpr std::size_t kBatchStatementsMax = 25;
constexpr std::size_t kTransactionStatementsMax = 100;
constexpr std::size_t kTokenCharactersMax = 36;

std::unexpected<Error> bad_length(std::string_view what, std::string_view how, std::size_t bound) {
  return fail(
      Code::kValidation,
      "1 validation error detected: Value at '{}' failed to satisfy constraint: Member must have length {} than "
      "or equal to {}",
      what, how, bound);
}

Result<void> check_length_of(std::string_view what, std::size_t length, std::size_t max) {
  if (length == 0) return bad_length(what, "greater", 1);
  if (length > max) return bad_length(what, "less", max);
  return {};
}

Result<StatementRequest> request_of(const StatementCall& call) {
  if (!is_utf8(call.text)) return fail(Code::kValidation, "The statement is not valid UTF-8");
  DOLMEN_TRY_VOID(check_length_of("statement", utf16_length(call.text), kStatementCharactersMax));
  // Values of parameters obey the same rules as attributes.
  for (const AttributeValue& value : call.parameters) DOLMEN_TRY_VOID(check_item_rules({{"parameter", value}}));
  return StatementRequest{.text = call.text,
                          .parameters = call.parameters,
                          .consistent_read = call.consistent_read,
                          .return_on_failure = call.return_item_on_failure};
}

Result<std::vector<StatementRequest>> requests_of(const std::vector<StatementCall>& calls, std::string_view what,
                                                  std::size_t max) {
  DOLMEN_TRY_VOID(check_length_of(what, calls.size(), max));
  std::vector<StatementRequest> requests;
  for (const StatementCall& call : calls) {
    DOLMEN_TRY(StatementRequest request, request_of(call));
    requests.push_back(std::move(request));
  }
  return requests;
}

struct NamedFailure {
  std::string_view name;
  Code code;
};

constexpr auto kFailures = std::to_array<NamedFailure>({
    {"ConditionalCheckFailed", Code::kConditionFailed},
    {"ItemCollectionSizeLimitExceeded", Code::kCollectionTooLarge},
    {"RequestLimitExceeded", Code::kThrottled},
    {"ValidationError", Code::kValidation},
    {"ProvisionedThroughputExceeded", Code::kThrottled},
    {"TransactionConflict", Code::kTransactionConflict},
    {"ThrottlingError", Code::kThrottled},
    {"InternalServerError", Code::kUnavailable},
    {"ResourceNotFound", Code::kTableNotFound},
    {"AccessDenied", Code::kAccessDenied},
    {"DuplicateItem", Code::kDuplicateItem},
});

Error error_of(const StatementFailure& failure) {
  for (const NamedFailure& known : kFailures)
    if (known.name == failure.code) return {known.code, failure.message};
  return {Code::kUnexpectedResponse, failure.code + ": " + failure.message};
}

Result<std::optional<Item>> item_of(const std::optional<EncodedItem>& encoded) {
  if (!encoded) return std::nullopt;
  DOLMEN_TRY(Item item, decode_item(encoded->bytes));
  return item;
}

}  // namespace

Result<ExecuteStatementRequest> statement(const StatementCall& call, const StatementOptions& options) {
  DOLMEN_TRY(StatementRequest request, request_of(call));
  request.consistent_read = call.consistent_read || options.consistent_read;
  request.return_on_failure = call.return_item_on_failure || options.return_item_on_failure;
  ExecuteStatementRequest execute{
      .statement = std::move(request), .next_token = options.next_token, .return_capacity = options.return_capacity};
  if (options.page_size > 0) execute.limit = options.page_size;
  return execute;
}

Result<BatchExecuteRequest> batch_execute(const std::vector<StatementCall>& calls, const BatchExecuteOptions& options) {
  DOLMEN_TRY(std::vector<StatementRequest> statements, requests_of(calls, "statements", kBatchStatementsMax));
  return BatchExecuteRequest{.statements = std::move(statements), .return_capacity = options.return_capacity};
}

Result<ExecuteTransactionRequest> transact_execute(const std::vector<StatementCall>& calls,
                                                   const TransactExecuteOptions& options) {
  DOLMEN_TRY(std::vector<StatementRequest> statements,
             requests_of(calls, "transactStatements", kTransactionStatementsMax));
  ExecuteTransactionRequest request{.statements = std::move(statements), .return_capacity = options.return_capacity};
  if (options.client_token.empty()) return request;
  DOLMEN_TRY_VOID(check_length_of("clientRequestToken", utf16_length(options.client_token), kTokenCharactersMax));
  request.client_token = options.client_token;
  return request;
}

Result<StatementPage> result(ExecuteStatementResponse response) {
  StatementPage page{.next_token = std::move(response.next_token), .capacity = std::move(response.capacity)};
  for (const EncodedItem& encoded : response.items) {
    DOLMEN_TRY(Item item, decode_item(encoded.bytes));
    page.items.push_back(std::move(item));
  }
  return page;
}

Result<BatchExecuteResult> result(BatchExecuteResponse response) {
  BatchExecuteResult done{.capacity = std::move(response.capacity)};
  for (const StatementOutcome& outcome : response.outcomes) {
    if (outcome.failure) {
      done.outcomes.emplace_back(std::unexpected(error_of(*outcome.failure)));
      continue;
    }
    DOLMEN_TRY(std::optional<Item> item, item_of(outcome.item));
    done.outcomes.emplace_back(std::move(item));
  }
  return done;
}

Result<TransactExecuteResult> result(ExecuteTransactionResponse response) {
  TransactExecuteResult done{.capacity = std::move(response.capacity)};
  for (const std::optional<EncodedItem>& encoded : response.items) {
    DOLMEN_TRY(std::optional<Item> item, item_of(encoded));
    done.items.push_back(std::move(item));
  }
  return done;
}

}  // namespace dolmen::translate
