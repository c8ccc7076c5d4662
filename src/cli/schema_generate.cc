#include "cli/schema_generate.h"

#include <memory>
#include <string>

#include "cli/code_output.h"
#include "cli/print_error.h"
#include "config/read.h"
#include "dolmen/schema.h"
#include "generate/documents.h"

namespace dolmen::cli {

namespace {

struct SchemaCodeFlags {
  CodeFlags code;
  std::string namespace_name;
};

Result<int> generate_types(const SchemaCodeFlags& flags) {
  DOLMEN_TRY_VOID(check_code_flags(flags.code, flags.code.files.size()));
  std::vector<CodeOfFile> codes;
  for (const std::string& file : flags.code.files) {
    DOLMEN_TRY(const std::string text, config::read_file(file));
    DOLMEN_TRY(const Schema schema, parse_schema(text, file));
    DOLMEN_TRY(std::string code,
               generate::generate_documents(flags.code.chosen(), schema,
                                            {.source = generate::source_of(file, text),
                                             .namespace_name = code_namespace(flags.code, flags.namespace_name)}));
    codes.push_back({.file = file,
                     .text = std::move(code),
                     .report = {{"schema_id", schema.ref.id}, {"schema_version", schema.ref.version}},
                     .content = to_string(schema.ref)});
  }
  return put_code(flags.code, codes, {});
}

int run_generate(const SchemaCodeFlags& flags) {
  const Result<int> done = generate_types(flags);
  return done ? *done : report(done.error(), flags.code.json);
}

}  // namespace

void add_schema_generate(const Verb& schema) {
  auto flags = std::make_shared<SchemaCodeFlags>();
  flags->code.language.clear();
  const Verb verb = schema.verb("generate", "Write the documents of schema files as types of source code");
  verb.arguments("FILE", flags->code.files, "Schema file, in JSON").required();
  add_code_flags(verb, flags->code).required();
  verb.text("--namespace", flags->namespace_name,
            "C++: namespace of the structs. Go: name of the package; that of the folder without this option")
      .shown_as("NAME");
  verb.runs([flags] { return run_generate(*flags); });
}

}  // namespace dolmen::cli
