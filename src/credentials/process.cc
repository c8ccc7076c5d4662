// Credentials that a program prints.
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "credentials/credential_json.h"
#include "credentials/sources.h"

namespace dolmen {
namespace {

constexpr std::chrono::seconds kPatience{60};
constexpr std::size_t kOutputBytesMax = 1 << 20;

/// A program in a process group of its own, and the end of the pipe that it writes to.
class Child {
 public:
  Child() = default;
  ~Child() {
    if (output_ >= 0) ::close(output_);
    // Whatever it has started and left behind goes with it.
    if (pid_ > 0) {
      ::kill(-pid_, SIGKILL);
      if (!reaped_) ::waitpid(pid_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool start(const std::string& command) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return false;
    output_ = pipe[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::string shell = "/bin/sh";
    std::string flag = "-c";
    std::string text = command;
    std::array<char*, 4> arguments{shell.data(), flag.data(), text.data(), nullptr};
    pid_t pid = 0;
    const int failed = posix_spawn(&pid, shell.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    if (failed == 0) pid_ = pid;
    return failed == 0;
  }

  [[nodiscard]] int output() const noexcept { return output_; }

  /// Waits for its end. True when it ended well.
  bool ended_well() {
    int status = 0;
    if (::waitpid(pid_, &status, 0) != pid_) return false;
    reaped_ = true;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t pid_ = 0;
  int output_ = -1;
  bool reaped_ = false;
};

/// Everything that comes until the end; nothing when it takes too long, is too much, or is not wanted any more.
std::optional<std::string> read_all(int file, const std::stop_token& stop) {
  constexpr int kStopCheckMs = 100;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::string text;
  std::array<char, 4096> buffer;
  while (!stop.stop_requested() && std::chrono::steady_clock::now() < deadline && text.size() < kOutputBytesMax) {
    pollfd waiting{.fd = file, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, kStopCheckMs) <= 0) continue;
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got < 0 && errno != EINTR) return std::nullopt;
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return std::nullopt;
}

}  // namespace

Result<AwsCredentials> process_credentials(const std::string& command, const SourceContext& context) {
  Child child;
  if (!child.start(command)) return fail(Code::kCredentials, "credential_process: \"{}\" cannot be started", command);
  const std::optional<std::string> output = read_all(child.output(), context.stop);
  if (!output)
    return fail(Code::kCredentials, "credential_process: \"{}\" did not end within {} s", command, kPatience.count());
  if (!child.ended_well()) return fail(Code::kCredentials, "credential_process: \"{}\" failed", command);
  return read_credential_json(*output, "credential_process");
}

}  // namespace dolmen
