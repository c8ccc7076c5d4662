#include "cli/model.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "cli/check_files.h"
#include "cli/config_files.h"
#include "cli/model_compat.h"
#include "cli/model_generate.h"
#include "cli/model_tables.h"
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

/// The files themselves, and those of folders. What cannot be listed stays, so that reading it says why.
std::vector<std::string> files_of(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    const auto inside = config_files_in(name);
    if (!inside)
      files.push_back(name);
    else
      for (const std::filesystem::path& file : *inside) files.push_back(file.string());
  }
  return files;
}

int check(const ModelFlags& flags) {
  std::size_t models = 0;
  std::vector<CheckedFile> checked;
  for (const std::string& file : files_of(flags.files)) {
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
  if (flags.json) return print_json(dms_document(loaded.set)) ? 0 : 1;
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
  checking.arguments("FILE", check_flags->files, "DMS file, or a folder of them").required();
  const auto [showing, show_flags] = add("show", "Print the models of a DMS file: keys, attributes, indexes", show);
  showing.text("FILE", show_flags->files.emplace_back(), kFile).required();

  add_model_tables(verb);
  add_model_compat(verb);
  add_model_generate(verb);
}

}  // namespace dolmen::cli
