#include "cli/reference.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include "base/file_writer.h"
#include "cli/completion.h"
#include "cli/examples.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/run_words.h"
#include "dolmen/version.h"

namespace dolmen::cli {
namespace {

struct ReferenceFlags {
  std::string to;
  bool check = false;
  bool json = false;
};

/// The verbs that do something, with their paths.
struct Leaf {
  std::string path;
  const VerbInfo* verb;
};

void collect_leaves(const std::string& path, const VerbInfo& verb, std::vector<Leaf>& leaves) {
  if (verb.verbs.empty()) leaves.push_back({path, &verb});
  for (const VerbInfo& below : verb.verbs)
    collect_leaves(path.empty() ? below.name : path + " " + below.name, below, leaves);
}

std::vector<Leaf> leaves_of(const std::string& path, const VerbInfo& verb) {
  std::vector<Leaf> leaves;
  collect_leaves(path, verb, leaves);
  return leaves;
}

const std::vector<std::string>& examples_for(const std::string& path) {
  static const std::vector<std::string> kNone;
  const auto found = verb_examples().find(path);
  return found == verb_examples().end() ? kNone : found->second;
}

/// "dolmen item get TABLE KEY [OPTIONS]"
std::string usage_of(const Leaf& leaf) {
  std::string usage = "dolmen " + leaf.path;
  for (const VerbInfo::OptionInfo& argument : leaf.verb->arguments) {
    const std::string name = argument.name + (argument.is_repeatable ? " ..." : "");
    usage += argument.is_required ? " " + name : " [" + name + "]";
  }
  for (const VerbInfo::OptionInfo& option : leaf.verb->options)
    if (option.is_required) usage += fmt::format(" {} {}", option.name, option.value);
  return usage + " [OPTIONS]";
}

/// "--limit NUMBER"
std::string option_head(const VerbInfo::OptionInfo& option) {
  return option.takes_value && !option.value.empty() ? option.name + " " + option.value : option.name;
}

std::string option_text(const VerbInfo::OptionInfo& option) {
  std::string text = option.help;
  if (!option.fallback.empty()) text += fmt::format(" (default {})", option.fallback);
  if (option.is_required) text += " (required)";
  return text;
}

bool is_help(const VerbInfo::OptionInfo& option) { return option.name == "--help"; }

// ---- Markdown ----

/// In a cell of a table.
std::string cell_text(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string page_of(const Leaf& leaf) {
  std::string page = fmt::format("### {}\n\n{}.\n\n`{}`\n\n", leaf.path, leaf.verb->help, usage_of(leaf));
  page += "| | |\n|---|---|\n";
  for (const VerbInfo::OptionInfo& argument : leaf.verb->arguments)
    page += fmt::format("| `{}` | {} |\n", argument.name, cell_text(argument.help));
  for (const VerbInfo::OptionInfo& option : leaf.verb->options)
    if (!is_help(option))
      page += fmt::format("| `{}` | {} |\n", cell_text(option_head(option)), cell_text(option_text(option)));
  page += "\nExamples:\n\n<!-- not run: examples; they name tables and files of the reader's own -->\n```sh\n";
  for (const std::string& example : examples_for(leaf.path)) page += example + "\n";
  return page + "```\n\n";
}

// ---- Manual pages ----

/// Text in a manual page: a leading dot or quote would be a command, and a minus is not a hyphen.
std::string manual_text(const std::string& text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out.push_back(c);
  }
  return out;
}

std::string manual_of(const Leaf& leaf) {
  std::string page = fmt::format(".SS \"{}\"\n{}.\n.PP\n.B {}\n", manual_text("dolmen " + leaf.path),
                                 manual_text(leaf.verb->help), manual_text(usage_of(leaf)));
  const auto entry = [&](const std::string& head, const std::string& text) {
    page += fmt::format(".TP\n.B {}\n{}\n", manual_text(head), manual_text(text));
  };
  for (const VerbInfo::OptionInfo& argument : leaf.verb->arguments) entry(argument.name, argument.help);
  for (const VerbInfo::OptionInfo& option : leaf.verb->options)
    if (!is_help(option)) entry(option_head(option), option_text(option));
  if (examples_for(leaf.path).empty()) return page;
  page += ".PP\nExamples:\n.PP\n.nf\n";
  for (const std::string& example : examples_for(leaf.path)) page += ".RS 4\n" + manual_text(example) + "\n.RE\n";
  return page + ".fi\n";
}

constexpr std::string_view kManualEnd = R"(.SH ENVIRONMENT
.TP
.B DOLMEN_ENDPOINT, DOLMEN_DATA, AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL
The store, when no option names one; the first that is set.
.TP
.B NO_COLOR
No colours.
.SH EXIT STATUS
0: it was done. 1: it could not be done, or a check found something. 2: the arguments are wrong.
)";

// ---- The verb ----

/// What is missing or wrong about the examples.
std::vector<std::string> problems_of_examples(CommandLine& line) {
  std::vector<std::string> problems;
  const VerbInfo program = line.describe();
  const std::vector<Leaf> leaves = leaves_of("", program);
  for (const Leaf& leaf : leaves)
    if (examples_for(leaf.path).empty()) problems.push_back(fmt::format("\"{}\" has no example", leaf.path));
  for (const auto& [path, examples] : verb_examples()) {
    const bool exists = std::ranges::any_of(leaves, [&](const Leaf& leaf) { return leaf.path == path; });
    if (!exists) problems.push_back(fmt::format("there is no verb \"{}\", which has examples", path));
    for (const std::string& example : examples) {
      std::vector<std::string> words = split_line(example.substr(0, example.find(" | "))).words;
      if (words.front() != "dolmen") continue;  // A line of a shell.
      words.erase(words.begin());
      const std::string problem = line.problem_of(words);
      if (!problem.empty()) problems.push_back(fmt::format("{}: {}", example, problem));
      if (!example.starts_with("dolmen " + path)) problems.push_back(fmt::format("{}: not about {}", example, path));
    }
  }
  return problems;
}

Result<void> write_reference(const CommandLine& line, const std::filesystem::path& folder) {
  const VerbInfo program = line.describe();
  const FileWriter writer;
  const auto put = [&](const char* below, const std::string& name, const std::string& text) -> Result<void> {
    std::error_code failure;
    std::filesystem::create_directories(folder / below, failure);
    return writer.replace(folder / below / name, text);
  };
  DOLMEN_TRY_VOID(put("", "commands.md", reference_page(program)));
  DOLMEN_TRY_VOID(put("completion", "dolmen.bash", bash_completion(program)));
  DOLMEN_TRY_VOID(put("completion", "_dolmen", zsh_completion(program)));
  DOLMEN_TRY_VOID(put("completion", "dolmen.fish", fish_completion(program)));
  DOLMEN_TRY_VOID(put("man", "dolmen.1", manual_page(program, nullptr, std::string(version()))));
  for (const VerbInfo& verb : program.verbs)
    DOLMEN_TRY_VOID(
        put("man", fmt::format("dolmen-{}.1", verb.name), manual_page(program, &verb, std::string(version()))));
  return {};
}

int run_reference(CommandLine& line, const ReferenceFlags& flags) {
  if (flags.check) {
    const std::vector<std::string> problems = problems_of_examples(line);
    for (const std::string& problem : problems) fmt::print("{}\n", problem);
    return problems.empty() ? kDone : kFailed;
  }
  if (flags.to == "-") {
    fmt::print("{}", reference_page(line.describe()));
    return kDone;
  }
  const Result<void> written = write_reference(line, flags.to);
  return written ? kDone : report(written.error(), flags.json);
}

}  // namespace

std::string reference_page(const VerbInfo& program) {
  std::string page =
      "# Commands\n\n<!-- Written by `dolmen reference --to -`; the rules that all verbs share are in cli.md. -->\n\n"
      "All verbs of `dolmen`, with their arguments, options and examples. [cli.md](cli.md) says what they have in "
      "common:\n"
      "stores, formats, conditions, errors and exit status.\n\n";
  for (const VerbInfo& verb : program.verbs) {
    page += fmt::format("## {}\n\n", verb.name);
    if (!verb.verbs.empty()) page += verb.help + ".\n\n";
    for (const Leaf& leaf : leaves_of(verb.name, verb)) page += page_of(leaf);
  }
  page.pop_back();
  return page;
}

std::string manual_page(const VerbInfo& program, const VerbInfo* verb, const std::string& version) {
  const std::string name = verb == nullptr ? "dolmen" : "dolmen-" + verb->name;
  std::string title = name;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string page = fmt::format(".TH {} 1 \"\" \"dolmen {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", title, version,
                                 manual_text(name), manual_text(verb == nullptr ? program.help : verb->help));
  page += ".SH SYNOPSIS\n.B dolmen";
  page += verb == nullptr ? " VERB [ARGUMENTS] [OPTIONS]\n" : " " + verb->name + " [ARGUMENTS] [OPTIONS]\n";
  if (verb == nullptr) {
    page += ".SH VERBS\n";
    for (const VerbInfo& each : program.verbs)
      page += fmt::format(".TP\n.BR dolmen\\-{} (1)\n{}\n", manual_text(each.name), manual_text(each.help));
  } else {
    page += ".SH DESCRIPTION\n";
    for (const Leaf& leaf : leaves_of(verb->name, *verb)) page += manual_of(leaf);
  }
  page += kManualEnd;
  if (verb != nullptr) page += ".SH SEE ALSO\n.BR dolmen (1)\n";
  return page;
}

void add_reference(CommandLine& line, const Verb& program) {
  auto flags = std::make_shared<ReferenceFlags>();
  const Verb verb = program.verb("reference", "Write the command reference, manual pages and completion").hidden();
  verb.text("--to", flags->to, "Folder to write to, or - for the command reference alone").shown_as("DIR");
  verb.flag("--check", flags->check, "Say which verbs have no example, and which examples are wrong");
  verb.flag("--json", flags->json, "Print JSON");
  verb.runs([&line, flags] { return run_reference(line, *flags); });
}

}  // namespace dolmen::cli
