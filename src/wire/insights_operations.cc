// UpdateContributorInsights, DescribeContributorInsights, ListContributorInsights.
#include <fmt/format.h>
#include <utility>

#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

void append_insights(ObjectWriter& object, const ContributorInsights& insights) {
  object.text("TableName", insights.table);
  if (insights.index) object.text("IndexName", *insights.index);
  object.text("ContributorInsightsStatus", insights_status_name(insights.status));
  if (insights.mode) object.text("ContributorInsightsMode", insights_mode_name(*insights.mode));
}

Result<void> update_contributor_insights(const Parameters& parameters, const Backend& backend,
                                         Done<std::string>& done) {
  UpdateContributorInsightsRequest request{
      .table = {},
      .index = parameters.string("IndexName"),
      .enable = parameters.required_string("ContributorInsightsAction") == "ENABLE"};
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  if (const auto mode = parameters.string("ContributorInsightsMode")) request.mode = insights_mode_of(*mode);
  const auto encode = [](const ContributorInsights& insights) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) { append_insights(object, insights); });
  };
  backend.service.start(UpdateContributorInsights{}, std::move(request),
                        encoded<ContributorInsights>(encode, std::move(done)));
  return {};
}

Result<void> describe_contributor_insights(const Parameters& parameters, const Backend& backend,
                                           Done<std::string>& done) {
  DescribeContributorInsightsRequest request{.table = {}, .index = parameters.string("IndexName")};
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  const auto encode = [](const ContributorInsights& insights) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) {
      append_insights(object, insights);
      if (!insights.rules.empty()) object.texts("ContributorInsightsRuleList", insights.rules);
      if (insights.changed) {
        const std::int64_t changed = insights.changed->time_since_epoch().count();
        object.json("LastUpdateDateTime", fmt::format("{}.{:03}", changed / 1000, changed % 1000));
      }
    });
  };
  backend.service.start(DescribeContributorInsights{}, std::move(request),
                        encoded<ContributorInsights>(encode, std::move(done)));
  return {};
}

Result<void> list_contributor_insights(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  ListContributorInsightsRequest request{.next_token = parameters.string("NextToken"),
                                         .limit = parameters.integer("MaxResults")};
  if (parameters.has("TableName")) {
    DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  }
  const auto encode = [](const ContributorInsightsPage& page) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) {
      object.objects("ContributorInsightsSummaries", page.insights, append_insights);
      if (page.next_token) object.text("NextToken", *page.next_token);
    });
  };
  backend.service.start(ListContributorInsights{}, std::move(request),
                        encoded<ContributorInsightsPage>(encode, std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> insights_operations() {
  static const WireOperation kAll[] = {
      {UpdateContributorInsights::kInfo, update_contributor_insights},
      {DescribeContributorInsights::kInfo, describe_contributor_insights},
      {ListContributorInsights::kInfo, list_contributor_insights},
  };
  return kAll;
}

}  // namespace dolmen::wire
