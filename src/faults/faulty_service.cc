#include "faults/faulty_service.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "faults/subject.h"
#include "service/cancelable.h"
#include "service/failures.h"
#include "service/internal_tables.h"

namespace dolmen::faults {
namespace {

/// A transaction of which one action failed.
Error canceled_by(std::size_t actions, std::size_t which, CancellationReason reason) {
  std::vector<CancellationReason> reasons(std::max<std::size_t>(actions, 1));
  reasons[which % reasons.size()] = std::move(reason);
  return canceled_error(std::move(reasons));
}

/// Takes the parts that are left out from a batch. Returns for each that is kept where it was.
std::vector<std::size_t> take_out(std::vector<WriteRequest>& writes, const std::vector<bool>& left_out) {
  std::vector<std::size_t> kept;
  std::vector<WriteRequest> all = std::exchange(writes, {});
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (left_out[i]) continue;
    kept.push_back(i);
    writes.push_back(std::move(all[i]));
  }
  return kept;
}

/// The positions in the batch as it was asked for.
std::vector<std::size_t> unprocessed_of(std::size_t asked, const std::vector<std::size_t>& kept,
                                        const std::vector<std::size_t>& unprocessed_of_kept) {
  std::vector<bool> processed(asked);
  for (const std::size_t i : kept) processed[i] = true;
  for (const std::size_t i : unprocessed_of_kept) processed[kept[i]] = false;
  std::vector<std::size_t> unprocessed;
  for (std::size_t i = 0; i < asked; ++i)
    if (!processed[i]) unprocessed.push_back(i);
  return unprocessed;
}

void start_partly(Service& service, BatchWriteRequest request, const Decision& decision,
                  Done<BatchWriteResponse> done) {
  const std::size_t asked = request.writes.size();
  std::vector<std::size_t> kept = take_out(request.writes, decision.left_out);
  service.start(BatchWriteItem{}, std::move(request),
                [asked, kept = std::move(kept), done = std::move(done)](Result<BatchWriteResponse> response) mutable {
                  if (response) response->unprocessed = unprocessed_of(asked, kept, response->unprocessed);
                  done(std::move(response));
                });
}

void start_partly(Service& service, BatchGetRequest request, const Decision& decision, Done<BatchGetResponse> done) {
  std::vector<std::size_t> asked;
  std::vector<std::vector<std::size_t>> kept;
  std::size_t part = 0;
  for (BatchGetTable& table : request.tables) {
    asked.push_back(table.keys.size());
    std::vector<std::size_t>& kept_here = kept.emplace_back();
    std::vector<EncodedItem> keys = std::exchange(table.keys, {});
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (decision.left_out[part++]) continue;
      kept_here.push_back(i);
      table.keys.push_back(std::move(keys[i]));
    }
  }
  service.start(BatchGetItem{}, std::move(request),
                [asked = std::move(asked), kept = std::move(kept),
                 done = std::move(done)](Result<BatchGetResponse> response) mutable {
                  if (response)
                    for (std::size_t i = 0; i < asked.size(); ++i)
                      response->unprocessed[i] = unprocessed_of(asked[i], kept[i], response->unprocessed[i]);
                  done(std::move(response));
                });
}

/// The stream has no records yet: the same place again.
Done<GetRecordsResponse> without_records(std::string iterator, Done<GetRecordsResponse> done) {
  return [iterator = std::move(iterator), done = std::move(done)](Result<GetRecordsResponse> response) mutable {
    if (response) *response = {.records = {}, .next = std::move(iterator)};
    done(std::move(response));
  };
}

}  // namespace

std::string_view table_in(std::string_view arn) {
  constexpr std::string_view kTable = ":table/";
  const std::size_t at = arn.find(kTable);
  if (at == std::string_view::npos) return {};
  arn.remove_prefix(at + kTable.size());
  return arn.substr(0, arn.find('/'));
}

FaultyService::FaultyService(std::unique_ptr<Service> service, Options options)
    : owned_(std::move(service)), service_(*owned_), options_(std::move(options)) {}

FaultyService::FaultyService(Service& service, Options options) : service_(service), options_(std::move(options)) {}

FaultyService::~FaultyService() {
  if (owned_) options_.lab->core().release_store();
}

bool FaultyService::cuts() const {
  return decision_ && (decision_->fault == Fault::kCutBefore || decision_->fault == Fault::kCutAfter);
}

std::unique_ptr<Service> FaultyService::cancelable(std::stop_token stop, detail::Companions& /*companions*/) {
  return until_stopped(*this, std::move(stop));
}

Error FaultyService::broken(const Decision& decision, const OperationInfo& operation) const {
  if (operation.reads())
    return {Code::kUnavailable, fmt::format("the connection broke (fault lab: {})", to_text(decision))};
  return {Code::kUnknownOutcome,
          fmt::format("{} may or may not have been carried out: the connection broke (fault lab: {})", operation.name,
                      to_text(decision))};
}

std::optional<Error> FaultyService::refusal(const Decision& decision, const Subject& subject) const {
  if (!decision.fault) return std::nullopt;
  const bool transaction = subject.operation.family == OperationFamily::kTransactions;
  const auto which = static_cast<std::size_t>(draw(decision.seed, decision.number, *decision.fault, 1) *
                                              static_cast<double>(subject.parts));
  switch (*decision.fault) {
    case Fault::kThrottle:
      if (!transaction) return Error(Code::kThrottled, std::string(kTableThrottledMessage));
      return canceled_by(subject.parts, which,
                         {.code = "ProvisionedThroughputExceeded", .message = std::string(kTableThrottledMessage)});
    case Fault::kConflict:
      if (!transaction) return Error(Code::kTransactionConflict, std::string(kConflictMessage));
      return canceled_by(subject.parts, which,
                         {.code = "TransactionConflict", .message = std::string(kConflictMessage)});
    case Fault::kInProgress: return Error(Code::kTransactionInProgress, std::string(kInProgressMessage));
    case Fault::kInternalError:
      if (options_.at_server) return Error(Code::kIo, "Internal server error");
      return Error(subject.operation.reads() ? Code::kUnavailable : Code::kUnknownOutcome,
                   fmt::format("Internal server error (fault lab: {})", to_text(decision)));
    case Fault::kCutBefore: return broken(decision, subject.operation);
    case Fault::kLatency:
    case Fault::kUnprocessed:
    case Fault::kIndexLag:
    case Fault::kStreamLag:
    case Fault::kCutAfter: return std::nullopt;
  }
  return std::nullopt;
}

template <class Op>
void FaultyService::perform(typename Op::Request request, Done<typename Op::Response> done) {
  const Subject subject = subject_of<Op>(request);
  if (std::ranges::any_of(subject.tables, [](std::string_view table) { return is_internal_table(table); }))
    return service_.start(Op{}, std::move(request), std::move(done));
  Core& core = options_.lab->core();
  Result<Decision> decision = core.decide(subject, options_.plan ? &*options_.plan : nullptr);
  if (!decision) return done(std::unexpected(std::move(decision).error()));
  if (options_.at_server) decision_ = *decision;
  if (decision->latency.count() == 0) return carry_out<Op>(*decision, std::move(request), std::move(done));
  const std::chrono::milliseconds latency = decision->latency;
  core.run_after(
      latency, [this, decision = *std::move(decision), request = std::move(request), done = std::move(done)]() mutable {
        carry_out<Op>(decision, std::move(request), std::move(done));
      });
}

template <class Op>
void FaultyService::carry_out(const Decision& decision, typename Op::Request request,
                              Done<typename Op::Response> done) {
  if (std::optional<Error> error = refusal(decision, subject_of<Op>(request)))
    return done(std::unexpected(std::move(*error)));
  if constexpr (!Op::kInfo.reads())
    if (options_.moments != nullptr) options_.lab->core().before_write(*options_.moments);
  if constexpr (Op::kInfo.family == OperationFamily::kReads)
    if (decision.fault == Fault::kIndexLag) request.as_of = options_.lab->core().before_latest(decision.writes);
  if constexpr (Op::kInfo.family == OperationFamily::kBatches)
    if (decision.fault == Fault::kUnprocessed)
      return start_partly(service_, std::move(request), decision, std::move(done));
  if constexpr (std::is_same_v<Op, GetRecords>)
    if (decision.fault == Fault::kStreamLag) done = without_records(request.iterator, std::move(done));
  if (decision.fault == Fault::kCutAfter)
    done = [error = broken(decision, Op::kInfo), done = std::move(done)](Result<typename Op::Response>) mutable {
      done(std::unexpected(std::move(error)));
    };
  service_.start(Op{}, std::move(request), std::move(done));
}

}  // namespace dolmen::faults
