#include "faults/throttled_service.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/fail.h"
#include "service/cancelable.h"
#include "service/failures.h"
#include "service/wait.h"

namespace dolmen::faults {
namespace {

using Answer = Capacities::Answer;

std::unexpected<Error> exceeded(Answer answer) {
  return fail(Code::kThrottled, "{}",
              answer == Answer::kIndexExceeded ? kIndexThrottledMessage : kTableThrottledMessage);
}

Flow flow_of(const OperationInfo& operation) { return operation.reads() ? Flow::kRead : Flow::kWrite; }

double read_units(bool consistent) { return consistent ? 1 : 0.5; }

/// A failed condition is paid for, as on AWS; other failures are not.
bool is_paid(const Error& error) {
  return error.code() == Code::kConditionFailed || error.code() == Code::kTransactionCanceled;
}

/// A put that lacks a key of an index does not change it. What else changes an index is known only afterwards.
bool may_change(const WriteRequest& write, const IndexDefinition& index) {
  if (write.kind == WriteKind::kCheck) return false;
  if (write.kind != WriteKind::kPut) return true;
  const auto has = [&](const KeyAttribute& attribute) {
    return find_attribute(write.item.bytes, attribute.name).has_value();
  };
  return std::ranges::all_of(index.partition_keys, has) && std::ranges::all_of(index.sort_keys, has);
}

}  // namespace

ThrottledService::ThrottledService(std::unique_ptr<Service> service, Now now)
    : capacities_(
          [this](const std::string& table) -> std::optional<TableDescription> {
            Result<TableDescription> description = call<DescribeTable>(*service_, {.table = table});
            return description ? std::optional(*std::move(description)) : std::nullopt;
          },
          or_system_clock(std::move(now))),
      service_(std::move(service)) {}

std::unique_ptr<Service> ThrottledService::cancelable(std::stop_token stop, detail::Companions& /*companions*/) {
  return until_stopped(*this, std::move(stop));
}

Charge ThrottledService::charge_of(const WriteRequest& write) {
  Charge charge{.table = write.table, .flow = Flow::kWrite, .units = 1};
  for (const IndexDefinition& index : capacities_.indexes_of(write.table))
    if (may_change(write, index)) charge.changed_indexes.push_back(index.name);
  return charge;
}

template <class Op>
void ThrottledService::pass_item(typename Op::Request request, Charge charge, Done<typename Op::Response> done) {
  if (const Answer answer = capacities_.take(charge); answer != Answer::kTaken) return done(exceeded(answer));
  const bool wanted = std::exchange(request.return_capacity, ReturnCapacity::kIndexes) != ReturnCapacity::kNone;
  service_->start(Op{}, std::move(request),
                  [this, charge = std::move(charge), wanted,
                   done = std::move(done)](Result<typename Op::Response> response) mutable {
                    if (response && response->capacity)
                      capacities_.settle({charge}, {*response->capacity}, charge.flow);
                    if (!response && !is_paid(response.error())) capacities_.give_back(charge);
                    if (response && !wanted) response->capacity.reset();
                    done(std::move(response));
                  });
}

void ThrottledService::pass(BatchWriteRequest request, Done<BatchWriteResponse> done) {
  std::vector<Charge> taken;
  std::vector<std::size_t> left_out;
  std::vector<std::size_t> kept;
  Answer refused = Answer::kTaken;
  std::vector<WriteRequest> writes = std::exchange(request.writes, {});
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Charge charge = charge_of(writes[i]);
    if (const Answer answer = capacities_.take(charge); answer != Answer::kTaken) {
      refused = answer;
      left_out.push_back(i);
      continue;
    }
    // Otherwise the engine would not say what a part has used.
    writes[i].return_capacity = ReturnCapacity::kIndexes;
    taken.push_back(std::move(charge));
    kept.push_back(i);
    request.writes.push_back(std::move(writes[i]));
  }
  if (kept.empty() && refused != Answer::kTaken) return done(exceeded(refused));
  const bool wanted = std::exchange(request.return_capacity, ReturnCapacity::kIndexes) != ReturnCapacity::kNone;
  service_->start(BatchWriteItem{}, std::move(request),
                  [this, taken = std::move(taken), left_out = std::move(left_out), kept = std::move(kept), wanted,
                   done = std::move(done)](Result<BatchWriteResponse> response) mutable {
                    capacities_.settle(taken, response ? response->capacity : std::vector<ConsumedCapacity>(),
                                       Flow::kWrite);
                    if (response) {
                      for (std::size_t& i : response->unprocessed) i = kept[i];
                      response->unprocessed.insert(response->unprocessed.end(), left_out.begin(), left_out.end());
                      std::ranges::sort(response->unprocessed);
                      if (!wanted) response->capacity.clear();
                    }
                    done(std::move(response));
                  });
}

void ThrottledService::pass(BatchGetRequest request, Done<BatchGetResponse> done) {
  std::vector<Charge> taken;
  std::vector<std::vector<std::size_t>> left_out;
  std::vector<std::vector<std::size_t>> kept;
  Answer refused = Answer::kTaken;
  for (BatchGetTable& table : request.tables) {
    left_out.emplace_back();
    kept.emplace_back();
    std::vector<EncodedItem> keys = std::exchange(table.keys, {});
    for (std::size_t i = 0; i < keys.size(); ++i) {
      Charge charge{.table = table.table, .flow = Flow::kRead, .units = read_units(table.consistent_read)};
      if (const Answer answer = capacities_.take(charge); answer != Answer::kTaken) {
        refused = answer;
        left_out.back().push_back(i);
        continue;
      }
      taken.push_back(std::move(charge));
      kept.back().push_back(i);
      table.keys.push_back(std::move(keys[i]));
    }
  }
  if (taken.empty() && refused != Answer::kTaken) return done(exceeded(refused));
  const bool wanted = std::exchange(request.return_capacity, ReturnCapacity::kIndexes) != ReturnCapacity::kNone;
  service_->start(BatchGetItem{}, std::move(request),
                  [this, taken = std::move(taken), left_out = std::move(left_out), kept = std::move(kept), wanted,
                   done = std::move(done)](Result<BatchGetResponse> response) mutable {
                    capacities_.settle(taken, response ? response->capacity : std::vector<ConsumedCapacity>(),
                                       Flow::kRead);
                    if (response) {
                      for (std::size_t table = 0; table < kept.size(); ++table) {
                        std::vector<std::size_t>& unprocessed = response->unprocessed[table];
                        for (std::size_t& i : unprocessed) i = kept[table][i];
                        unprocessed.insert(unprocessed.end(), left_out[table].begin(), left_out[table].end());
                        std::ranges::sort(unprocessed);
                      }
                      if (!wanted) response->capacity.clear();
                    }
                    done(std::move(response));
                  });
}

template <class Op>
void ThrottledService::pass_transaction(typename Op::Request request, std::vector<Charge> charges,
                                        Done<typename Op::Response> done) {
  std::vector<Charge> taken;
  std::vector<CancellationReason> reasons(charges.size());
  for (std::size_t i = 0; i < charges.size(); ++i) {
    const Answer answer = capacities_.take(charges[i]);
    if (answer == Answer::kTaken)
      taken.push_back(charges[i]);
    else
      reasons[i] = {.code = "ProvisionedThroughputExceeded", .message = exceeded(answer).error().message()};
  }
  if (taken.size() < charges.size()) {
    for (const Charge& charge : taken) capacities_.give_back(charge);
    return done(std::unexpected(canceled_error(std::move(reasons))));
  }
  const bool wanted = std::exchange(request.return_capacity, ReturnCapacity::kIndexes) != ReturnCapacity::kNone;
  service_->start(
      Op{}, std::move(request),
      [this, taken = std::move(taken), wanted, done = std::move(done)](Result<typename Op::Response> response) mutable {
        if (response)
          capacities_.settle(taken, response->capacity, flow_of(Op::kInfo));
        else if (!is_paid(response.error()))
          capacities_.settle(taken, {}, flow_of(Op::kInfo));
        if (response && !wanted) response->capacity.clear();
        done(std::move(response));
      });
}

template <class Op>
void ThrottledService::perform(typename Op::Request request, Done<typename Op::Response> done) {
  if constexpr (Op::kInfo.family == OperationFamily::kItems && !Op::kInfo.reads()) {
    Charge charge = charge_of(request);
    pass_item<Op>(std::move(request), std::move(charge), std::move(done));
  } else if constexpr (Op::kInfo.family == OperationFamily::kItems || Op::kInfo.family == OperationFamily::kReads) {
    Charge charge{.table = request.table, .flow = Flow::kRead, .units = read_units(request.consistent_read)};
    if constexpr (Op::kInfo.family == OperationFamily::kReads) charge.index = request.index.value_or("");
    pass_item<Op>(std::move(request), std::move(charge), std::move(done));
  } else if constexpr (Op::kInfo.family == OperationFamily::kBatches) {
    pass(std::move(request), std::move(done));
  } else if constexpr (std::is_same_v<Op, TransactWriteItems>) {
    std::vector<Charge> charges;
    for (WriteRequest& write : request.writes) {
      charges.push_back(charge_of(write));
      charges.back().units *= 2;
      write.return_capacity = ReturnCapacity::kIndexes;
    }
    pass_transaction<Op>(std::move(request), std::move(charges), std::move(done));
  } else if constexpr (std::is_same_v<Op, TransactGetItems>) {
    std::vector<Charge> charges;
    for (GetItemRequest& get : request.gets) {
      charges.push_back({.table = get.table, .flow = Flow::kRead, .units = 2});
      get.return_capacity = ReturnCapacity::kIndexes;
    }
    pass_transaction<Op>(std::move(request), std::move(charges), std::move(done));
  } else if constexpr (Op::kInfo.family == OperationFamily::kTables && !Op::kInfo.reads()) {
    std::string table;
    if constexpr (requires { request.table; }) table = request.table;
    service_->start(
        Op{}, std::move(request),
        [this, table = std::move(table), done = std::move(done)](Result<typename Op::Response> response) mutable {
          capacities_.changed(table);
          done(std::move(response));
        });
  } else {
    service_->start(Op{}, std::move(request), std::move(done));
  }
}

}  // namespace dolmen::faults
