#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"
#include "dolmen/model/logical_value.h"

/// Scenarios: what a program does to the items of a model, step by step, and what must come of it. Written as data, so
/// that every implementation of DMS can run the same ones. docs/models.md describes the form.
namespace dolmen::scenario {

struct Scenario {
  std::string name;
  std::string model;
  /// Made anew from the model before the first step.
  std::string table;
  /// As they stand in the file; their `op` is known, and so are the names of everything in them.
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
