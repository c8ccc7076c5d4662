#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/model/model_table.h"
#include "dolmen/model/transaction.h"

namespace dolmen::scenario {

/// What the steps of a scenario share.
struct World {
  Store& store;
  ModelTable& table;
  Timestamp& now;
  /// What `save` and `save_cursor` have kept.
  std::map<std::string, LogicalValue, std::less<>> variables = {};
};

/// What came of a step.
struct Outcome {
  std::optional<Error> error = std::nullopt;
  /// The item that the step was about; empty when it was about many.
  LogicalItem key = {};
  /// What a step that reads many returned.
  std::vector<LogicalItem> items = {};
  std::string cursor = {};
};

/// Carries a step out. An error in the outcome is what the scenario may expect; an error instead of an outcome is a
/// mistake of the scenario.
Result<Outcome> carry_out(const LogicalItem& step, World& world);

/// Compares the outcome, and the item that is then stored, with what `expect` says. Without `expect` the step must
/// succeed. Fails with kInvalidArgument and what is different.
Result<void> check(const LogicalItem& expect, const Outcome& outcome, World& world);

}  // namespace dolmen::scenario
