// The code of the languages other than C++. tests/system/generated_code_test.py compiles and runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "config/read.h"
#include "generate/models.h"

namespace dolmen::generate {
namespace {

using testing::HasSubstr;

struct Kept {
  Language language;
  std::string folder;
  std::string ending;
  std::string namespace_name = {};
};

TEST(GenerateModels, gives_the_code_that_is_kept) {
  for (const Kept& kept : {Kept{Language::kTypeScript, "ts", ".ts"}, Kept{Language::kPython, "python", ".py"},
                           Kept{Language::kGo, "go", "_model.go", "models"}})
    for (const std::string file : {"tests/models/doc", "tests/models/hard_names", "tests/models/release",
                                   "tests/models/user", "contract/models/sample"}) {
      const std::string path = file + ".yml";
      const std::string code = "tests/generated/kept/" + kept.folder + file.substr(file.rfind('/')) + kept.ending;
      const Result<GeneratedCode> made = generate_models(
          kept.language, load_models(path).value(),
          {.source = source_of(path, config::read_file(path).value()), .namespace_name = kept.namespace_name});
      EXPECT_EQ(made.value().text, config::read_file(code).value()) << code;
    }
}

TEST(GenerateModels, breaks_a_type_of_typescript_only_when_it_is_wider_than_a_line) {
  const auto code = [](std::size_t letters) {
    const Model model{.name = "M",
                      .table = "tab",
                      .partition_key = {"pk", KeyType::kString},
                      .attributes = {{.name = "pk", .type = Type::kString},
                                     {.name = std::string(letters, 'a'), .type = Type::kString},
                                     {.name = std::string(35, 'b'), .type = Type::kString},
                                     {.name = "v", .type = Type::kNumber, .roles = {{.role = Role::kVersion}}}}};
    return generate_models(Language::kTypeScript, {.namespace_name = {}, .models = {model}},
                           {.source = {.file_name = "m.yml", .sha256 = "0"}})
        .value()
        .text;
  };
  const auto quoted = [](std::size_t letters, char letter) { return '"' + std::string(letters, letter) + '"'; };
  EXPECT_THAT(code(35), HasSubstr("export type MField =\n  " + quoted(35, 'a') + " | " + quoted(35, 'b') + ";\n"));
  EXPECT_THAT(code(36), HasSubstr("export type MField =\n  | " + quoted(36, 'a') + "\n  | " + quoted(35, 'b') + ";\n"));
}

}  // namespace
}  // namespace dolmen::generate
