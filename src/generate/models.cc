#include "generate/models.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "base/fail.h"
#include "generate/cpp_models.h"
#include "generate/go_models.h"
#include "generate/names.h"
#include "generate/python_models.h"
#include "generate/support.h"
#include "generate/typescript_models.h"
#include "schema/digest.h"

namespace dolmen::generate {

namespace {

struct LanguageNames {
  std::string_view name;
  std::string_view extension;
};

/// In the order of Language.
constexpr auto kLanguages =
    std::to_array<LanguageNames>({{"cpp", ".h"}, {"ts", ".ts"}, {"go", ".go"}, {"python", ".py"}});

constexpr auto kGoKeywords = std::to_array<std::string_view>(
    {"break",   "case",  "chan",   "const",  "continue", "default", "defer",     "else", "fallthrough",
     "for",     "func",  "go",     "goto",   "if",       "import",  "interface", "main", "map",
     "package", "range", "return", "select", "struct",   "switch",  "type",      "var"});
static_assert(std::ranges::is_sorted(kGoKeywords));

constexpr std::string_view kPackageLine = "package models\n";

/// Names that end a literal early are refused in every language, so that a file is good for all of them or for none.
Result<void> check_names(const Model& model) {
  std::vector<std::string_view> texts{model.name, model.table};
  for (const ModelAttribute& attribute : model.attributes) texts.push_back(attribute.name);
  for (const ModelIndex& index : model.indexes) {
    texts.push_back(index.name);
    texts.insert(texts.end(), index.included_attributes.begin(), index.included_attributes.end());
  }
  for (const ModelVectorIndex& index : model.vector_indexes) {
    texts.push_back(index.name);
    texts.insert(texts.end(), index.included_attributes.begin(), index.included_attributes.end());
  }
  if (std::ranges::any_of(texts, [](std::string_view text) { return text.find('\0') != std::string_view::npos; }))
    return fail(Code::kInvalidArgument, "a name in model \"{}\" contains a NUL character, which code cannot have",
                model.name);
  return {};
}

}  // namespace

std::string_view language_name(Language language) { return kLanguages[std::to_underlying(language)].name; }
std::string_view file_extension(Language language) { return kLanguages[std::to_underlying(language)].extension; }

std::vector<std::string> language_names() {
  std::vector<std::string> names;
  for (const LanguageNames& language : kLanguages) names.emplace_back(language.name);
  return names;
}

Language language_of(std::string_view name) {
  const auto found = std::ranges::find(kLanguages, name, &LanguageNames::name);
  DOLMEN_CHECK(found != kLanguages.end(), "the command line knows the languages");
  return static_cast<Language>(found - kLanguages.begin());
}

Source source_of(const std::string& path, std::string_view content) {
  return {.file_name = std::filesystem::path(path).filename().string(), .sha256 = schema::sha256(content)};
}

Result<GeneratedCode> generate_models(Language language, const ModelSet& set, const ModelCodeOptions& options) {
  for (const Model& model : set.models) DOLMEN_TRY_VOID(check_names(model));
  switch (language) {
    case Language::kCpp: return generate_cpp_models(set, options);
    case Language::kTypeScript: return generate_typescript_models(set, options);
    case Language::kGo: return generate_go_models(set, options);
    case Language::kPython: break;
  }
  return generate_python_models(set, options);
}

std::string code_file_name(Language language, std::string_view stem) {
  switch (language) {
    case Language::kPython: return python_module_name(stem) + ".py";
    // Go takes names that end in _test or in the name of a system for something else.
    case Language::kGo: return snake_case(stem, "file") + "_model.go";
    case Language::kCpp:
    case Language::kTypeScript: break;
  }
  return std::string(stem).append(file_extension(language));
}

std::vector<CodeFile> support_files(Language language, std::string_view package) {
  std::vector<CodeFile> files;
  if (language == Language::kCpp) return files;
  for (const SupportFile& file : kSupportFiles) {
    if (!file.name.ends_with(file_extension(language))) continue;
    std::string text(file.text);
    if (const std::size_t at = text.find(kPackageLine); language == Language::kGo && at != std::string::npos)
      text.replace(at, kPackageLine.size(), "package " + std::string(package) + "\n");
    files.push_back({std::string(file.name), std::move(text)});
  }
  return files;
}

std::string go_package(std::string_view folder) {
  std::string name = snake_case(folder, "models");
  std::erase(name, '_');
  return Scope(kGoKeywords).take(std::move(name));
}

}  // namespace dolmen::generate
