#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "dolmen/error.h"
#include "dolmen/store.h"
#include "transfer/table_walk.h"
#include "upkeep/drift_report.h"
#include "upkeep/drift_rules.h"

/// Whether the items that are stored in a table are what its models say.
namespace dolmen::upkeep {

/// What is done about findings that can be mended.
enum class Fix : std::uint8_t { kNo, kDryRun, kYes };

struct DriftScan {
  const DriftRules& rules;
  /// Used for Mend::kEncrypt; null when there are none.
  KeyProvider* keys = nullptr;
  Fix fix = Fix::kNo;
  transfer::WalkOptions walk = {};
};

struct DriftResult {
  DriftReport report;
  transfer::WalkResult walk;
};

/// Reads all items of a table and says what is wrong with them. With Fix::kYes it mends what can be mended, each item
/// by one update that is only carried out while the attributes are what was read: whoever writes at the same time wins,
/// and the item is looked at again. Nothing but the mended attributes changes: no version, no time.
///
/// An item that the store refuses to change, because of a contract for example, is reported and left.
Result<DriftResult> scan_for_drift(Store& store, const TableDescription& table, const DriftScan& scan);

/// What happened to one item of a stream.
using ChangeSeen = std::function<void(const std::string& key, const DriftRules::Verdict& verdict, bool mended)>;

struct DriftWatch {
  /// Ends when no change has come for so long; 0 means never.
  std::chrono::milliseconds idle{0};
  /// Asked often; true ends it.
  std::function<bool()> stopped = {};
  /// Called for each change that left an item with findings.
  ChangeSeen seen = {};
};

/// Looks at each change as it comes. Items are mended as by `scan_for_drift`. Returns what the changes had; the same
/// item counts once for each of its changes.
Result<DriftReport> watch_for_drift(Store& store, const TableDescription& table, StreamRange& changes,
                                    const DriftScan& scan, const DriftWatch& watch);

}  // namespace dolmen::upkeep
