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

/// Creates the table and waits for it, unless there is one already. A table that exists with other keys or indexes is
/// kInvalidArgument; the message names the first difference.
Result<TableDescription> ensure_table(Store& store, const TableDefinition& definition, const WaitOptions& options = {});

/// How the keys and indexes of a table differ from what they should be, in words; empty when they do not. Names of
/// indexes are compared, not their order.
std::vector<std::string> differences(const TableDefinition& wanted, const TableDefinition& actual);

}  // namespace dolmen
