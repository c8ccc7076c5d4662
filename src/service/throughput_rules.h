#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/table_update.h"

/// DynamoDB's rules for capacity. `index` is the name of the index that is meant, empty for the table itself.
namespace dolmen {

/// What a new table or index that is billed by requests is ready for.
inline constexpr WarmThroughput kOnDemandWarm{.read_units = 12'000, .write_units = 4'000};

/// What a table or index is ready for when nothing else was asked for.
WarmThroughput usual_warm(BillingMode mode, const Throughput& throughput);

/// The units must be below 10^12.
Result<void> check_throughput_bounds(const Throughput& throughput);

/// Limits must be at least 1; in an update -1 removes one.
Result<void> check_on_demand_range(const OnDemandThroughput& on_demand, std::string_view index, bool update);

/// Fails when a limit is given. `update` words it as UpdateTable does.
Result<void> refuse_on_demand(const OnDemandThroughput& on_demand, bool update);

/// Of a new table or index.
Result<void> check_new_warm(const WarmThroughput& warm, BillingMode mode, const Throughput& throughput,
                            std::string_view index);

/// What an account may ask for in a region. Fail with kLimitExceeded.
Result<void> check_account_throughput(const Throughput& throughput, std::string_view index, std::string_view region);
Result<void> check_account_on_demand(const OnDemandThroughput& on_demand, std::string_view index,
                                     std::string_view region);
Result<void> check_account_warm(const WarmThroughputUpdate& warm, std::string_view index, std::string_view region);
/// All of them, for a new table.
Result<void> check_account_limits(const TableDefinition& definition, std::string_view region);
/// All of them, for a new index.
Result<void> check_account_limits(const IndexDefinition& index, std::string_view region);

}  // namespace dolmen
