// DescribeLimits, DescribeEndpoints.
#include <fmt/format.h>
#include <utility>

#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

Result<void> describe_limits(const Parameters& /*parameters*/, const Backend& backend, Done<std::string>& done) {
  const auto encode = [](const AccountLimits& limits) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) {
      object.number("AccountMaxReadCapacityUnits", limits.account_read_units)
          .number("AccountMaxWriteCapacityUnits", limits.account_write_units)
          .number("TableMaxReadCapacityUnits", limits.table_read_units)
          .number("TableMaxWriteCapacityUnits", limits.table_write_units);
    });
  };
  backend.service.start(DescribeLimits{}, {}, encoded<AccountLimits>(encode, std::move(done)));
  return {};
}

Result<void> describe_endpoints(const Parameters& /*parameters*/, const Backend& backend, Done<std::string>& done) {
  const auto encode = [](const EndpointList& list) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) {
      object.objects("Endpoints", list.endpoints, [](ObjectWriter& written, const Endpoint& endpoint) {
        written.text("Address", endpoint.address).number("CachePeriodInMinutes", endpoint.cache_minutes);
      });
    });
  };
  std::string reached_at = backend.reached_at.empty() ? fmt::format("dynamodb.{}.amazonaws.com", backend.account.region)
                                                      : std::string(backend.reached_at);
  backend.service.start(DescribeEndpoints{}, {.reached_at = std::move(reached_at)},
                        encoded<EndpointList>(encode, std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> account_operations() {
  static const WireOperation kAll[] = {
      {DescribeLimits::kInfo, describe_limits},
      {DescribeEndpoints::kInfo, describe_endpoints},
  };
  return kAll;
}

}  // namespace dolmen::wire
