// BatchExecuteStatement.
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "base/fail.h"
#include "engine/capacity.h"
#include "engine/consumed.h"
#include "engine/engine.h"
#include "engine/here_or_elsewhere.h"
#include "engine/read_many.h"
#include "engine/statements.h"
#include "partiql/parser.h"
#include "partiql/write_plan.h"

namespace dolmen::engine {
namespace {

/// Checks that all statements of a batch read or all write, and that no item is named twice.
Result<void> check_members(const std::vector<BatchMember>& members) {
  bool reads = false;
  bool writes = false;
  for (const BatchMember& member : members) {
    if (!member.kind || *member.kind == partiql::StatementKind::kExists) continue;
    (*member.kind == partiql::StatementKind::kSelect ? reads : writes) = true;
  }
  if (reads && writes)
    return fail(Code::kValidation, "Read and write requests together in the same batch is not supported.");
  std::set<std::pair<std::string, std::string>> seen;
  for (const BatchMember& member : members)
    if (member.key && !seen.emplace(member.opened.statement->table, member.key->bytes).second)
      return fail(Code::kValidation, "Provided list of item keys contains duplicates");
  return {};
}

/// The statements of a batch that writes, which end one by one, on different threads.
class BatchRun {
 public:
  BatchRun(std::size_t statements, Done<BatchExecuteResponse> done) : done_(std::move(done)), left_(1) {
    response_.outcomes.resize(statements);
  }

  void refuse(std::size_t at, const Error& error) {
    const std::lock_guard lock(response_mutex_);
    response_.outcomes[at].failure = failure_of(error);
  }

  void started() {
    const std::lock_guard lock(response_mutex_);
    ++left_;
  }

  void succeeded(std::size_t at, std::string table, WriteResponse written) {
    {
      const std::lock_guard lock(response_mutex_);
      response_.outcomes[at].table = std::move(table);
      response_.outcomes[at].item = std::move(written.attributes);
      if (written.capacity) add_capacity(response_.capacity, *std::move(written.capacity));
    }
    ended();
  }

  /// `units` count for the table, if another statement on it succeeds.
  void failed(std::size_t at, std::string table, const Error& error, double units) {
    {
      const std::lock_guard lock(response_mutex_);
      attempted_.emplace_back(table, units);
      response_.outcomes[at].table = std::move(table);
      response_.outcomes[at].failure = failure_of(error);
    }
    ended();
  }

  void ended() {
    {
      const std::lock_guard lock(response_mutex_);
      if (--left_ > 0) return;
    }
    for (const auto& [table, units] : attempted_)
      for (ConsumedCapacity& consumed : response_.capacity)
        if (consumed.table == table) consumed.total += units;
    done_(std::move(response_));
  }

 private:
  std::mutex response_mutex_;
  BatchExecuteResponse response_;
  std::vector<std::pair<std::string, double>> attempted_;
  Done<BatchExecuteResponse> done_;
  /// How many have not ended, and one for the loop that starts them.
  std::size_t left_;
};

}  // namespace

BatchMember Engine::open_member(const StatementRequest& request, ReturnCapacity capacity) const {
  BatchMember member;
  const auto open = [&]() -> Result<void> {
    // What a statement does is seen even when it cannot be carried out.
    if (!request.mistake)
      if (const auto syntax = partiql::cached_syntax(request.text))
        if (const std::optional<partiql::Target> target = partiql::target_of(**syntax)) member.kind = target->kind;
    DOLMEN_TRY(member.opened, open_statement(request, partiql::Place::kAlone));
    const partiql::Statement& statement = *member.opened.statement;
    const TableDefinition& table = member.opened.table->definition;
    if (statement.reads()) {
      DOLMEN_TRY(const std::optional<Item> key, partiql::whole_key(statement, table));
      if (!key)
        return fail(Code::kValidation,
                    "Select statements within BatchExecuteStatement must specify the primary key in the where clause.");
      member.key = encode_item(*key);
      member.get = GetItemRequest{.table = statement.table,
                                  .key = *member.key,
                                  .consistent_read = request.consistent_read,
                                  .return_capacity = capacity};
      return {};
    }
    DOLMEN_TRY(member.write, partiql::plan_write(member.opened.statement, table));
    member.write->return_capacity = capacity;
    member.key = key_of_write(*member.write, table);
    return {};
  };
  if (Result<void> opened = open(); !opened) member.refusal = std::move(opened).error();
  return member;
}

Result<BatchExecuteResponse> Engine::read_members(const std::vector<BatchMember>& members, ReadTrace* trace) const {
  if (trace != nullptr) trace->begin(BatchExecuteStatement::kInfo.name);
  BatchExecuteResponse response;
  for (const BatchMember& member : members) response.outcomes.push_back(read_member(member, trace, response.capacity));
  return response;
}

StatementOutcome Engine::read_member(const BatchMember& member, ReadTrace* trace,
                                     std::vector<ConsumedCapacity>& capacity) const {
  StatementOutcome outcome;
  if (member.refusal) {
    outcome.failure = failure_of(*member.refusal);
    return outcome;
  }
  const auto read = [&]() -> Result<void> {
    DOLMEN_TRY(GetItemResponse got, read_item(*member.get, {.trace = trace}));
    outcome.table = member.opened.statement->table;
    if (got.capacity) add_capacity(capacity, *std::move(got.capacity));
    if (!got.item) return {};
    DOLMEN_TRY(const Item tree, decode_item(got.item->bytes));
    outcome.item = encode_item(partiql::row_of(*member.opened.statement, tree));
    return {};
  };
  if (Result<void> done = read(); !done) outcome.failure = failure_of(done.error());
  return outcome;
}

double Engine::attempted_units(const WriteRequest& request) const {
  const std::shared_ptr<const Table> table = catalogue_->find(request.table);
  if (table == nullptr) return 0;
  const std::size_t sent = request.kind == WriteKind::kPut ? item_size(request.item.bytes) : 0;
  const Result<GetItemResponse> stored =
      read_item({.table = request.table, .key = key_of_write(request, table->definition)}, {});
  const std::size_t found = stored && stored->item ? item_size(stored->item->bytes) : 0;
  return capacity::write_units(found, sent);
}

void Engine::start(BatchExecuteStatement /*operation*/, BatchExecuteRequest request, Done<BatchExecuteResponse> done) {
  const Elsewhere* const elsewhere = request.elsewhere;
  if (elsewhere == nullptr || request.statements.size() <= kItemsAtOnceMax)
    return execute_batch(std::move(request), std::move(done));
  if (request.trace) request.trace->enter(ReadTrace::Phase::kWait);
  go_elsewhere<BatchExecuteResponse>(*elsewhere, std::move(done),
                                     [this, request = std::move(request)](Done<BatchExecuteResponse> answer) mutable {
                                       execute_batch(std::move(request), std::move(answer));
                                     });
}

void Engine::execute_batch(BatchExecuteRequest request, Done<BatchExecuteResponse> done) {
  if (request.trace) request.trace->enter(ReadTrace::Phase::kPrepare);
  std::vector<BatchMember> members;
  members.reserve(request.statements.size());
  for (const StatementRequest& statement : request.statements)
    members.push_back(open_member(statement, request.return_capacity));
  if (Result<void> checked = check_members(members); !checked) return done(std::unexpected(std::move(checked).error()));
  const auto writes = [](const BatchMember& member) { return member.write.has_value(); };
  if (std::ranges::none_of(members, writes))
    return read_here_or_elsewhere<BatchExecuteResponse>(
        *storage_, std::move(request), std::move(done),
        [this, members = std::move(members)](const BatchExecuteRequest& asked) {
          return read_members(members, asked.trace.get());
        });
  const auto run = std::make_shared<BatchRun>(members.size(), std::move(done));
  for (std::size_t i = 0; i < members.size(); ++i) {
    BatchMember& member = members[i];
    if (member.refusal) {
      run->refuse(i, *member.refusal);
      continue;
    }
    member.write->elsewhere = request.elsewhere;
    // For the capacity of a write that fails.
    std::optional<WriteRequest> sent;
    if (request.return_capacity != ReturnCapacity::kNone) sent = *member.write;
    Result<ItemWrite> write = prepare_write(*std::move(member.write));
    if (!write) {
      run->refuse(i, write.error());
      continue;
    }
    const bool inserts = member.opened.statement->kind == partiql::StatementKind::kInsert;
    run->started();
    run_write(std::move(*write), [this, run, i, inserts, sent = std::move(sent),
                                  table = member.opened.statement->table](Result<WriteResponse> written) mutable {
      if (written) return run->succeeded(i, std::move(table), *std::move(written));
      const Error error = inserts ? error_of_insert(std::move(written).error()) : std::move(written).error();
      if (!sent) return run->failed(i, std::move(table), error, 0);
      read_here_or_elsewhere<double>(
          *storage_, *std::move(sent),
          [run, i, error, table = std::move(table)](const Result<double>& units) {
            run->failed(i, table, error, units.value_or(0));
          },
          [this](const WriteRequest& failed) -> Result<double> { return attempted_units(failed); });
    });
  }
  run->ended();
}

}  // namespace dolmen::engine
