#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/model/model.h"
#include "dolmen/store.h"
#include "scenario/driver.h"
#include "scenario/scenario.h"

namespace dolmen::scenario {

/// What became of a scenario.
struct Verdict {
  enum class Kind : std::uint8_t { kPassed, kFailed, kSkipped };
  Kind kind = Kind::kFailed;
  /// The step that did not do what it should, counted from 1, and what it did instead; or why it was skipped.
  std::string why;

  [[nodiscard]] bool passed() const { return kind == Kind::kPassed; }
};

struct RunOptions {
  /// Drop a table that exists under the name of the scenario's. Otherwise the scenario fails and the table stays.
  bool drop_existing = false;
  /// Carries out the steps.
  Driver* driver = nullptr;
  /// Carries out the steps that seed; the driver when it is null.
  Driver* seed_driver = nullptr;
};

/// Makes the scenario's table from the models that its steps name, and carries the steps out up to the first that does
/// not do what is expected. The table is dropped afterwards, unless it was not made here. Time stands still but for
/// steps, which take a millisecond, and for the op `sleep`. Encrypted attributes get keys that are the same in every
/// run. A scenario that a driver cannot carry out is skipped.
Verdict run(const Scenario& scenario, const std::vector<Model>& models, Store& store, const RunOptions& options);

}  // namespace dolmen::scenario
