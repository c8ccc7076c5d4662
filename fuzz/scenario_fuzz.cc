// Scenarios: any text is read or has problems in lines that it has; what YAML and JSON both accept is the same
// scenario.
#include <algorithm>

#include "fuzz/fuzz.h"
#include "scenario/scenario.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz_input(data, size);
  const scenario::ReadScenario yaml = scenario::read_scenario(text, "scenario.yml");
  const scenario::ReadScenario json = scenario::read_scenario(text, "scenario.json");
  const auto lines = std::ranges::count_if(text, [](char c) { return c == '\n' || c == '\r'; }) + 1;
  for (const auto* read : {&yaml, &json})
    for (const config::Problem& problem : read->problems)
      DOLMEN_CHECK(problem.position.line >= 1 && problem.position.line <= lines, "a problem is in a line that exists");
  if (yaml.problems.empty()) DOLMEN_CHECK(!yaml.scenario.name.empty(), "a scenario has a name");
  if (yaml.problems.empty() && json.problems.empty())
    DOLMEN_CHECK(yaml.scenario.name == json.scenario.name && yaml.scenario.steps == json.scenario.steps &&
                     yaml.scenario.seed_steps == json.scenario.seed_steps,
                 "JSON means the same in YAML");
  return 0;
}
