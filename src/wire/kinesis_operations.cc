// EnableKinesisStreamingDestination, DisableKinesisStreamingDestination, UpdateKinesisStreamingDestination,
// DescribeKinesisStreamingDestination.
#include <utility>

#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kEnableConfiguration = "EnableKinesisStreamingConfiguration";
constexpr std::string_view kUpdateConfiguration = "UpdateKinesisStreamingConfiguration";
constexpr std::string_view kPrecision = "ApproximateCreationDateTimePrecision";

Result<KinesisDestinationRequest> read_destination(const Parameters& parameters, const Backend& backend,
                                                   std::string_view configuration) {
  KinesisDestinationRequest request{.table = {},
                                    .stream_arn = parameters.required_string("StreamArn"),
                                    .updates = configuration == kUpdateConfiguration};
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  if (const auto given = parameters.structure(configuration)) {
    request.configured = true;
    if (const auto precision = given->string(kPrecision)) request.precision = kinesis_precision_of(*precision);
  }
  return request;
}

/// The configuration is echoed, even when it is empty.
template <class Op>
void start_change(const Backend& backend, KinesisDestinationRequest request, std::string_view configuration,
                  Done<std::string>& done) {
  const auto encode = [configuration](const KinesisDestinationChange& change) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) {
      object.text("TableName", change.table)
          .text("StreamArn", change.stream_arn)
          .text("DestinationStatus", kinesis_status_name(change.status));
      if (configuration.empty()) return;
      ObjectWriter echoed(object.member(configuration));
      if (change.precision) echoed.text(kPrecision, kinesis_precision_name(*change.precision));
      echoed.end();
    });
  };
  backend.service.start(Op{}, std::move(request), encoded<KinesisDestinationChange>(encode, std::move(done)));
}

Result<void> enable_destination(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(KinesisDestinationRequest request, read_destination(parameters, backend, kEnableConfiguration));
  start_change<EnableKinesisStreamingDestination>(backend, std::move(request), kEnableConfiguration, done);
  return {};
}

Result<void> disable_destination(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(KinesisDestinationRequest request, read_destination(parameters, backend, kEnableConfiguration));
  start_change<DisableKinesisStreamingDestination>(backend, std::move(request), "", done);
  return {};
}

Result<void> update_destination(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(KinesisDestinationRequest request, read_destination(parameters, backend, kUpdateConfiguration));
  start_change<UpdateKinesisStreamingDestination>(backend, std::move(request), kUpdateConfiguration, done);
  return {};
}

Result<void> describe_destinations(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string table, read_table_name(parameters, backend));
  const auto encode = [](const KinesisDestinations& all) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) {
      object.text("TableName", all.table);
      object.objects("KinesisDataStreamDestinations", all.destinations,
                     [](ObjectWriter& written, const KinesisDestination& destination) {
                       written.text("StreamArn", destination.stream_arn)
                           .text("DestinationStatus", kinesis_status_name(destination.status));
                       if (!destination.description.empty())
                         written.text("DestinationStatusDescription", destination.description);
                       if (destination.precision)
                         written.text(kPrecision, kinesis_precision_name(*destination.precision));
                     });
    });
  };
  backend.service.start(DescribeKinesisStreamingDestination{}, {.table = std::move(table)},
                        encoded<KinesisDestinations>(encode, std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> kinesis_operations() {
  static const WireOperation kAll[] = {
      {EnableKinesisStreamingDestination::kInfo, enable_destination},
      {DisableKinesisStreamingDestination::kInfo, disable_destination},
      {UpdateKinesisStreamingDestination::kInfo, update_destination},
      {DescribeKinesisStreamingDestination::kInfo, describe_destinations},
  };
  return kAll;
}

}  // namespace dolmen::wire
