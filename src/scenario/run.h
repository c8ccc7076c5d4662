#pragma once

#include <string>
#include <vector>

#include "dolmen/model/model.h"
#include "dolmen/store.h"
#include "scenario/scenario.h"

namespace dolmen::scenario {

/// What became of a scenario.
struct Verdict {
  bool passed = false;
  /// The step that did not do what it should, counted from 1, and what it did instead.
  std::string why;
};

/// Drops the scenario's table, makes it from the model, and carries the steps out up to the first that does not do what
/// is expected. The table is dropped afterwards as well. Time stands still but for steps, which take a millisecond, and
/// for the op `sleep`. Encrypted attributes get keys that are the same in every run.
Verdict run(const Scenario& scenario, const std::vector<Model>& models, Store& store);

}  // namespace dolmen::scenario
