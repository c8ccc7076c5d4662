// ExecuteTransaction.
#include <algorithm>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "engine/here_or_elsewhere.h"
#include "engine/read_many.h"
#include "engine/statements.h"
#include "partiql/next_token.h"
#include "partiql/parser.h"
#include "partiql/source.h"
#include "partiql/write_plan.h"
#include "service/failures.h"

namespace dolmen::engine {
namespace {

using partiql::StatementKind;

/// A reason for which the whole transaction is canceled.
CancellationReason validation_reason(std::string message) {
  return {.code = "ValidationError", .message = std::move(message), .item = std::nullopt};
}

/// Checks that need no table.
Result<void> check_in_transaction(const partiql::Statement& statement) {
  if (statement.returning) return fail(Code::kValidation, "RETURNING clause is not supported in ExecuteTransaction.");
  if (!statement.index) return {};
  if (statement.kind == StatementKind::kExists)
    return fail(Code::kValidation, "Operations on indices are not supported in transactions");
  return fail(Code::kValidation, "Reads on indices are not supported within transactions.");
}

std::unexpected<Error> no_primary_key() {
  return fail(Code::kValidation,
              "Select statements within ExecuteTransaction must specify the primary key in the where clause.");
}

/// The first key attribute that an INSERT lacks; null when it has all.
const KeyAttribute* missing_key(const partiql::Statement& statement, const TableDefinition& table) {
  if (!statement.item.contains(table.partition_key.name)) return &table.partition_key;
  if (table.sort_key && !statement.item.contains(table.sort_key->name)) return &*table.sort_key;
  return nullptr;
}

CancellationReason reason_of_key(const partiql::Statement& statement, const TableDefinition& table) {
  if (statement.kind == StatementKind::kInsert)
    if (const KeyAttribute* key = missing_key(statement, table))
      return validation_reason("One or more parameter values were invalid: Missing the key " + key->name +
                               " in the item");
  return validation_reason("The provided key element does not match the schema");
}

/// All of the reasons, if there is one.
Result<void> check_refusals(const std::vector<TransactionMember>& members) {
  std::vector<CancellationReason> reasons(members.size());
  bool refused = false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!members[i].refusal) continue;
    reasons[i] = *members[i].refusal;
    refused = true;
  }
  if (refused) return std::unexpected(canceled_error(std::move(reasons)));
  return {};
}

/// An INSERT that finds its item says so.
Error with_duplicates(const Error& error, const std::vector<StatementKind>& kinds) {
  const auto* cancellation = error.payload<Cancellation>();
  if (error.code() == Code::kIdempotencyMismatch)
    return {error.code(),
            "Specified idempotent token was used with different request parameters within the idempotency window"};
  if (cancellation == nullptr) return error;
  std::vector<CancellationReason> reasons = cancellation->reasons;
  for (std::size_t i = 0; i < reasons.size() && i < kinds.size(); ++i)
    if (kinds[i] == StatementKind::kInsert && reasons[i].code == "ConditionalCheckFailed")
      reasons[i] = {.code = "DuplicateItem", .message = "Duplicate primary key exists in table", .item = std::nullopt};
  return canceled_error(std::move(reasons));
}

Result<void> check_payload(const std::vector<StatementRequest>& statements) {
  std::size_t bytes = 0;
  for (const StatementRequest& statement : statements) {
    bytes += statement.text.size();
    for (const AttributeValue& value : statement.parameters) bytes += item_size({{"", value}});
  }
  if (bytes > dolmen::limits::kTransactionBytes)
    return fail(Code::kValidation, "Transaction payload size cannot exceed {} bytes",
                dolmen::limits::kTransactionBytes);
  return {};
}

std::string digest_of_all(const std::vector<StatementRequest>& statements) {
  std::string all;
  for (const StatementRequest& statement : statements) all += partiql::digest_of(statement);
  std::string digest;
  append_big_endian(digest, hash64(all));
  append_big_endian(digest, hash64(all + "again"));
  return digest;
}

}  // namespace

Result<TransactionMember> Engine::open_transaction_member(const StatementRequest& request) const {
  DOLMEN_TRY(const std::shared_ptr<const partiql::Syntax> syntax, partiql::cached_syntax(request.text));
  if (const std::optional<partiql::Target> target = partiql::target_of(*syntax))
    if (const std::shared_ptr<const Table> early = catalogue_->find(target->table))
      DOLMEN_TRY_VOID(partiql::check_single_attribute_keys(*target, early->definition));
  TransactionMember member;
  DOLMEN_TRY(member.statement, partiql::prepare(*syntax, request.parameters, partiql::Place::kTransaction));
  const partiql::Statement& statement = *member.statement;
  member.kind = statement.kind;
  DOLMEN_TRY_VOID(check_in_transaction(statement));
  if (statement.reads() && !statement.where) return no_primary_key();
  const std::shared_ptr<const Table> table = catalogue_->find(statement.table);
  if (table == nullptr) {
    member.refusal =
        CancellationReason{.code = "ResourceNotFound", .message = "Requested resource not found", .item = std::nullopt};
    return member;
  }
  if (statement.reads()) {
    Result<std::optional<Item>> key = partiql::whole_key(statement, table->definition);
    if (key && !*key) return no_primary_key();
    if (key) {
      member.get = GetItemRequest{.table = statement.table, .key = encode_item(**key), .consistent_read = true};
    } else if (key.error().reason() == Reason::kKeyMismatch) {
      member.refusal = reason_of_key(statement, table->definition);
    } else {
      return std::unexpected(std::move(key).error());
    }
    return member;
  }
  Result<WriteRequest> write = partiql::plan_write(member.statement, table->definition);
  if (write) {
    member.write = *std::move(write);
  } else if (write.error().reason() == Reason::kKeyMismatch) {
    member.refusal = reason_of_key(statement, table->definition);
  } else {
    return std::unexpected(std::move(write).error());
  }
  return member;
}

void Engine::start(ExecuteTransaction /*operation*/, ExecuteTransactionRequest request,
                   Done<ExecuteTransactionResponse> done) {
  const Elsewhere* const elsewhere = request.elsewhere;
  if (elsewhere == nullptr || request.statements.size() <= kItemsAtOnceMax)
    return execute_transaction(std::move(request), std::move(done));
  if (request.trace) request.trace->enter(ReadTrace::Phase::kWait);
  go_elsewhere<ExecuteTransactionResponse>(
      *elsewhere, std::move(done),
      [this, request = std::move(request)](Done<ExecuteTransactionResponse> answer) mutable {
        execute_transaction(std::move(request), std::move(answer));
      });
}

void Engine::execute_transaction(ExecuteTransactionRequest request, Done<ExecuteTransactionResponse> done) {
  if (request.trace) request.trace->enter(ReadTrace::Phase::kPrepare);
  std::vector<TransactionMember> members;
  const auto open_all = [&]() -> Result<void> {
    for (const StatementRequest& statement : request.statements)
      if (statement.mistake) return std::unexpected(*statement.mistake);
    for (std::size_t i = 0; i < request.statements.size(); ++i) {
      Result<TransactionMember> member = open_transaction_member(request.statements[i]);
      if (!member)
        return fail(member.error().code(), "Validation failed in TransactStatements[{}]: {}", i,
                    member.error().message());
      members.push_back(*std::move(member));
    }
    const auto reads = [](const TransactionMember& member) { return member.kind == StatementKind::kSelect; };
    const auto count = std::ranges::count_if(members, reads);
    if (count > 0 && static_cast<std::size_t>(count) < members.size())
      return fail(Code::kValidation,
                  "ExecuteTransaction API does not support both read and write operations in the same request.");
    DOLMEN_TRY_VOID(check_refusals(members));
    return check_payload(request.statements);
  };
  if (Result<void> opened = open_all(); !opened) return done(std::unexpected(std::move(opened).error()));
  if (members.front().kind == StatementKind::kSelect)
    return read_here_or_elsewhere<ExecuteTransactionResponse>(
        *storage_, std::move(request), std::move(done),
        [this, members = std::move(members)](const ExecuteTransactionRequest& asked) {
          return read_transaction(members, asked);
        });
  write_transaction(std::move(members), request, std::move(done));
}

Result<ExecuteTransactionResponse> Engine::read_transaction(const std::vector<TransactionMember>& members,
                                                            const ExecuteTransactionRequest& request) const {
  if (request.trace) request.trace->begin(ExecuteTransaction::kInfo.name);
  TransactGetRequest gets{.gets = {}, .return_capacity = request.return_capacity, .trace = request.trace};
  for (const TransactionMember& member : members)
    gets.gets.emplace_back(*member.get).return_capacity = request.return_capacity;
  DOLMEN_TRY(TransactGetResponse got, read_together(gets));
  ExecuteTransactionResponse response{.items = {}, .capacity = std::move(got.capacity)};
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::optional<EncodedItem>& row = response.items.emplace_back();
    if (!got.items[i]) continue;
    DOLMEN_TRY(const Item tree, decode_item(got.items[i]->bytes));
    row = encode_item(partiql::row_of(*members[i].statement, tree));
  }
  return response;
}

void Engine::write_transaction(std::vector<TransactionMember> members, const ExecuteTransactionRequest& request,
                               Done<ExecuteTransactionResponse> done) {
  TransactWriteRequest writes{.writes = {},
                              .client_token = request.client_token,
                              .return_capacity = request.return_capacity,
                              .return_collection_metrics = false,
                              .log_note = {},
                              .digest = digest_of_all(request.statements),
                              .elsewhere = request.elsewhere};
  std::vector<StatementKind> kinds;
  for (std::size_t i = 0; i < members.size(); ++i) {
    WriteRequest& write = writes.writes.emplace_back(*std::move(members[i].write));
    write.return_capacity = request.return_capacity;
    write.return_on_failure = request.statements[i].return_on_failure;
    kinds.push_back(members[i].kind);
  }
  start(TransactWriteItems{}, std::move(writes),
        [kinds = std::move(kinds), done = std::move(done)](Result<TransactWriteResponse> written) mutable {
          if (!written) return done(std::unexpected(with_duplicates(written.error(), kinds)));
          done(ExecuteTransactionResponse{.items = {}, .capacity = std::move(written->capacity)});
        });
}

}  // namespace dolmen::engine
