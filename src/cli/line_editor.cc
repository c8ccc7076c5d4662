// The only file that includes libedit.
#include "cli/line_editor.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <editline/readline.h>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "base/file_writer.h"

namespace dolmen::cli {
namespace {

constexpr int kLinesKept = 1000;
/// Ends a word, besides spaces: what stands in JSON, conditions and statements. It includes no "-", which options have.
char word_ends[] = " \t\n\"'`@$><=;|&{(,:[!";

LineEditor::Complete* completing = nullptr;
volatile std::sig_atomic_t line_given_up = 0;

/// Asks the editor's function once, and then gives one word after the other to libedit, which frees them.
char* next_match(const char* word, int state) {
  static std::vector<std::string> matches;
  static std::size_t next = 0;
  if (state == 0) {
    matches = (*completing)(std::string(rl_line_buffer, static_cast<std::size_t>(rl_point)), word);
    next = 0;
  }
  return next < matches.size() ? ::strdup(matches[next++].c_str()) : nullptr;
}

char** matches_for(const char* word, int /*start*/, int /*end*/) {
  rl_attempted_completion_over = 1;  // No names of files when there is no match.
  return rl_completion_matches(word, next_match);
}

}  // namespace

LineEditor::LineEditor(std::string history, Complete complete) : history_(std::move(history)) {
  static Complete kept;
  kept = std::move(complete);
  completing = &kept;
  rl_readline_name = "dolmen";
  rl_attempted_completion_function = matches_for;
  rl_basic_word_break_characters = word_ends;
  rl_completer_word_break_characters = word_ends;
  rl_initialize();
  using_history();
  stifle_history(kLinesKept);
  if (!history_.empty()) read_history(history_.c_str());
}

LineEditor::~LineEditor() { completing = nullptr; }

std::optional<std::string> LineEditor::read(const std::string& prompt) {
  line_given_up = 0;
  struct sigaction give_up{};
  struct sigaction nudge{};
  struct sigaction before{};
  struct sigaction alarm_before{};
  // Without SA_RESTART, so that the read of the line ends. A signal that comes just before the read would be missed;
  // the alarm ends that read a second later.
  give_up.sa_handler = [](int) {
    line_given_up = 1;
    ::alarm(1);
  };
  nudge.sa_handler = [](int) {};
  ::sigaction(SIGINT, &give_up, &before);
  ::sigaction(SIGALRM, &nudge, &alarm_before);
  char* line = ::readline(prompt.c_str());
  ::alarm(0);
  ::sigaction(SIGALRM, &alarm_before, nullptr);
  ::sigaction(SIGINT, &before, nullptr);
  interrupted_ = line_given_up != 0;
  if (interrupted_) std::fputs("\n", stdout);
  const std::optional<std::string> read = interrupted_      ? std::optional<std::string>("")
                                          : line == nullptr ? std::nullopt
                                                            : std::optional<std::string>(line);
  std::free(line);
  return read;
}

void LineEditor::remember(const std::string& line) {
  if (line.empty() || line == last_) return;
  last_ = line;
  add_history(line.c_str());
  if (history_.empty()) return;
  // Statements may hold what others should not see.
  const FileDescriptor file(::open(history_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (file.get() >= 0) write_history(history_.c_str());
}

}  // namespace dolmen::cli
