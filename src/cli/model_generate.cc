#include "cli/model_generate.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "cli/print_error.h"
#include "cli/write_file.h"
#include "dolmen/model/logical_value.h"
#include "model/generate_cpp.h"

namespace dolmen::cli {

namespace {

struct GenerateFlags {
  std::string file;
  std::string language;
  std::string output;
  std::string namespace_name;
  bool json = false;
};

/// What was generated, for programs; with the text itself unless it went into a file.
LogicalValue describe(const GenerateFlags& flags, const CppHeader& header) {
  LogicalValue::List models;
  for (const CppModel& model : header.models)
    models.emplace_back(
        LogicalItem{{"model", model.model}, {"struct", model.struct_name}, {"function", model.function_name}});
  LogicalItem report{{"file", flags.file}, {"language", flags.language}, {"models", std::move(models)}};
  if (flags.output.empty())
    report.emplace("text", header.text);
  else
    report.emplace("output", flags.output);
  return report;
}

Result<void> generate(const GenerateFlags& flags) {
  DOLMEN_TRY(const ModelSet set, load_models(flags.file));
  DOLMEN_TRY(const CppHeader header,
             generate_cpp(set, {.file_name = std::filesystem::path(flags.file).filename().string(),
                                .namespace_name = flags.namespace_name}));
  if (!flags.output.empty()) DOLMEN_TRY_VOID(write_file(flags.output, header.text));
  if (flags.json) {
    DOLMEN_TRY(const std::string json, canonical_json(describe(flags, header)));
    fmt::print("{}\n", json);
  } else if (flags.output.empty()) {
    fmt::print("{}", header.text);
  } else {
    fmt::print("{}: {} model{} of {}\n", flags.output, header.models.size(), header.models.size() == 1 ? "" : "s",
               flags.file);
  }
  return {};
}

int run(const GenerateFlags& flags) {
  const Result<void> done = generate(flags);
  return done ? kDone : report(done.error(), flags.json);
}

}  // namespace

void add_model_generate(const Verb& model) {
  auto flags = std::make_shared<GenerateFlags>();
  const Verb verb = model.verb("generate", "Write the models of a DMS file as source code");
  verb.text("FILE", flags->file, "DMS file, in YAML or JSON").required();
  verb.text("--lang", flags->language, "Language of the code: cpp, a header with a struct for each model")
      .one_of({"cpp"})
      .required();
  verb.text("--output", flags->output, "File to write; the standard output without this option").shown_as("FILE");
  verb.text(
          "--namespace", flags->namespace_name,
          "C++ namespace of the structs, such as acme::accounts, or :: for none; that of the file without this option")
      .shown_as("NAME");
  verb.flag("--json", flags->json, "Print JSON: the generated names, and the code unless --output is given");
  verb.runs([flags] { return run(*flags); });
}

}  // namespace dolmen::cli
