#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/model/model.h"

/// Source code from models, in every language.
namespace dolmen::generate {

enum class Language : std::uint8_t { kCpp, kTypeScript, kGo, kPython };

/// What `--lang` calls it, and how the names of its files end.
std::string_view language_name(Language language);
std::string_view file_extension(Language language);
std::vector<std::string> language_names();
Language language_of(std::string_view name);

/// Where code comes from, which it says at its top.
struct Source {
  /// Without folders, so that the same file gives the same code everywhere.
  std::string file_name;
  std::string sha256;
};

/// A file that holds exactly these bytes.
Source source_of(const std::string& path, std::string_view content);

struct ModelCodeOptions {
  Source source;
  /// C++: where everything stands, such as "acme::accounts", or "::" for the global namespace; without it that of the
  /// file, in which "acme.payments" is acme::payments. Go: the name of the package. The others have none.
  std::string namespace_name = {};
};

/// What stands for a model in the code.
struct GeneratedModel {
  std::string model;
  /// Its struct, class or interface.
  std::string type_name;
  /// What holds the rules: a function in C++, else a constant.
  std::string rules_name;
};

struct GeneratedCode {
  std::string text;
  std::vector<GeneratedModel> models;
};

/// The code of the models. The same models always give the same text, in the form that the formatter of the language
/// gives it. The models must obey the rules (`check_model`). Fails with kInvalidArgument when the language cannot say
/// it: a namespace that is none, more attributes than a struct may have, a NUL in a name.
Result<GeneratedCode> generate_models(Language language, const ModelSet& set, const ModelCodeOptions& options);

struct CodeFile {
  std::string name;
  std::string text;
};

/// The files that the code of the language needs in its folder; C++ has the library instead. `package` is Go's.
std::vector<CodeFile> support_files(Language language, std::string_view package);

/// What the code of a file is called: "users-v1" is users_v1.py in Python, which imports files by their names.
std::string code_file_name(Language language, std::string_view stem);

/// The package of Go in a folder of this name, which may hold characters that packages may not.
std::string go_package(std::string_view folder);

}  // namespace dolmen::generate
