#include "cli/contract.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/config_files.h"
#include "cli/contract_gate.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/store_flags.h"
#include "config/read.h"
#include "scenario/run.h"

namespace dolmen::cli {

namespace {

namespace fs = std::filesystem;
using scenario::Verdict;

struct ContractFlags {
  std::string models;
  std::string scenarios;
  StoreFlags store;
  bool json = false;
};

/// One scenario file and what became of it.
struct Line {
  std::string file;
  /// The scenario's name, or the file's when it cannot be read.
  std::string name;
  Verdict verdict;
};

Result<std::vector<Model>> models_in(const std::string& folder) {
  DOLMEN_TRY(const std::vector<fs::path> files, config_files_in(folder));
  std::vector<Model> models;
  for (const fs::path& file : files) {
    DOLMEN_TRY(const ModelSet set, load_models(file));
    for (const Model& model : set.models) {
      if (std::ranges::find(models, model.name, &Model::name) != models.end())
        return fail(Code::kInvalidModel, "{}: there is another model {}", file.string(), model.name);
      models.push_back(model);
    }
  }
  return models;
}

Line run_file(const fs::path& file, const std::vector<Model>& models, Store& store) {
  Line line{.file = file.string(), .name = file.string(), .verdict = {}};
  const Result<std::string> text = config::read_file(file);
  if (!text) {
    line.verdict.why = text.error().message();
    return line;
  }
  const scenario::ReadScenario read = scenario::read_scenario(*text, line.file);
  if (!read.problems.empty()) {
    line.verdict.why = problems_text(read.problems);
    return line;
  }
  line.name = read.scenario.name;
  line.verdict = scenario::run(read.scenario, models, store);
  return line;
}

void print_line(const Line& line) {
  if (line.verdict.passed)
    fmt::print("ok    {}\n", line.name);
  else
    fmt::print("FAIL  {}: {}\n", line.name, line.verdict.why);
  std::fflush(stdout);
}

LogicalItem describe(const std::vector<Line>& lines, std::size_t passed) {
  LogicalValue::List scenarios;
  for (const Line& line : lines)
    scenarios.push_back(LogicalItem{
        {"file", line.file}, {"name", line.name}, {"passed", line.verdict.passed}, {"message", line.verdict.why}});
  return {{"passed", passed}, {"failed", lines.size() - passed}, {"scenarios", std::move(scenarios)}};
}

/// True when every scenario passed.
Result<bool> run_all(const ContractFlags& flags) {
  DOLMEN_TRY(const std::vector<Model> models, models_in(flags.models));
  DOLMEN_TRY(const std::vector<fs::path> files, config_files_in(flags.scenarios));
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_store(flags.store, "memory:"));
  std::vector<Line> lines;
  for (const fs::path& file : files) {
    lines.push_back(run_file(file, models, *store));
    if (!flags.json) print_line(lines.back());
  }
  const auto passed =
      static_cast<std::size_t>(std::ranges::count_if(lines, [](const Line& line) { return line.verdict.passed; }));
  if (flags.json)
    print_json(describe(lines, passed));
  else
    fmt::print("{} passed, {} failed\n", passed, lines.size() - passed);
  return passed == lines.size();
}

int run_contract(const ContractFlags& flags) {
  const Result<bool> passed = run_all(flags);
  if (passed) return *passed ? 0 : 1;
  print_error(passed.error());
  return 1;
}

}  // namespace

void add_contract(CLI::App& app, int& exit_code) {
  CLI::App* verb =
      app.add_subcommand("contract", "Bind tables to models, and check that a store keeps the contract of models");
  verb->require_subcommand(1);
  add_contract_gate(*verb, exit_code);
  auto flags = std::make_shared<ContractFlags>();
  CLI::App* action = verb->add_subcommand(
      "run", "Carry scenarios out, in memory unless told otherwise. Each drops and makes the table that it names");
  action->add_option("--models", flags->models, "Folder of DMS files")->required();
  action->add_option("--scenarios", flags->scenarios, "Folder of scenario files")->required();
  action->add_flag("--json", flags->json, "Print JSON");
  add_store_flags(*action, flags->store);
  action->callback([flags, &exit_code] { exit_code = run_contract(*flags); });
}

}  // namespace dolmen::cli
