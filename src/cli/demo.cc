#include "cli/demo.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "base/fail.h"
#include "base/file_writer.h"
#include "cli/demo_steps.h"
#include "cli/demo_tour.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/store_flags.h"
#include "cli/table_text.h"

namespace dolmen::cli {
namespace {

struct DemoFlags {
  StoreFlags store;
  std::string to = "./dolmen-demo";
  bool json = false;
};

Result<void> write_files(const std::filesystem::path& folder) {
  std::error_code failure;
  if (std::filesystem::exists(folder, failure) && !std::filesystem::is_empty(folder, failure))
    return fail(Code::kInvalidArgument, "--to: {} exists and is not empty; choose another place", folder.string());
  for (const DemoFile& file : demo_files()) {
    const std::filesystem::path path = folder / file.path;
    std::filesystem::create_directories(path.parent_path(), failure);
    if (failure) return std::unexpected(file_error(failure.value(), "create the folder", path.parent_path()));
    DOLMEN_TRY_VOID(FileWriter().replace(path, file.text));
  }
  return {};
}

/// Nothing is printed while it lives.
class SilencedOutput {
 public:
  SilencedOutput() : out_(::dup(STDOUT_FILENO)), error_(::dup(STDERR_FILENO)) {
    std::fflush(stdout);
    const FileDescriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    ::dup2(nowhere.get(), STDOUT_FILENO);
    ::dup2(nowhere.get(), STDERR_FILENO);
  }
  ~SilencedOutput() {
    std::fflush(stdout);
    ::dup2(out_.get(), STDOUT_FILENO);
    ::dup2(error_.get(), STDERR_FILENO);
  }
  SilencedOutput(const SilencedOutput&) = delete;
  SilencedOutput& operator=(const SilencedOutput&) = delete;

 private:
  FileDescriptor out_;
  FileDescriptor error_;
};

class Tour {
 public:
  Tour(MakeProgram make_program, StoreSession& session, bool json)
      : make_program_(make_program),
        session_(session),
        json_(json),
        is_own_(session.flags().endpoint.empty() && !session.flags().memory) {}

  Result<void> run() {
    for (const DemoChapter& chapter : demo_chapters()) {
      if (std::ranges::all_of(chapter.commands, [&](const DemoCommand& each) { return is_left_out(each); })) continue;
      say("\n" + bold("# " + std::string(chapter.title)) + "\n");
      for (const DemoCommand& command : chapter.commands)
        if (!is_left_out(command)) DOLMEN_TRY_VOID(run(command));
    }
    return {};
  }

  [[nodiscard]] std::size_t commands() const { return commands_; }

 private:
  [[nodiscard]] bool is_left_out(const DemoCommand& command) const { return command.own_store && !is_own_; }
  void say(const std::string& text) const {
    if (json_) return;
    fmt::print("{}", text);
    std::fflush(stdout);
  }
  static std::string bold(const std::string& text) { return has_colour() ? "\x1b[1m" + text + "\x1b[0m" : text; }

  Result<void> run(const DemoCommand& command) {
    if (command.step != DemoStep::kCommand) {
      say(std::string(demo_step_text(command.step)) + "\n");
      return run_demo_step(command.step, session_.store());
    }
    const std::string line(command.line);
    std::vector<std::string> words{"sql", line};
    if (!is_statement(line)) words = split_line(line).words;
    say("$ dolmen " + (is_statement(line) ? "sql \"" + line + "\"" : line) + "\n");
    ++commands_;
    const int code = run_quietly(words);
    if (code == command.expected) return {};
    return fail(Code::kUnexpectedResponse, "\"dolmen {}\" ended with {} instead of {}", line, code,
                static_cast<int>(command.expected));
  }

  /// With --json what the commands print would not be JSON.
  int run_quietly(const std::vector<std::string>& words) const {
    if (!json_) {
      std::fflush(stderr);
      return run_words(make_program_, words);
    }
    const SilencedOutput silenced;
    return run_words(make_program_, words);
  }

  MakeProgram make_program_;
  StoreSession& session_;
  const bool json_;
  const bool is_own_;
  std::size_t commands_ = 0;
};

Result<void> run_demo(const DemoFlags& flags, MakeProgram make_program) {
  StoreFlags store = flags.store;
  const auto is_given = [](const std::optional<Option>& option) { return option && option->given(); };
  const bool is_named = store.memory || is_given(store.data_option) || is_given(store.endpoint_option);
  DOLMEN_TRY_VOID(write_files(flags.to));
  // The commands name the files as somebody would who has changed to that folder.
  if (is_named && store.endpoint.empty() && !store.memory) store.data = std::filesystem::absolute(store.data);
  std::error_code failure;
  std::filesystem::current_path(flags.to, failure);
  if (failure) return std::unexpected(file_error(failure.value(), "change to", flags.to));
  if (!is_named) {
    store.data = "./data";
    store.named = true;  // The environment has no say.
  }
  DOLMEN_TRY(const std::unique_ptr<StoreSession> session, StoreSession::open(store, true));
  Tour tour(make_program, *session, flags.json);
  DOLMEN_TRY_VOID(tour.run());
  if (flags.json)
    print_json(LogicalItem{{"folder", flags.to}, {"store", store_name(store)}, {"commands", tour.commands()}});
  else
    fmt::print("\nEverything is in {}. Go on with \"cd {} && dolmen shell\".\n", flags.to, flags.to);
  return {};
}

}  // namespace

void add_demo(const Verb& program, MakeProgram make_program) {
  auto flags = std::make_shared<DemoFlags>();
  const Verb verb = program.verb("demo", "Make sample data with the verbs that you would type, and show them");
  verb.text("--to", flags->to, "Folder for the files of the demo, and for its store unless another one is named")
      .shown_as("DIR")
      .not_empty();
  verb.flag("--json", flags->json, "Print only a summary, as JSON");
  add_store_flags(verb, flags->store);
  verb.runs([flags, make_program]() -> int {
    const Result<void> done = run_demo(*flags, make_program);
    return done ? kDone : report(done.error(), flags->json);
  });
}

}  // namespace dolmen::cli
