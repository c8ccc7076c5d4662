#include "cli/model.h"

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

/// Reads a file. A file that cannot be read at all has a problem at its beginning.
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

void add_model(const Verb& program) {
  const Verb verb = program.verb("model", "Check, show and generate code from models (DMS files)");
  const auto add = [&](const char* name, const char* help, int (*run)(const ModelFlags&)) {
    auto flags = std::make_shared<ModelFlags>();
    const Verb added = verb.verb(name, help);
    added.flag("--json", flags->json, "Print JSON");
    added.runs([flags, run] { return run(*flags); });
    return std::pair(added, flags);
  };
  constexpr const char* kFile = "DMS file, in YAML or JSON";
  const auto [checking, check_flags] = add("check", "Show everything that is wrong with DMS files", check);
  checking.arguments("FILE", check_flags->files, kFile).required();
  const auto [showing, show_flags] = add("show", "Print the models of a DMS file: keys, attributes, indexes", show);
  showing.text("FILE", show_flags->files.emplace_back(), kFile).required();

  auto flags = std::make_shared<ModelDiffFlags>();
  const Verb diff = verb.verb("diff", "Compare live tables with the models of a DMS file");
  diff.text("FILE", flags->file, kFile).required();
  diff.flag("--json", flags->json, "Print JSON");
  add_store_flags(diff, flags->store);
  diff.runs([flags] { return diff_models(*flags); });
  add_model_generate(verb);
}

}  // namespace dolmen::cli
