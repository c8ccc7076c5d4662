#pragma once

#include <optional>
#include <string>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/table_update.h"
#include "wire/parameters.h"

/// Settings that CreateTable and UpdateTable have in common.
namespace dolmen::wire {

/// The settings of CreateTable besides keys, indexes and billing, which must have been read before.
Result<void> read_table_settings(const Parameters& parameters, TableDefinition& definition);

/// TableClass.
Result<TableClass> read_table_class(std::string_view name);

/// SSESpecification; nothing when it asks for nothing.
Result<std::optional<EncryptionUpdate>> read_encryption(const Parameters& specification);

/// ProvisionedThroughput, OnDemandThroughput and WarmThroughput of a table or an index.
std::optional<Throughput> read_throughput(const Parameters& parameters);
std::optional<OnDemandThroughput> read_on_demand(const Parameters& parameters);
std::optional<WarmThroughputUpdate> read_warm(const Parameters& parameters);

/// What a new table or index is to be ready for. What is not given is as usual.
std::optional<WarmThroughput> read_new_warm(const Parameters& parameters, BillingMode mode,
                                            const Throughput& throughput);

}  // namespace dolmen::wire
