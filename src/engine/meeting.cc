// What happens where requests meet a transaction in an engine that refuses conflicts.
#include "engine/meeting.h"

#include <algorithm>

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/moment.h"
#include "engine/row_key.h"
#include "service/failures.h"
#include "service/internal_tables.h"

namespace dolmen::engine {
namespace {

/// One reason for each of `actions`, of which some are in conflict.
std::unexpected<Error> conflict_of(std::size_t actions, const std::vector<std::size_t>& conflicts) {
  std::vector<CancellationReason> reasons(actions);
  for (const std::size_t i : conflicts)
    reasons[i] = {.code = "TransactionConflict", .message = std::string(kConflictMessage), .item = std::nullopt};
  return std::unexpected(canceled_error(std::move(reasons)));
}

}  // namespace

std::vector<std::string> Engine::keys_of(std::span<const ItemWrite> writes) {
  std::vector<std::string> keys;
  for (const ItemWrite& write : writes)
    if (!is_internal_table(write.table().definition.name)) keys.push_back(write.row_key());
  return keys;
}

Result<void> Engine::enter_transaction(std::span<const ItemWrite> writes, const std::optional<std::string>& token,
                                       Done<TransactWriteResponse>& done) {
  if (!conflicts_) return {};
  if (token) {
    auto ticket = conflicts_->enter_token(*token);
    if (!ticket) return fail(Code::kTransactionInProgress, "{}", kInProgressMessage);
    done = until_answered(std::move(*ticket), std::move(done));
  }
  std::vector<std::string> keys = keys_of(writes);
  // A transaction of an internal table has no others.
  if (keys.size() != writes.size()) return {};
  auto ticket = conflicts_->enter(std::move(keys), Conflicts::Kind::kTransaction);
  if (!ticket) return conflict_of(writes.size(), ticket.error());
  done = until_answered(std::move(*ticket), std::move(done));
  return {};
}

std::vector<std::size_t> Engine::enter_batch(std::vector<ItemWrite>& writes, Done<BatchWriteResponse>& done) {
  if (!conflicts_ || keys_of(writes).size() != writes.size()) return {};
  std::vector<std::size_t> left_out;
  std::vector<std::size_t> positions(writes.size());
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = i;
  // Those that are left can meet a transaction that has begun meanwhile.
  while (true) {
    auto ticket = conflicts_->enter(keys_of(writes), Conflicts::Kind::kWrite);
    if (ticket) {
      done = until_answered(std::move(*ticket), std::move(done));
      std::ranges::sort(left_out);
      return left_out;
    }
    for (auto i = ticket.error().rbegin(); i != ticket.error().rend(); ++i) {
      left_out.push_back(positions[*i]);
      positions.erase(positions.begin() + static_cast<std::ptrdiff_t>(*i));
      writes.erase(writes.begin() + static_cast<std::ptrdiff_t>(*i));
    }
  }
}

Result<void> Engine::check_read_conflicts(const TransactGetRequest& request) const {
  if (!conflicts_) return {};
  std::vector<std::string> keys;
  for (const GetItemRequest& get : request.gets) {
    const std::shared_ptr<const Table> table = catalogue_->find(get.table);
    const Result<std::string> key = table ? row_key_of_key(*table, get.key.bytes) : Result<std::string>("");
    // What is wrong with the request is found when it is read.
    keys.push_back(key.value_or(""));
  }
  const std::vector<std::size_t> conflicts = conflicts_->in_the_way(keys);
  if (conflicts.empty()) return {};
  return conflict_of(keys.size(), conflicts);
}

std::shared_ptr<const Moment> Engine::this_moment() { return std::make_shared<EngineMoment>(storage_->snapshot()); }

}  // namespace dolmen::engine
