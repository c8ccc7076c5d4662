#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/store.h"
#include "dolmen/table.h"

/// Tables elsewhere take a while to come and go; these wait for it.
namespace dolmen {

struct WaitOptions {
  std::chrono::milliseconds interval{1000};
  std::chrono::milliseconds timeout{300'000};
  /// Waits; a test puts its own clock here.
  Sleep sleep = {};
};

/// Returns when the table and its indexes can be used. Fails with kTableNotFound, kTimeout.
Result<TableDescription> wait_until_active(Store& store, const std::string& name, const WaitOptions& options = {});

/// Returns when there is no such table. Fails with kTimeout.
Result<void> wait_until_deleted(Store& store, const std::string& name, const WaitOptions& options = {});

/// Creates the table and waits for it, unless there is one already. A table that exists with other keys or indexes, or
/// with a time to live of another attribute, is kInvalidArgument; the message names the first difference. A table
/// without a time to live gets that of the definition.
Result<TableDescription> ensure_table(Store& store, const TableDefinition& definition, const WaitOptions& options = {});

/// How the keys, indexes and time to live of a table differ from what they should be, in words; empty when they do not.
/// Names of indexes are compared, not their order. A description has no time to live; see `described_definition`.
std::vector<std::string> differences(const TableDefinition& wanted, const TableDefinition& actual);

/// The definition of an existing table with its time to live, which takes a call of its own.
Result<TableDefinition> described_definition(Store& store, const std::string& name);

}  // namespace dolmen
