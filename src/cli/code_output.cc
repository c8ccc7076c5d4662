#include "cli/code_output.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <system_error>

#include "base/fail.h"
#include "cli/print_json.h"
#include "cli/write_file.h"
#include "config/read.h"

namespace dolmen::cli {

namespace {

namespace fs = std::filesystem;
using generate::CodeFile;
using generate::Language;

bool names_file(const CodeFlags& flags) {
  return fs::path(flags.output).extension() == generate::file_extension(flags.chosen());
}

/// Where the code of a file goes.
std::string target_of(const CodeFlags& flags, const std::string& file) {
  if (names_file(flags)) return flags.output;
  return (fs::path(flags.output) / generate::code_file_name(flags.chosen(), fs::path(file).stem().string())).string();
}

/// Every file to write, by its path.
Result<std::map<std::string, std::string>> targets(const CodeFlags& flags, const std::vector<CodeOfFile>& codes,
                                                   const std::vector<CodeFile>& support) {
  std::map<std::string, std::string> out;
  for (const CodeFile& file : support) out.emplace((fs::path(code_folder(flags)) / file.name).string(), file.text);
  for (const CodeOfFile& code : codes)
    if (const std::string target = target_of(flags, code.file); !out.emplace(target, code.text).second)
      return fail(Code::kInvalidArgument, "the code of {} would replace other code in {}; rename the file", code.file,
                  target);
  return out;
}

/// The paths that do not hold what they should.
std::vector<std::string> differing(const std::map<std::string, std::string>& files) {
  std::vector<std::string> out;
  for (const auto& [path, text] : files)
    if (const Result<std::string> held =
            config::read_file(path, {.bytes = std::max(text.size(), std::size_t{1} << 24)});
        !held || *held != text)
      out.push_back(path);
  return out;
}

Result<void> write_all(const CodeFlags& flags, const std::map<std::string, std::string>& files) {
  std::error_code failure;
  if (!names_file(flags)) {
    fs::create_directories(flags.output, failure);
    if (failure) return fail(Code::kIo, "cannot make the folder {}: {}", flags.output, failure.message());
  }
  for (const auto& [path, text] : files) DOLMEN_TRY_VOID(write_file(path, text));
  return {};
}

LogicalValue json_report(const CodeFlags& flags, const std::vector<CodeOfFile>& codes) {
  LogicalValue::List files;
  for (const CodeOfFile& code : codes) {
    LogicalItem file = code.report;
    file.emplace("file", code.file);
    if (flags.output.empty())
      file.emplace("text", code.text);
    else
      file.emplace("output", target_of(flags, code.file));
    files.emplace_back(std::move(file));
  }
  return LogicalItem{{"language", flags.language}, {"files", std::move(files)}};
}

Result<int> check_all(const CodeFlags& flags, const std::map<std::string, std::string>& files) {
  const std::vector<std::string> stale = differing(files);
  if (flags.json) {
    LogicalValue::List names(stale.begin(), stale.end());
    if (!print_json(LogicalItem{{"language", flags.language}, {"differing", std::move(names)}})) return kFailed;
  } else {
    for (const std::string& path : stale) fmt::print("{}: is not what would be generated now\n", path);
    fmt::print("{} of {} files {}\n", stale.size(), files.size(), stale.size() == 1 ? "differs" : "differ");
  }
  return stale.empty() ? kDone : kFailed;
}

}  // namespace

Option add_code_flags(const Verb& verb, CodeFlags& flags) {
  const Option language =
      verb.text("--lang", flags.language, "Language of the code").one_of(generate::language_names());
  verb.text(
          "-o,--output", flags.output,
          "Folder for the code, or the file when it ends as those of the language do; C++ goes to the standard output "
          "without this option")
      .shown_as("DIR");
  verb.flag("--check", flags.check, "Write nothing; exit with status 1 when the files are not what would be written");
  verb.flag("--json", flags.json, "Print JSON: the generated names, and the code unless --output is given");
  return language;
}

std::string code_namespace(const CodeFlags& flags, const std::string& name) {
  if (flags.chosen() != Language::kGo || !name.empty()) return name;
  const fs::path folder = fs::absolute(code_folder(flags)).lexically_normal();
  return generate::go_package((folder.has_filename() ? folder : folder.parent_path()).filename().string());
}

std::string code_folder(const CodeFlags& flags) {
  if (!names_file(flags)) return flags.output;
  const std::string parent = fs::path(flags.output).parent_path().string();
  return parent.empty() ? "." : parent;
}

Result<void> check_code_flags(const CodeFlags& flags, std::size_t files) {
  if (flags.output.empty()) {
    if (flags.check) return fail(Code::kInvalidArgument, "--check needs --output: what it compares with");
    if (files > 1) return fail(Code::kInvalidArgument, "{} files need --output DIR", files);
    if (flags.has_support && flags.chosen() != Language::kCpp && !flags.json)
      return fail(Code::kInvalidArgument, "code in {} comes in several files; give --output DIR", flags.language);
  } else if (files > 1 && names_file(flags)) {
    return fail(Code::kInvalidArgument, "{} files do not fit into {}; give --output DIR", files, flags.output);
  }
  return {};
}

Result<int> put_code(const CodeFlags& flags, const std::vector<CodeOfFile>& codes,
                     const std::vector<CodeFile>& support) {
  if (!flags.output.empty()) {
    DOLMEN_TRY(const auto files, targets(flags, codes, support));
    if (flags.check) return check_all(flags, files);
    DOLMEN_TRY_VOID(write_all(flags, files));
  }
  if (flags.json) return print_json(json_report(flags, codes)) ? kDone : kFailed;
  for (const CodeOfFile& code : codes) {
    if (flags.output.empty())
      fmt::print("{}", code.text);
    else
      fmt::print("{}: {} of {}\n", target_of(flags, code.file), code.content, code.file);
  }
  return kDone;
}

}  // namespace dolmen::cli
