#include "cli/filter_command.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

namespace dolmen::cli {
namespace {

class OwnedFile {
 public:
  explicit OwnedFile(int number) : number_(number) {}
  ~OwnedFile() { close(); }
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;

  [[nodiscard]] int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::lseek(file, 0, SEEK_SET) == 0;
}

/// -1 when the shell cannot be started.
pid_t start_shell(std::string command, int input, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  std::string shell = "/bin/sh";
  std::string flag = "-c";
  const std::array<char*, 4> arguments{shell.data(), flag.data(), command.data(), nullptr};
  pid_t pid = -1;
  const int failed = ::posix_spawn(&pid, shell.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? pid : -1;
}

/// Reads to the end.
bool read_all(int file, std::string& out) {
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got == 0) return true;
    if (got < 0 && errno != EINTR) return false;
    if (got > 0) out.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

Result<std::string> filtered(const std::string& command, std::string_view input) {
  // From a file, because a command that prints before it has read everything would wait for this program, and this
  // program for it.
  const OwnedFile given(::memfd_create("dolmen-filter", MFD_CLOEXEC));
  std::array<int, 2> pipe{-1, -1};
  if (given.number() < 0 || !write_all(given.number(), input) || ::pipe2(pipe.data(), O_CLOEXEC) != 0)
    return fail(Code::kIo, "cannot start \"{}\": no memory for its input, or too many open files", command);
  const OwnedFile mine(pipe[0]);
  OwnedFile theirs(pipe[1]);
  const pid_t pid = start_shell(command, given.number(), theirs.number());
  if (pid < 0) return fail(Code::kIo, "cannot start \"{}\"", command);
  theirs.close();
  std::string output;
  const bool read = read_all(mine.number(), output);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  if (!read) return fail(Code::kIo, "the output of \"{}\" cannot be read", command);
  if (!WIFEXITED(status)) return fail(Code::kIo, "\"{}\" was ended by signal {}", command, WTERMSIG(status));
  if (WEXITSTATUS(status) != 0)
    return fail(Code::kIo, "\"{}\" has failed with status {}", command, WEXITSTATUS(status));
  return output;
}

}  // namespace dolmen::cli
