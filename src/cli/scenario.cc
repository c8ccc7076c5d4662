#include "cli/scenario.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/config_files.h"
#include "cli/junit.h"
#include "cli/model_files.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/store_flags.h"
#include "cli/write_file.h"
#include "config/read.h"
#include "scenario/process_driver.h"
#include "scenario/run.h"

namespace dolmen::cli {

namespace {

namespace fs = std::filesystem;
using scenario::Verdict;

struct ScenarioFlags {
  std::string models;
  std::string scenarios;
  StoreFlags store;
  std::string driver;
  std::string seed_driver;
  std::uint32_t driver_timeout_s = 60;
  bool drop_tables = false;
  bool json = false;
  std::string junit;
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

/// The models as DMS has them, for drivers.
std::vector<LogicalItem> dms_models(const std::vector<Model>& models) {
  ModelSet set;
  set.models = models;
  const LogicalValue document = dms_document(set);
  std::vector<LogicalItem> described;
  for (const LogicalValue& model : *document.get_if<LogicalItem>()->at("models").get_if<LogicalValue::List>())
    described.push_back(*model.get_if<LogicalItem>());
  return described;
}

/// The models of this program, or the command that stands for another implementation.
Result<std::unique_ptr<scenario::Driver>> driver_of(const std::string& command, const ScenarioFlags& flags,
                                                    const std::vector<Model>& models) {
  if (command.empty()) return std::make_unique<scenario::OwnDriver>();
  scenario::ProcessDriverOptions options{.command = command,
                                         .endpoint = flags.store.endpoint,
                                         .models = dms_models(models),
                                         .timeout = std::chrono::seconds(flags.driver_timeout_s)};
  return scenario::ProcessDriver::start(std::move(options));
}

/// What all scenarios are run with.
struct ScenarioSetting {
  std::vector<Model> models;
  std::unique_ptr<Store> store;
  std::unique_ptr<scenario::Driver> driver;
  std::unique_ptr<scenario::Driver> seed_driver;
  bool drop_tables = false;
};

Result<ScenarioSetting> setting_of(const ScenarioFlags& flags) {
  ScenarioSetting setting{.drop_tables = flags.drop_tables};
  DOLMEN_TRY(setting.models, models_in({flags.models}));
  DOLMEN_TRY(setting.store, open_named_store(flags.store));
  DOLMEN_TRY(setting.driver, driver_of(flags.driver, flags, setting.models));
  if (!flags.seed_driver.empty()) {
    DOLMEN_TRY(setting.seed_driver, driver_of(flags.seed_driver, flags, setting.models));
  }
  return setting;
}

ScenarioResult run_file(const fs::path& file, const ScenarioSetting& setting) {
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
  result.verdict = scenario::run(
      read.scenario, setting.models, *setting.store,
      {.drop_existing = setting.drop_tables, .driver = setting.driver.get(), .seed_driver = setting.seed_driver.get()});
  return result;
}

void print_result(const ScenarioResult& result) {
  switch (result.verdict.kind) {
    case Verdict::Kind::kPassed: fmt::print("ok    {}\n", result.name); break;
    case Verdict::Kind::kFailed: fmt::print("FAIL  {}: {}\n", result.name, result.verdict.why); break;
    case Verdict::Kind::kSkipped: fmt::print("skip  {}: {}\n", result.name, result.verdict.why); break;
  }
  std::fflush(stdout);
}

std::size_t count_of(const std::vector<ScenarioResult>& results, Verdict::Kind kind) {
  return static_cast<std::size_t>(
      std::ranges::count(results, kind, [](const auto& each) { return each.verdict.kind; }));
}

LogicalItem describe(const std::vector<ScenarioResult>& results) {
  LogicalValue::List scenarios;
  for (const ScenarioResult& result : results)
    scenarios.emplace_back(LogicalItem{{"file", result.file},
                                       {"name", result.name},
                                       {"passed", result.verdict.passed()},
                                       {"skipped", result.verdict.kind == Verdict::Kind::kSkipped},
                                       {"message", result.verdict.why}});
  return {{"passed", count_of(results, Verdict::Kind::kPassed)},
          {"failed", count_of(results, Verdict::Kind::kFailed)},
          {"skipped", count_of(results, Verdict::Kind::kSkipped)},
          {"scenarios", std::move(scenarios)}};
}

/// The folder that a scenario stands in is its group: p0, p1, p2.
Result<void> write_junit(const std::string& file, const std::vector<ScenarioResult>& results) {
  using Outcome = JUnitCase::Outcome;
  std::vector<JUnitCase> cases;
  for (const ScenarioResult& result : results) {
    const Outcome outcome = result.verdict.passed()                          ? Outcome::kPassed
                            : result.verdict.kind == Verdict::Kind::kSkipped ? Outcome::kSkipped
                                                                             : Outcome::kFailed;
    cases.push_back({.group = fs::path(result.file).parent_path().filename().string(),
                     .name = result.name,
                     .file = result.file,
                     .outcome = outcome,
                     .message = result.verdict.why});
  }
  return write_file(file, junit_report("dolmen scenario run", cases));
}

void print_summary(const std::vector<ScenarioResult>& results) {
  fmt::print("{} passed, {} failed", count_of(results, Verdict::Kind::kPassed),
             count_of(results, Verdict::Kind::kFailed));
  if (const std::size_t skipped = count_of(results, Verdict::Kind::kSkipped); skipped > 0)
    fmt::print(", {} skipped", skipped);
  fmt::print("\n");
}

/// True when no scenario failed and at least one passed: an implementation that can do nothing has not passed.
Result<bool> run_all(const ScenarioFlags& flags) {
  DOLMEN_TRY(const std::vector<fs::path> model_files, config_files_in(flags.models));
  DOLMEN_TRY(std::vector<fs::path> files, config_files_in(flags.scenarios));
  // The folder of the models may stand in that of the scenarios.
  std::erase_if(files, [&](const fs::path& file) { return is_among(model_files, file); });
  DOLMEN_TRY(const ScenarioSetting setting, setting_of(flags));
  std::vector<ScenarioResult> results;
  for (const fs::path& file : files) {
    results.push_back(run_file(file, setting));
    if (!flags.json) print_result(results.back());
  }
  if (!flags.junit.empty()) DOLMEN_TRY_VOID(write_junit(flags.junit, results));
  if (flags.json)
    print_json(describe(results));
  else
    print_summary(results);
  return count_of(results, Verdict::Kind::kFailed) == 0 && count_of(results, Verdict::Kind::kPassed) > 0;
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
  verb.text("--junit", flags->junit, "Write a report in the form of JUnit as well").shown_as("FILE").not_empty();
  verb.flag("--drop-tables", flags->drop_tables,
            "Drop tables that exist under the names that scenarios use; otherwise such a scenario fails");
  const Option driver = verb.text("--driver", flags->driver,
                                  "Command that carries out the steps, for another implementation (docs/drivers.md)")
                            .shown_as("COMMAND")
                            .not_empty();
  const Option seed_driver =
      verb.text("--seed-driver", flags->seed_driver, "Command that carries out the seed_steps of scenarios")
          .shown_as("COMMAND")
          .not_empty();
  verb.number("--driver-timeout", flags->driver_timeout_s, "Seconds that an answer of a driver may take", {1, 3600});
  flags->store.data.clear();
  const Option endpoint = add_store_flags(verb, flags->store);
  // Another program reaches neither a directory that this one has open nor its memory.
  driver.only_with(endpoint);
  seed_driver.only_with(endpoint);
  return flags;
}

}  // namespace

void add_scenario(const Verb& program) {
  const Verb verb = program.verb("scenario", "Check that a store treats models as scenario files say");
  const Verb run = verb.verb(
      "run",
      "Run scenarios, in memory unless a store is named. Each scenario creates the table that it names, and drops it");
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
