#pragma once

#include <optional>
#include <string>

#include "dolmen/error.h"
#include "dolmen/model/encryption.h"
#include "dolmen/store.h"
#include "upkeep/drift_rules.h"

namespace dolmen::upkeep {

/// Whether any of the findings can be mended.
bool is_mendable(const DriftRules::Verdict& verdict);

/// What became of an item.
struct MendOutcome {
  /// What was wrong with the item as it was last read. Empty when somebody else has mended or removed it.
  DriftRules::Verdict verdict;
  /// Everything in the verdict that can be mended was.
  bool mended = false;
  /// Why the store refused the change; empty when it did not.
  std::string refusal = {};
};

/// Mends items of a table. Thread-safe.
class Mender {
 public:
  /// All must outlive it; `keys` may be null.
  Mender(Store& store, const TableDefinition& table, const DriftRules& rules, KeyProvider* keys)
      : store_(store), table_(table), rules_(rules), keys_(keys) {}

  /// Reads the item again, and tries again, when somebody has changed it since it was read. Fails when the store or the
  /// keys cannot be reached.
  Result<MendOutcome> mend(Item item, DriftRules::Verdict verdict);

 private:
  Store& store_;
  const TableDefinition& table_;
  const DriftRules& rules_;
  KeyProvider* keys_;
};

}  // namespace dolmen::upkeep
