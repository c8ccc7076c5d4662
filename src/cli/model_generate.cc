#include "cli/model_generate.h"

#include <filesystem>
#include <memory>
#include <string>

#include "base/fail.h"
#include "cli/check_files.h"
#include "cli/code_output.h"
#include "cli/config_files.h"
#include "cli/print_error.h"
#include "config/read.h"

namespace dolmen::cli {

namespace {

struct GenerateFlags {
  CodeFlags code;
  std::string namespace_name;
};

Result<CodeOfFile> code_of(const GenerateFlags& flags, const std::string& file) {
  DOLMEN_TRY(const std::string text, config::read_file(file));
  DOLMEN_TRY(const ModelSet set, parse_models(text, file));
  DOLMEN_TRY(generate::GeneratedCode code,
             generate::generate_models(flags.code.chosen(), set,
                                       {.source = generate::source_of(file, text),
                                        .namespace_name = code_namespace(flags.code, flags.namespace_name)}));
  LogicalValue::List models;
  for (const generate::GeneratedModel& model : code.models)
    models.emplace_back(LogicalItem{{"model", model.model}, {"type", model.type_name}, {"rules", model.rules_name}});
  const std::string content = counted(models.size(), "model", "models");
  return CodeOfFile{
      .file = file, .text = std::move(code.text), .report = {{"models", std::move(models)}}, .content = content};
}

Result<int> generate_code(const GenerateFlags& flags) {
  std::vector<std::string> files;
  for (const std::string& name : flags.code.files) {
    DOLMEN_TRY(const auto inside, config_files_in(name));
    for (const std::filesystem::path& file : inside) files.push_back(file.string());
  }
  DOLMEN_TRY_VOID(check_code_flags(flags.code, files.size()));
  std::vector<CodeOfFile> codes;
  for (const std::string& file : files) {
    DOLMEN_TRY(codes.emplace_back(), code_of(flags, file));
  }
  return put_code(flags.code, codes,
                  generate::support_files(flags.code.chosen(), code_namespace(flags.code, flags.namespace_name)));
}

int run(const GenerateFlags& flags) {
  const Result<int> done = generate_code(flags);
  return done ? *done : report(done.error(), flags.code.json);
}

}  // namespace

void add_model_generate(const Verb& model) {
  auto flags = std::make_shared<GenerateFlags>();
  flags->code.language.clear();
  const Verb verb = model.verb("generate", "Write the models of DMS files as source code");
  verb.arguments("FILE", flags->code.files, "DMS file, in YAML or JSON, or a folder of them").required();
  add_code_flags(verb, flags->code).required();
  flags->code.has_support = true;
  verb.text("--namespace", flags->namespace_name,
            "C++: namespace of the structs, such as acme::accounts, or :: for none; that of the file without this "
            "option. Go: name of the package; that of the folder without this option")
      .shown_as("NAME");
  verb.runs([flags] { return run(*flags); });
}

}  // namespace dolmen::cli
