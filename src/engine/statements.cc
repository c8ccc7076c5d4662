// ExecuteStatement.
#include "engine/statements.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/consumed.h"
#include "engine/engine.h"
#include "engine/here_or_elsewhere.h"
#include "engine/read_many.h"
#include "engine/row_key.h"
#include "partiql/limits.h"
#include "partiql/next_token.h"
#include "partiql/parser.h"
#include "partiql/source.h"
#include "partiql/write_plan.h"

namespace dolmen::engine {
namespace {

/// The rows of a page, as the statement asks for them.
Result<void> append_rows(const partiql::Statement& statement, std::vector<EncodedItem> items,
                         std::vector<EncodedItem>& rows) {
  for (EncodedItem& item : items) {
    if (statement.star) {
      rows.push_back(std::move(item));
      continue;
    }
    DOLMEN_TRY(const Item tree, decode_item(item.bytes));
    rows.push_back(encode_item(partiql::row_of(statement, tree)));
  }
  return {};
}

/// The bytes that a read of so many units can have read at most.
std::size_t bytes_of_units(double units, bool consistent) {
  return static_cast<std::size_t>(units * (consistent ? 4096 : 8192));
}

/// It names one item by its whole key.
bool reads_one_item(const OpenStatement& opened) {
  const Result<std::optional<Item>> key = partiql::whole_key(*opened.statement, opened.table->definition);
  return key && *key;
}

}  // namespace

StatementFailure failure_of(const Error& error) {
  const auto named = [&](std::string_view code) {
    return StatementFailure{.code = std::string(code), .message = error.message()};
  };
  switch (error.code()) {
    case Code::kConditionFailed: return named("ConditionalCheckFailed");
    case Code::kDuplicateItem: return named("DuplicateItem");
    case Code::kTableNotFound: return named("ResourceNotFound");
    case Code::kAccessDenied: return named("AccessDenied");
    case Code::kCollectionTooLarge: return named("ItemCollectionSizeLimitExceeded");
    case Code::kTransactionConflict: return named("TransactionConflict");
    case Code::kThrottled: return named("ProvisionedThroughputExceeded");
    case Code::kNoSpace:
    case Code::kIo:
    case Code::kClosed:
    case Code::kCorruption:
    case Code::kUnavailable: return named("InternalServerError");
    default: return named("ValidationError");
  }
}

Error error_of_insert(Error error) {
  if (error.code() != Code::kConditionFailed) return error;
  return {Code::kDuplicateItem, "Duplicate primary key exists in table"};
}

EncodedItem key_of_write(const WriteRequest& write, const TableDefinition& table) {
  if (write.kind != WriteKind::kPut) return write.item;
  std::vector<std::string> names{table.partition_key.name};
  if (table.sort_key) names.push_back(table.sort_key->name);
  std::ranges::sort(names);
  return select_attributes(write.item.bytes, names);
}

Result<OpenStatement> Engine::open_statement(const StatementRequest& request, partiql::Place place) const {
  if (request.mistake) return std::unexpected(*request.mistake);
  DOLMEN_TRY(const std::shared_ptr<const partiql::Syntax> syntax, partiql::cached_syntax(request.text));
  // Which keys an index has is looked at before the statement is checked, if there is such a table.
  if (const std::optional<partiql::Target> target = partiql::target_of(*syntax))
    if (const std::shared_ptr<const Table> early = catalogue_->find(target->table))
      DOLMEN_TRY_VOID(partiql::check_single_attribute_keys(*target, early->definition));
  OpenStatement opened;
  DOLMEN_TRY(opened.statement, partiql::prepare(*syntax, request.parameters, place));
  DOLMEN_TRY(opened.table, table_for_items(opened.statement->table));
  return opened;
}

void Engine::start(ExecuteStatement /*operation*/, ExecuteStatementRequest request,
                   Done<ExecuteStatementResponse> done) {
  if (request.trace) request.trace->enter(ReadTrace::Phase::kPrepare);
  Result<OpenStatement> opened = open_statement(request.statement, partiql::Place::kAlone);
  if (!opened) return done(std::unexpected(std::move(opened).error()));
  if (opened->statement->reads()) return read_statement(*std::move(opened), std::move(request), std::move(done));
  Result<WriteRequest> planned = partiql::plan_write(opened->statement, opened->table->definition);
  if (!planned) return done(std::unexpected(std::move(planned).error()));
  planned->return_capacity = request.return_capacity;
  planned->return_on_failure = request.statement.return_on_failure;
  planned->elsewhere = request.elsewhere;
  // With the item at hand, DynamoDB calls it a failed condition.
  const bool duplicate =
      opened->statement->kind == partiql::StatementKind::kInsert && !request.statement.return_on_failure;
  write(*std::move(planned), [duplicate, done = std::move(done)](Result<WriteResponse> written) mutable {
    if (!written)
      return done(
          std::unexpected(duplicate ? error_of_insert(std::move(written).error()) : std::move(written).error()));
    ExecuteStatementResponse response{.items = {}, .capacity = std::move(written->capacity)};
    if (written->attributes) response.items.push_back(*std::move(written->attributes));
    done(std::move(response));
  });
}

void Engine::read_statement(OpenStatement opened, ExecuteStatementRequest request,
                            Done<ExecuteStatementResponse> done) {
  if (request.trace) request.trace->begin(ExecuteStatement::kInfo.name);
  const Elsewhere* const elsewhere = request.elsewhere;
  if (elsewhere == nullptr || reads_one_item(opened))
    return read_here_or_elsewhere<ExecuteStatementResponse>(
        *storage_, std::move(request), std::move(done),
        [this, opened = std::move(opened)](const ExecuteStatementRequest& asked) {
          return read_statement_here(opened, asked);
        });
  if (request.trace) request.trace->enter(ReadTrace::Phase::kWait);
  go_elsewhere<ExecuteStatementResponse>(
      *elsewhere, std::move(done),
      [this, opened = std::move(opened), request = std::move(request)](Done<ExecuteStatementResponse> answer) {
        answer(read_statement_here(opened, request));
      });
}

Result<ExecuteStatementResponse> Engine::read_statement_here(const OpenStatement& opened,
                                                             const ExecuteStatementRequest& request) const {
  if (request.trace) request.trace->enter(ReadTrace::Phase::kPrepare);
  DOLMEN_TRY(const partiql::ReadPlan plan, partiql::plan_read(opened.statement, opened.table->definition,
                                                              {.consistent_read = request.statement.consistent_read}));
  std::vector<const expr::Path*> paths;
  for (const partiql::Column& column : opened.statement->columns) paths.push_back(&column.path);
  DOLMEN_TRY_VOID(check_key_paths(*opened.table, paths));
  return read_steps(opened, plan, request);
}

/// The steps one after the other, until the page is full: of items, of bytes, or of listed keys.
Result<ExecuteStatementResponse> Engine::read_steps(const OpenStatement& opened, const partiql::ReadPlan& plan,
                                                    const ExecuteStatementRequest& request) const {
  partiql::NextPosition position;
  if (request.next_token) {
    DOLMEN_TRY(position, partiql::read_next_token(*request.next_token, request.statement));
    if (position.step >= plan.steps.size()) return fail(Code::kValidation, "Invalid NextToken");
  }
  const bool consistent = request.statement.consistent_read;
  ExecuteStatementResponse response;
  std::vector<ConsumedCapacity> consumed;
  std::optional<std::uint32_t> left = request.limit;
  std::size_t bytes = 0;
  std::size_t done = 0;
  std::uint64_t work = 0;
  while (position.step < plan.steps.size()) {
    if (done > 0 && (left == 0U || bytes >= dolmen::limits::kPageBytes || work >= kPageWorkMax ||
                     (plan.listed && done >= partiql::limits::kListedReadsPerPage))) {
      response.next_token = partiql::next_token(request.statement, position);
      break;
    }
    ++done;
    if (plan.steps[position.step].finds_nothing) {
      const double units = capacity::read_units(0, consistent);
      add_capacity(consumed, {.table = opened.statement->table, .total = units, .of_table = units});
      if (request.trace) request.trace->part(opened.statement->table, opened.statement->index.value_or(""));
      ++position.step;
      continue;
    }
    ReadManyRequest page = plan.request(*opened.statement, position.step);
    page.limit = left;
    page.start_key = std::exchange(position.after, std::nullopt);
    page.consistent_read = consistent;
    page.return_capacity = ReturnCapacity::kIndexes;
    page.trace = request.trace;
    DOLMEN_TRY(ReadManyResponse read, read_many(page, {*catalogue_, *storage_}, work));
    DOLMEN_TRY_VOID(append_rows(*opened.statement, std::move(read.items), response.items));
    bytes += bytes_of_units(read.capacity->total, consistent);
    add_capacity(consumed, *std::move(read.capacity));
    if (left) *left -= static_cast<std::uint32_t>(read.scanned_count);
    if (read.last_key) {
      position.after = std::move(read.last_key);
      response.next_token = partiql::next_token(request.statement, position);
      break;
    }
    ++position.step;
  }
  if (request.return_capacity != ReturnCapacity::kNone && !consumed.empty())
    response.capacity = std::move(consumed.front());
  return response;
}

}  // namespace dolmen::engine
