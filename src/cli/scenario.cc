#include "cli/scenario.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/config_files.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/store_flags.h"
#include "config/read.h"
#include "scenario/run.h"

namespace dolmen::cli {

namespace {

namespace fs = std::filesystem;
using scenario::Verdict;

struct ScenarioFlags {
  std::string models;
  std::string scenarios;
  StoreFlags store;
  bool json = false;
};

/// One scenario file and its result.
struct ScenarioResult {
  std::string file;
  /// The scenario's name, or the file's when it cannot be read.
  std::string name;
  Verdict verdict;
};

bool is_among(const std::vector<fs::path>& files, const fs::path& file) {
  std::error_code ignored;
  return std::ranges::any_of(files, [&](const fs::path& each) { return fs::equivalent(each, file, ignored); });
}

/// A store in memory unless the flags name one: scenarios drop tables.
Result<std::unique_ptr<Store>> open_named_store(StoreFlags flags) {
  if (flags.data.empty() && flags.endpoint.empty()) flags.memory = true;
  return open_or_create_store(flags);
}

Result<std::vector<Model>> read_all_models(const std::vector<fs::path>& files) {
  std::vector<Model> models;
  for (const fs::path& file : files) {
    DOLMEN_TRY(const ModelSet set, load_models(file));
    for (const Model& model : set.models) {
      if (std::ranges::find(models, model.name, &Model::name) != models.end())
        return fail(Code::kInvalidModel, "{}: another file has a model \"{}\" too; give each model one name",
                    file.string(), model.name);
      models.push_back(model);
    }
  }
  return models;
}

ScenarioResult run_file(const fs::path& file, const std::vector<Model>& models, Store& store) {
  ScenarioResult result{.file = file.string(), .name = file.string(), .verdict = {}};
  const Result<std::string> text = config::read_file(file);
  if (!text) {
    result.verdict.why = text.error().message();
    return result;
  }
  const scenario::ReadScenario read = scenario::read_scenario(*text, result.file);
  if (!read.problems.empty()) {
    result.verdict.why = problems_text(read.problems);
    return result;
  }
  result.name = read.scenario.name;
  result.verdict = scenario::run(read.scenario, models, store);
  return result;
}

void print_result(const ScenarioResult& result) {
  if (result.verdict.passed)
    fmt::print("ok    {}\n", result.name);
  else
    fmt::print("FAIL  {}: {}\n", result.name, result.verdict.why);
  std::fflush(stdout);
}

LogicalItem describe(const std::vector<ScenarioResult>& results, std::size_t passed) {
  LogicalValue::List scenarios;
  for (const ScenarioResult& result : results)
    scenarios.emplace_back(LogicalItem{{"file", result.file},
                                       {"name", result.name},
                                       {"passed", result.verdict.passed},
                                       {"message", result.verdict.why}});
  return {{"passed", passed}, {"failed", results.size() - passed}, {"scenarios", std::move(scenarios)}};
}

/// True when every scenario passed.
Result<bool> run_all(const ScenarioFlags& flags) {
  DOLMEN_TRY(const std::vector<fs::path> model_files, config_files_in(flags.models));
  DOLMEN_TRY(const std::vector<Model> models, read_all_models(model_files));
  DOLMEN_TRY(std::vector<fs::path> files, config_files_in(flags.scenarios));
  // The folder of the models may stand in that of the scenarios.
  std::erase_if(files, [&](const fs::path& file) { return is_among(model_files, file); });
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_named_store(flags.store));
  std::vector<ScenarioResult> results;
  for (const fs::path& file : files) {
    results.push_back(run_file(file, models, *store));
    if (!flags.json) print_result(results.back());
  }
  const auto passed = static_cast<std::size_t>(
      std::ranges::count_if(results, [](const ScenarioResult& result) { return result.verdict.passed; }));
  if (flags.json)
    print_json(describe(results, passed));
  else
    fmt::print("{} passed, {} failed\n", passed, results.size() - passed);
  return passed == results.size();
}

int run_scenarios(const ScenarioFlags& flags) {
  const Result<bool> passed = run_all(flags);
  if (!passed) return report(passed.error(), flags.json);
  return *passed ? kDone : kFailed;
}

std::shared_ptr<ScenarioFlags> add_flags(const Verb& verb) {
  auto flags = std::make_shared<ScenarioFlags>();
  verb.text("--models", flags->models, "DMS file, or a folder of them").shown_as("FOLDER").required();
  verb.text("--scenarios", flags->scenarios, "Scenario file, or a folder of them").shown_as("FOLDER").required();
  verb.flag("--json", flags->json, "Print JSON");
  flags->store.data.clear();
  add_store_flags(verb, flags->store);
  return flags;
}

}  // namespace

void add_scenario(const Verb& program) {
  const Verb verb = program.verb("scenario", "Check that a store treats models as scenario files say");
  const Verb run = verb.verb(
      "run",
      "Run scenarios, in memory unless a store is named. Each scenario drops and creates the table that it names");
  run.runs([flags = add_flags(run)] { return run_scenarios(*flags); });
}

void add_former_contract_run(const Verb& contract) {
  const Verb run = contract.verb("run", "The former name of \"dolmen scenario run\"").hidden();
  run.runs([flags = add_flags(run)] {
    fmt::print(stderr, "dolmen: \"dolmen contract run\" is now called \"dolmen scenario run\"\n");
    return run_scenarios(*flags);
  });
}

}  // namespace dolmen::cli
