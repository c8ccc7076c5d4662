#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"
#include "dolmen/model/logical_value.h"

/// Scenarios: what a program does to the items of a model, step by step, and what must come of it. Written as data, so
/// that every implementation of DMS can run the same ones. docs/scenarios.md describes the form.
namespace dolmen::scenario {

struct Scenario {
  std::string name;
  std::string model;
  /// Made from the models of the steps before the first step. The model's own when it is empty.
  std::string table;
  /// What an implementation must be able to do; without one of them the scenario is skipped.
  std::vector<std::string> capabilities;
  /// Of the keys for encrypted attributes; without it there are none.
  std::optional<std::string> key_seed;
  /// Carried out before the others, by an implementation that may be another one.
  std::vector<LogicalItem> seed_steps;
  /// In the plain form (plain_form.h); their `op` is known, and so are the names of everything in them.
  std::vector<LogicalItem> steps;
};

struct ReadScenario {
  /// Good only when there are no problems.
  Scenario scenario;
  std::vector<config::Problem> problems;
};

/// Reads YAML, or JSON when the file name ends in .json.
ReadScenario read_scenario(std::string_view text, std::string_view file_name);

}  // namespace dolmen::scenario
