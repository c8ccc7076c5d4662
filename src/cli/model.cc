#include "cli/model.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "cli/model_diff.h"
#include "cli/model_generate.h"
#include "cli/model_view.h"
#include "cli/print_json.h"
#include "config/read.h"
#include "model/loader.h"

namespace dolmen::cli {

namespace {

using config::Problem;

struct ModelFlags {
  std::vector<std::string> files;
  bool json = false;
};

/// Prints one line for each problem, with the messages under each other.
void print_problems(const std::string& file, const std::vector<Problem>& problems) {
  std::size_t width = 0;
  std::vector<std::string> places;
  for (const Problem& problem : problems) {
    places.push_back(fmt::format("{}:{}:{}:", file, problem.position.line, problem.position.column));
    width = std::max(width, places.back().size());
  }
  for (std::size_t i = 0; i < problems.size(); ++i)
    fmt::print("{:<{}} error: {}\n", places[i], width, problems[i].message);
}

LogicalValue describe_problems(const std::vector<Problem>& problems) {
  LogicalValue::List list;
  for (const Problem& problem : problems)
    list.push_back(LogicalItem{{"line", problem.position.line},
                               {"column", problem.position.column},
                               {"path", problem.path},
                               {"rule", problem.rule},
                               {"message", problem.message}});
  return list;
}

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

/// Reads a file. What is wrong with the file as such, and not with what it says, is a problem at its beginning.
LoadedModels load(const std::string& file) {
  const Result<std::string> text = config::read_file(file);
  if (text) return read_models(*text, file);
  return {.set = {}, .problems = {{{}, "", "file", text.error().message()}}};
}

int check(const ModelFlags& flags) {
  std::size_t errors = 0;
  std::size_t models = 0;
  LogicalValue::List files;
  for (const std::string& file : flags.files) {
    const LoadedModels loaded = load(file);
    errors += loaded.problems.size();
    models += loaded.set.models.size();
    if (flags.json) {
      files.push_back(LogicalItem{{"file", file}, {"errors", describe_problems(loaded.problems)}});
    } else {
      print_problems(file, loaded.problems);
    }
  }
  if (flags.json) {
    print_json(LogicalItem{{"errors", errors}, {"files", std::move(files)}});
  } else if (errors > 0) {
    fmt::print("{}, nothing was changed\n", plural(errors, "error"));
  } else {
    fmt::print("{} in {}, no errors\n", plural(models, "model"), plural(flags.files.size(), "file"));
  }
  return errors > 0 ? 1 : 0;
}

int show(const ModelFlags& flags) {
  const std::string& file = flags.files.front();
  const LoadedModels loaded = load(file);
  if (!loaded.problems.empty()) return check(flags);
  if (flags.json) {
    LogicalValue::List models;
    for (const Model& model : loaded.set.models) models.push_back(describe_model(model));
    print_json(LogicalItem{{"namespace", loaded.set.namespace_name}, {"models", std::move(models)}});
    return 0;
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
