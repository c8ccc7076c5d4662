#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "contract/definition.h"
#include "dolmen/store.h"

namespace dolmen::cli {

struct StoredCheck {
  std::string table;
  std::string version;
  contract::Definition definition;
  /// Stop after so many violations.
  std::optional<std::uint64_t> limit = std::nullopt;
  /// The `next` of an earlier check; the beginning when it is empty.
  std::string start = {};
};

struct StoredCheckResult {
  std::uint64_t checked = 0;
  std::uint64_t violating = 0;
  /// Where to go on; empty when all items have been looked at.
  std::string next = {};
};

/// Holds the items of a table against a contract, page by page and without the help of the store, which need not know
/// contracts. Calls `found` with what the contract says of each item that breaks it. Fails as the store and
/// contract::Rules::make do.
Result<StoredCheckResult> check_stored(Store& store, const StoredCheck& check,
                                       const std::function<void(const std::string& message)>& found);

}  // namespace dolmen::cli
