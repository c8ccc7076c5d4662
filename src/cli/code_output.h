#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "dolmen/error.h"
#include "dolmen/model/logical_value.h"
#include "generate/models.h"

namespace dolmen::cli {

/// The options of verbs that generate code.
struct CodeFlags {
  std::vector<std::string> files;
  std::string language = "cpp";
  std::string output;
  bool check = false;
  bool json = false;
  /// Code in other languages than C++ has files beside it, so that it needs a folder.
  bool has_support = false;

  [[nodiscard]] generate::Language chosen() const { return generate::language_of(language); }
};

/// --output, --check and --json; and --lang, which is returned.
Option add_code_flags(const Verb& verb, CodeFlags& flags);

/// The namespace that was asked for; for Go the package, which is that of the folder unless it is named.
std::string code_namespace(const CodeFlags& flags, const std::string& name);

/// The code of one file that was read.
struct CodeOfFile {
  std::string file;
  std::string text;
  /// What `--json` says of it, besides its file and where it went.
  LogicalItem report;
  /// Such as "2 models".
  std::string content;
};

/// The folder that --output names; the one of the file when it names a file, and empty without it.
std::string code_folder(const CodeFlags& flags);

/// Refuses options that do not fit together, before anything is read.
Result<void> check_code_flags(const CodeFlags& flags, std::size_t files);

/// Writes the code: to the standard output, or to files; with --check compares instead. `support` goes beside it, and
/// is left out of what goes to the standard output. Returns the exit code: 1 when a file differs.
Result<int> put_code(const CodeFlags& flags, const std::vector<CodeOfFile>& codes,
                     const std::vector<generate::CodeFile>& support);

}  // namespace dolmen::cli
