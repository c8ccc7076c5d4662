// The Kinesis destinations of tables.
#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "engine/engine.h"
#include "service/internal_tables.h"
#include "service/table_rules.h"

namespace dolmen::engine {
namespace {

/// The same words for all three operations.
constexpr std::string_view kInvalidState = "Table is not in a valid state to enable Kinesis Streaming Destination: ";
/// A table keeps so many destinations; the oldest that is not active makes place for the next one.
constexpr std::size_t kDestinationsMax = 10;
constexpr std::chrono::milliseconds kForwardPause{200};

std::unexpected<Error> no_table_of_destination(std::string_view table) {
  return fail(Code::kTableNotFound, "Requested resource not found: Table: {} not found", table);
}

KinesisTarget* find_target(Table& table, std::string_view arn) {
  const auto found = std::ranges::find(table.kinesis, arn, &KinesisTarget::stream_arn);
  return found == table.kinesis.end() ? nullptr : &*found;
}

/// The destination to be enabled, which may have been disabled before.
KinesisTarget& target_to_enable(Table& table, storage::Batch& batch, std::string_view arn) {
  if (KinesisTarget* known = find_target(table, arn)) return *known;
  if (table.kinesis.size() == kDestinationsMax) {
    forget_kinesis_records(batch, table.kinesis.front());
    table.kinesis.erase(table.kinesis.begin());
  }
  return table.kinesis.emplace_back(KinesisTarget{.stream_arn = std::string(arn)});
}

Result<KinesisStatus> disable(Table& table, storage::Batch& /*batch*/, const KinesisDestinationRequest& request) {
  KinesisTarget* const target = find_target(table, request.stream_arn);
  if (target == nullptr || target->status != KinesisStatus::kActive)
    return fail(Code::kValidation, "{}KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.",
                kInvalidState);
  target->status = KinesisStatus::kDisabled;
  return KinesisStatus::kDisabling;
}

Result<KinesisStatus> update(Table& table, storage::Batch& /*batch*/, const KinesisDestinationRequest& request) {
  KinesisTarget* const target = find_target(table, request.stream_arn);
  if (target == nullptr)
    return fail(Code::kValidation, "{}No streaming destination with streamArn: {} found for table with tableName: {}",
                kInvalidState, request.stream_arn, request.table);
  if (target->status != KinesisStatus::kActive)
    return fail(Code::kValidation,
                "{}Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: {}, "
                "kdsArn: {}",
                kInvalidState, request.table, request.stream_arn);
  if (target->precision.value_or(KinesisPrecision::kMillisecond) == *request.precision)
    return fail(Code::kValidation,
                "Invalid Request: Precision is already set to the desired value of {} for tableId: {}, kdsArn: {}",
                kinesis_precision_name(*request.precision), table.uuid, request.stream_arn);
  target->precision = request.precision;
  return KinesisStatus::kUpdating;
}

}  // namespace

void Engine::change_kinesis(
    KinesisDestinationRequest request,
    std::move_only_function<Result<KinesisStatus>(Table&, storage::Batch&, const KinesisDestinationRequest&)> change,
    Done<KinesisDestinationChange> done) {
  if (Result<void> checked = check_table_name(request.table); !checked)
    return done(std::unexpected(std::move(checked).error()));
  if (is_internal_table(request.table)) return done(no_table_of_destination(request.table));
  auto answer = std::make_shared<KinesisDestinationChange>(KinesisDestinationChange{.table = request.table,
                                                                                    .stream_arn = request.stream_arn,
                                                                                    .configured = request.configured,
                                                                                    .precision = request.precision});
  const std::string table_name = request.table;
  change_table(
      table_name,
      [request = std::move(request), change = std::move(change), answer](
          Table& table, storage::Batch& batch) mutable -> Result<void> {
        DOLMEN_TRY(answer->status, change(table, batch, request));
        return {};
      },
      [this, answer, done = std::move(done)](Result<std::shared_ptr<const Table>> changed) mutable {
        if (!changed) return done(std::unexpected(std::move(changed).error()));
        kinesis_task_->wake();
        done(std::move(*answer));
      });
}

void Engine::start(EnableKinesisStreamingDestination /*operation*/, KinesisDestinationRequest request,
                   Done<KinesisDestinationChange> done) {
  auto enable = [this](Table& table, storage::Batch& batch,
                       const KinesisDestinationRequest& asked) -> Result<KinesisStatus> {
    if (std::ranges::find(table.kinesis, KinesisStatus::kActive, &KinesisTarget::status) != table.kinesis.end())
      return fail(Code::kValidation,
                  "{}EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.",
                  kInvalidState);
    KinesisTarget& target = target_to_enable(table, batch, asked.stream_arn);
    target.precision = asked.precision;
    target.problem = kinesis_forwarder_.problem_with(asked.stream_arn);
    target.status = target.problem.empty() ? KinesisStatus::kActive : KinesisStatus::kEnableFailed;
    if (target.problem.empty() && target.records == 0) target.records = catalogue_->take_ids(batch, 1);
    return KinesisStatus::kEnabling;
  };
  change_kinesis(std::move(request), std::move(enable), std::move(done));
}

void Engine::start(DisableKinesisStreamingDestination /*operation*/, KinesisDestinationRequest request,
                   Done<KinesisDestinationChange> done) {
  if (request.configured)
    return done(
        fail(Code::kValidation, "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters"));
  change_kinesis(std::move(request), disable, std::move(done));
}

void Engine::start(UpdateKinesisStreamingDestination /*operation*/, KinesisDestinationRequest request,
                   Done<KinesisDestinationChange> done) {
  if (!request.precision)
    return done(fail(Code::kValidation,
                     "Streaming destination cannot be updated with given parameters: "
                     "UpdateKinesisStreamingConfiguration cannot be null or contain only null values"));
  change_kinesis(std::move(request), update, std::move(done));
}

void Engine::start(DescribeKinesisStreamingDestination /*operation*/, DescribeKinesisDestinationsRequest request,
                   Done<KinesisDestinations> done) {
  if (Result<void> checked = check_table_name(request.table); !checked)
    return done(std::unexpected(std::move(checked).error()));
  const std::shared_ptr<const Table> table =
      is_internal_table(request.table) ? nullptr : catalogue_->find(request.table);
  if (table == nullptr) return done(no_table_of_destination(request.table));
  KinesisDestinations answer{.table = request.table, .destinations = {}};
  for (const KinesisTarget& target : table->kinesis)
    answer.destinations.push_back({.stream_arn = target.stream_arn,
                                   .status = target.status,
                                   .description = target.problem,
                                   .precision = target.precision});
  done(std::move(answer));
}

void Engine::start_kinesis() {
  kinesis_task_.emplace(
      *storage_, BackgroundTask::Options{.name = "forwarding records to Kinesis destinations", .log = options_.log},
      [this](const std::stop_token& stop) -> Result<BackgroundTask::Next> {
        if (!kinesis_forwarder_.has_destinations()) return std::nullopt;
        DOLMEN_TRY(const bool more, kinesis_forwarder_.forward(stop));
        return more ? std::chrono::milliseconds(0) : kForwardPause;
      });
}

void Engine::finish_kinesis() {
  kinesis_task_->wake();
  kinesis_task_->wait_until_idle();
}

}  // namespace dolmen::engine
