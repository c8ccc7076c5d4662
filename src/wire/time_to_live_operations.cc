// UpdateTimeToLive, DescribeTimeToLive.
#include <utility>

#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

Result<void> update_time_to_live(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string table, read_table_name(parameters, backend));
  const Parameters specification = *parameters.structure("TimeToLiveSpecification");
  UpdateTimeToLiveRequest request{.table = std::move(table),
                                  .change = {.attribute = specification.required_string("AttributeName"),
                                             .enabled = specification.boolean("Enabled", false)}};
  const auto encode = [](const TimeToLiveChange& change) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    ObjectWriter set(object.member("TimeToLiveSpecification"));
    set.text("AttributeName", change.attribute).flag("Enabled", change.enabled);
    set.end();
    object.end();
    return body;
  };
  backend.service.start(UpdateTimeToLive{}, std::move(request), encoded<TimeToLiveChange>(encode, std::move(done)));
  return {};
}

Result<void> describe_time_to_live(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string table, read_table_name(parameters, backend));
  const auto encode = [](const TimeToLive& description) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    ObjectWriter described(object.member("TimeToLiveDescription"));
    if (description.attribute) described.text("AttributeName", *description.attribute);
    described.text("TimeToLiveStatus", time_to_live_status_name(description.status));
    described.end();
    object.end();
    return body;
  };
  backend.service.start(DescribeTimeToLive{}, {.table = std::move(table)},
                        encoded<TimeToLive>(encode, std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> time_to_live_operations() {
  static const WireOperation kAll[] = {
      {UpdateTimeToLive::kInfo, update_time_to_live},
      {DescribeTimeToLive::kInfo, describe_time_to_live},
  };
  return kAll;
}

}  // namespace dolmen::wire
