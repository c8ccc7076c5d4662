#include "cli/shell.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unistd.h>

#include "base/ascii.h"
#include "base/fail.h"
#include "cli/line_editor.h"
#include "cli/print_error.h"
#include "cli/shell_completion.h"
#include "cli/store_flags.h"

namespace dolmen::cli {
namespace {

/// So many items of a table show which attributes it has.
constexpr std::uint32_t kItemsSampled = 50;
constexpr std::size_t kTablesCompleted = 1000;
/// A line, with those that it goes on in.
constexpr std::size_t kLineBytes = std::size_t{8} << 20;

struct ShellFlags {
  StoreFlags store;
  std::string command;
  bool json = false;
};

std::string history_file() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string file = variable("DOLMEN_HISTORY"); !file.empty()) return file;
  std::filesystem::path folder = variable("XDG_STATE_HOME");
  if (folder.empty() && variable("HOME").empty()) return "";
  if (folder.empty()) folder = std::filesystem::path(variable("HOME")) / ".local" / "state";
  folder /= "dolmen";
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  return failure ? "" : folder / "history";
}

/// What the store has, asked again for each line.
class StoreWords {
 public:
  explicit StoreWords(Store& store) : store_(store) {}

  void forget() {
    tables_.reset();
    attributes_.clear();
  }

  const std::vector<std::string>& tables() {
    if (tables_) return *tables_;
    tables_.emplace();
    ListTables request;
    do {
      const Result<TableNamePage> page = store_.list_tables(request);
      if (!page) break;
      tables_->insert(tables_->end(), page->names.begin(), page->names.end());
      request.after = page->last_name;
    } while (request.after && tables_->size() < kTablesCompleted);
    return *tables_;
  }

  const std::vector<std::string>& attributes(const std::string& table) {
    const auto [entry, is_new] = attributes_.try_emplace(table);
    if (!is_new) return entry->second;
    std::set<std::string> names;
    if (const Result<Page> page = store_.scan_page(table, {.page_size = kItemsSampled}))
      for (const Item& item : page->items)
        for (const auto& [name, value] : item) names.insert(name);
    entry->second.assign(names.begin(), names.end());
    return entry->second;
  }

 private:
  Store& store_;
  std::optional<std::vector<std::string>> tables_;
  std::map<std::string, std::vector<std::string>> attributes_;
};

class Shell {
 public:
  Shell(MakeProgram make_program, StoreSession& session, bool json)
      : make_program_(make_program), session_(session), json_(json) {}

  /// Carries out a line. Returns its exit code.
  int run_line(const std::string& line) {
    const std::string_view text = trimmed(line, " \t\r\n");
    if (text.empty() || text.starts_with("#") || text.starts_with("--")) return kDone;
    if (is_statement(line)) return run({"sql", std::string(text)});
    std::vector<std::string> words = split_line(line).words;
    if (words.front() == "dolmen") words.erase(words.begin());
    if (words.empty()) words = {"help"};
    if (words.front() == "serve" || words.front() == "shell")
      return report(Error(Code::kInvalidArgument,
                          fmt::format("\"{}\" cannot run in a shell; end it with \"exit\" first", words.front())),
                    json_);
    return run(std::move(words));
  }

  /// Lines of a file or a pipe. Ends with the first that fails, and its exit code.
  int run_lines(std::istream& input) {
    std::string line;
    std::string whole;
    while (std::getline(input, line)) {
      whole += line;
      if (is_open(whole) && whole.size() < kLineBytes) {
        extend(whole);
        continue;
      }
      if (is_exit(whole)) return kDone;
      if (const int code = run_line(whole); code != kDone) return code;
      whole.clear();
    }
    return whole.empty() ? kDone : run_line(whole);
  }

  int talk() {
    StoreWords store_words(session_.store());
    const std::unique_ptr<CommandLine> program = make_program_();
    const VerbInfo verbs = program->describe();
    const Vocabulary vocabulary{.tables = [&] { return store_words.tables(); },
                                .attributes = [&](const std::string& table) { return store_words.attributes(table); }};
    LineEditor editor(history_file(), [&](const std::string& before, const std::string& word) {
      return shell_completions(verbs, vocabulary, before, word);
    });
    fmt::print("{}: statements and verbs; Tab completes, \"help\" lists the verbs, \"exit\" or Ctrl-D ends\n",
               store_name(session_.flags()));
    std::fflush(stdout);
    std::string whole;
    while (const std::optional<std::string> line = editor.read(whole.empty() ? "dolmen> " : "   ...> ")) {
      if (editor.interrupted()) {
        whole.clear();
        continue;
      }
      whole += *line;
      if (is_open(whole) && whole.size() < kLineBytes) {
        extend(whole);
        continue;
      }
      if (is_exit(whole)) return kDone;
      editor.remember(whole);
      run_line(whole);
      store_words.forget();
      whole.clear();
    }
    fmt::print("\n");
    return kDone;
  }

 private:
  int run(std::vector<std::string> words) {
    const bool is_lease_run = words.size() > 1 && words[0] == "lease" && words[1] == "run";
    if (json_ && !is_lease_run && std::ranges::find(words, "--json") == words.end()) {
      const auto separator = std::ranges::find(words, "--");
      words.insert(separator, "--json");
    }
    return run_words(make_program_, words);
  }

  /// A statement has quotes of its own; both kinds of lines go on after a backslash.
  static bool is_open(const std::string& line) {
    return is_statement(line) ? line.ends_with('\\') : split_line(line).is_open;
  }
  static void extend(std::string& whole) {
    if (whole.ends_with('\\')) whole.back() = ' ';
    whole.push_back('\n');
  }
  static bool is_exit(const std::string& line) {
    const std::string_view text = trimmed(line, " \t\r\n;");
    return text == "exit" || text == "quit" || text == "\\q";
  }

  MakeProgram make_program_;
  StoreSession& session_;
  const bool json_;
};

int run_shell(const ShellFlags& flags, MakeProgram make_program) {
  const Result<std::unique_ptr<StoreSession>> session = StoreSession::open(flags.store, false);
  if (!session) return report(session.error(), flags.json);
  Shell shell(make_program, **session, flags.json);
  if (!flags.command.empty()) return shell.run_line(flags.command);
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) return shell.run_lines(std::cin);
  return shell.talk();
}

}  // namespace

void add_shell(const Verb& program, MakeProgram make_program) {
  auto flags = std::make_shared<ShellFlags>();
  const Verb verb = program.verb("shell", "Carry out statements and verbs line by line, on a store that stays open");
  verb.text("--command", flags->command, "Carry out this line alone").shown_as("LINE").not_empty();
  verb.flag("--json", flags->json, "Give --json to every line");
  add_store_flags(verb, flags->store);
  verb.runs([flags, make_program] { return run_shell(*flags, make_program); });
}

}  // namespace dolmen::cli
