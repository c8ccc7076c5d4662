#include "cli/model.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "cli/check_files.h"
#include "cli/model_diff.h"
#include "cli/model_generate.h"
#include "cli/model_view.h"
#include "cli/print_json.h"
#include "config/read.h"
#include "model/loader.h"

namespace dolmen::cli {

namespace {

struct ModelFlags {
  std::vector<std::string> files;
  bool json = false;
};

/// Reads a file. What is wrong with the file as such, and not with what it says, is a problem at its beginning.
LoadedModels load(const std::string& file) {
  const Result<std::string> text = config::read_file(file);
  if (text) return read_models(*text, file);
  return {.set = {}, .problems = {{{}, "", "file", text.error().message()}}};
}

int check(const ModelFlags& flags) {
  std::size_t models = 0;
  std::vector<CheckedFile> checked;
  for (const std::string& file : flags.files) {
    LoadedModels loaded = load(file);
    models += loaded.set.models.size();
    checked.push_back({file, std::move(loaded.problems)});
  }
  return report_check(checked, {.json = flags.json, .content = counted(models, "model", "models")});
}

int show(const ModelFlags& flags) {
  const std::string& file = flags.files.front();
  const LoadedModels loaded = load(file);
  if (!loaded.problems.empty()) return check(flags);
  if (flags.json) {
    LogicalValue::List models;
    for (const Model& model : loaded.set.models) models.push_back(describe_model(model));
    return print_json(LogicalItem{{"namespace", loaded.set.namespace_name}, {"models", std::move(models)}}) ? 0 : 1;
  }
  if (!loaded.set.namespace_name.empty()) fmt::print("namespace {}\n\n", loaded.set.namespace_name);
  for (const Model& model : loaded.set.models)
    fmt::print("{}{}", &model == loaded.set.models.data() ? "" : "\n", render_model(model));
  return 0;
}

}  // namespace

void add_model(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("model", "Check, show and generate code from models (DMS files)");
  verb->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, int most, int (*run)(const ModelFlags&)) {
    auto flags = std::make_shared<ModelFlags>();
    CLI::App* action = verb->add_subcommand(name, help);
    action->add_option("FILE", flags->files, "DMS file, in YAML or JSON")->required()->expected(1, most);
    action->add_flag("--json", flags->json, "Print JSON");
    action->callback([flags, run, &exit_code] { exit_code = run(*flags); });
  };
  add("check", "Say everything that is wrong with DMS files", 10'000, check);
  add("show", "Print the models of a DMS file: keys, attributes, indexes", 1, show);

  auto flags = std::make_shared<ModelDiffFlags>();
  CLI::App* diff = verb->add_subcommand("diff", "Compare live tables with what the models of a DMS file want");
  diff->add_option("FILE", flags->file, "DMS file, in YAML or JSON")->required();
  diff->add_flag("--json", flags->json, "Print JSON");
  add_store_flags(*diff, flags->store);
  diff->callback([flags, &exit_code] { exit_code = diff_models(*flags); });
  add_model_generate(*verb, exit_code);
}

}  // namespace dolmen::cli
