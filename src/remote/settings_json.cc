// What belongs to tables besides their definitions as JSON: resource policies, Contributor Insights, Kinesis
// destinations.
#include <cmath>

#include "protocol/object_writer.h"
#include "remote/json_fields.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"

namespace dolmen::remote {
namespace {

constexpr std::string_view kPrecision = "ApproximateCreationDateTimePrecision";

/// A name that `find` knows; nothing when there is none.
template <class T>
Result<std::optional<T>> read_named(const Fields& fields, std::string_view name,
                                    std::optional<T> (*find)(std::string_view)) {
  DOLMEN_TRY(const std::optional<std::string_view> text, fields.optional<std::string_view>(name));
  if (!text) return std::nullopt;
  const std::optional<T> found = find(*text);
  if (!found) return unexpected_response(name);
  return found;
}

template <class T>
Result<T> read_required_name(const Fields& fields, std::string_view name, std::optional<T> (*find)(std::string_view)) {
  DOLMEN_TRY(const std::optional<T> found, read_named(fields, name, find));
  if (!found) return unexpected_response(name);
  return *found;
}

Result<std::optional<std::string>> read_optional_text(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const std::optional<std::string_view> text, fields.optional<std::string_view>(name));
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

/// The objects of a list, which may be missing.
template <class Read>
Result<void> read_objects(const Fields& fields, std::string_view name, Read read) {
  DOLMEN_TRY(const std::optional<json::Array> list, fields.optional<json::Array>(name));
  if (!list) return {};
  for (const json::Element element : *list) {
    DOLMEN_TRY(const Fields object, Fields::of(element));
    DOLMEN_TRY_VOID(read(object));
  }
  return {};
}

Result<PolicyRevision> read_revision(std::string_view body) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  PolicyRevision answer;
  DOLMEN_TRY(answer.revision, read_optional_text(fields, "RevisionId"));
  return answer;
}

Result<ContributorInsights> read_insights(const Fields& fields) {
  ContributorInsights insights;
  DOLMEN_TRY(insights.table, fields.required<std::string_view>("TableName"));
  DOLMEN_TRY(insights.index, read_optional_text(fields, "IndexName"));
  DOLMEN_TRY(insights.status, read_required_name(fields, "ContributorInsightsStatus", insights_status_of));
  DOLMEN_TRY(insights.mode, read_named(fields, "ContributorInsightsMode", insights_mode_of));
  return insights;
}

}  // namespace

Result<std::string> request_body(const DescribeLimitsRequest& /*request*/) { return "{}"; }

Result<AccountLimits> read_response(DescribeLimits /*operation*/, std::string_view body,
                                    const DescribeLimitsRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  AccountLimits limits;
  DOLMEN_TRY(limits.account_read_units, fields.required<std::int64_t>("AccountMaxReadCapacityUnits"));
  DOLMEN_TRY(limits.account_write_units, fields.required<std::int64_t>("AccountMaxWriteCapacityUnits"));
  DOLMEN_TRY(limits.table_read_units, fields.required<std::int64_t>("TableMaxReadCapacityUnits"));
  DOLMEN_TRY(limits.table_write_units, fields.required<std::int64_t>("TableMaxWriteCapacityUnits"));
  return limits;
}

Result<std::string> request_body(const DescribeEndpointsRequest& /*request*/) { return "{}"; }

Result<EndpointList> read_response(DescribeEndpoints /*operation*/, std::string_view body,
                                   const DescribeEndpointsRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  EndpointList list;
  DOLMEN_TRY_VOID(read_objects(fields, "Endpoints", [&](const Fields& object) -> Result<void> {
    Endpoint endpoint;
    DOLMEN_TRY(endpoint.address, object.required<std::string_view>("Address"));
    DOLMEN_TRY(endpoint.cache_minutes, object.required<std::int64_t>("CachePeriodInMinutes"));
    list.endpoints.push_back(std::move(endpoint));
    return {};
  }));
  return list;
}

// ---- Resource policies ----

Result<std::string> request_body(const PutResourcePolicyRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("ResourceArn", request.arn).text("Policy", request.policy);
    if (request.expected_revision) object.text("ExpectedRevisionId", *request.expected_revision);
    if (request.confirm_remove_self) object.flag("ConfirmRemoveSelfResourceAccess", true);
  });
}

Result<std::string> request_body(const GetResourcePolicyRequest& request) {
  return object_text([&](ObjectWriter& object) { object.text("ResourceArn", request.arn); });
}

Result<std::string> request_body(const DeleteResourcePolicyRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("ResourceArn", request.arn);
    if (request.expected_revision) object.text("ExpectedRevisionId", *request.expected_revision);
  });
}

Result<PolicyRevision> read_response(PutResourcePolicy /*operation*/, std::string_view body,
                                     const PutResourcePolicyRequest& /*asked*/) {
  return read_revision(body);
}

Result<PolicyRevision> read_response(DeleteResourcePolicy /*operation*/, std::string_view body,
                                     const DeleteResourcePolicyRequest& /*asked*/) {
  return read_revision(body);
}

Result<ResourcePolicy> read_response(GetResourcePolicy /*operation*/, std::string_view body,
                                     const GetResourcePolicyRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  ResourcePolicy policy;
  DOLMEN_TRY(policy.policy, fields.required<std::string_view>("Policy"));
  DOLMEN_TRY(policy.revision, fields.required<std::string_view>("RevisionId"));
  return policy;
}

// ---- Contributor Insights ----

Result<std::string> request_body(const UpdateContributorInsightsRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("TableName", request.table);
    if (request.index) object.text("IndexName", *request.index);
    object.text("ContributorInsightsAction", request.enable ? "ENABLE" : "DISABLE");
    if (request.mode) object.text("ContributorInsightsMode", insights_mode_name(*request.mode));
  });
}

Result<std::string> request_body(const DescribeContributorInsightsRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("TableName", request.table);
    if (request.index) object.text("IndexName", *request.index);
  });
}

Result<std::string> request_body(const ListContributorInsightsRequest& request) {
  return object_text([&](ObjectWriter& object) {
    if (request.table) object.text("TableName", *request.table);
    if (request.next_token) object.text("NextToken", *request.next_token);
    if (request.limit) object.number("MaxResults", *request.limit);
  });
}

Result<ContributorInsights> read_response(UpdateContributorInsights /*operation*/, std::string_view body,
                                          const UpdateContributorInsightsRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  return read_insights(fields);
}

Result<ContributorInsights> read_response(DescribeContributorInsights /*operation*/, std::string_view body,
                                          const DescribeContributorInsightsRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(ContributorInsights insights, read_insights(fields));
  DOLMEN_TRY(const std::optional<json::Array> rules, fields.optional<json::Array>("ContributorInsightsRuleList"));
  if (rules)
    for (const json::Element rule : *rules) {
      std::string_view name;
      if (rule.get(name) != simdjson::SUCCESS) return unexpected_response("ContributorInsightsRuleList");
      insights.rules.emplace_back(name);
    }
  DOLMEN_TRY(const std::optional<double> changed, fields.optional<double>("LastUpdateDateTime"));
  if (changed) insights.changed = TableTime(std::chrono::milliseconds(std::llround(*changed * 1000)));
  return insights;
}

Result<ContributorInsightsPage> read_response(ListContributorInsights /*operation*/, std::string_view body,
                                              const ListContributorInsightsRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  ContributorInsightsPage page;
  DOLMEN_TRY_VOID(read_objects(fields, "ContributorInsightsSummaries", [&](const Fields& object) -> Result<void> {
    DOLMEN_TRY(ContributorInsights insights, read_insights(object));
    page.insights.push_back(std::move(insights));
    return {};
  }));
  DOLMEN_TRY(page.next_token, read_optional_text(fields, "NextToken"));
  return page;
}

// ---- Kinesis destinations ----

Result<std::string> request_body(const KinesisDestinationRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("TableName", request.table).text("StreamArn", request.stream_arn);
    if (!request.configured) return;
    ObjectWriter configuration(
        object.member(request.updates ? "UpdateKinesisStreamingConfiguration" : "EnableKinesisStreamingConfiguration"));
    if (request.precision) configuration.text(kPrecision, kinesis_precision_name(*request.precision));
    configuration.end();
  });
}

Result<std::string> request_body(const DescribeKinesisDestinationsRequest& request) {
  return object_text([&](ObjectWriter& object) { object.text("TableName", request.table); });
}

Result<KinesisDestinationChange> read_kinesis_change(std::string_view body, const KinesisDestinationRequest& asked) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  KinesisDestinationChange change{.table = asked.table,
                                  .stream_arn = asked.stream_arn,
                                  .configured = asked.configured,
                                  .precision = asked.precision};
  DOLMEN_TRY(change.status, read_required_name(fields, "DestinationStatus", kinesis_status_of));
  return change;
}

Result<KinesisDestinations> read_response(DescribeKinesisStreamingDestination /*operation*/, std::string_view body,
                                          const DescribeKinesisDestinationsRequest& asked) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  KinesisDestinations all{.table = asked.table, .destinations = {}};
  DOLMEN_TRY_VOID(read_objects(fields, "KinesisDataStreamDestinations", [&](const Fields& object) -> Result<void> {
    KinesisDestination destination;
    DOLMEN_TRY(destination.stream_arn, object.required<std::string_view>("StreamArn"));
    DOLMEN_TRY(destination.status, read_required_name(object, "DestinationStatus", kinesis_status_of));
    DOLMEN_TRY(const std::optional<std::string> description,
               read_optional_text(object, "DestinationStatusDescription"));
    destination.description = description.value_or("");
    DOLMEN_TRY(destination.precision, read_named(object, kPrecision, kinesis_precision_of));
    all.destinations.push_back(std::move(destination));
    return {};
  }));
  return all;
}

// ---- Global tables ----

Result<std::string> request_body(const GlobalTableRequest& request) {
  return request.json.empty() ? "{}" : request.json;
}

}  // namespace dolmen::remote
