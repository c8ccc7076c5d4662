#include "credentials/program_output.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <span>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

namespace dolmen {
namespace {

using SteadyClock = std::chrono::steady_clock;

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  /// -1, which poll() ignores, when there is none.
  [[nodiscard]] int number() const noexcept { return number_; }
  void reset(int number = -1) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }

 private:
  int number_ = -1;
};

/// Waits for one of the descriptors until the deadline. False when the deadline has passed.
bool wait_until(std::span<pollfd> waiting, SteadyClock::time_point deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) return false;
    constexpr std::chrono::milliseconds kLongest{60'000};
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(std::min(left, kLongest).count())) > 0) return true;
  }
}

/// A shell command that runs in its own process group.
class Program {
 public:
  explicit Program(std::chrono::milliseconds grace) : grace_(grace) {}
  ~Program() {
    if (pid_ > 0) end();
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool start(std::string command) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return false;
    output_.reset(pipe[0]);
    const FileDescriptor their_output(pipe[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, their_output.number(), STDOUT_FILENO);
    // The command must receive the signals that this program blocks or ignores.
    sigset_t blocked;
    sigemptyset(&blocked);
    sigset_t heard;
    sigemptyset(&heard);
    for (const int signal : {SIGTERM, SIGPIPE}) sigaddset(&heard, signal);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &blocked);
    posix_spawnattr_setsigdefault(&attributes, &heard);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string shell = "/bin/sh";
    std::string flag = "-c";
    std::array<char*, 4> arguments{shell.data(), flag.data(), command.data(), nullptr};
    pid_t pid = 0;
    const int failed = posix_spawn(&pid, shell.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return false;
    pid_ = pid;
    // The C library of Debian 12 declares the function for C alone.
    process_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    return process_.number() >= 0;
  }

  [[nodiscard]] int output() const noexcept { return output_.number(); }
  /// A descriptor that becomes readable when the program has ended.
  [[nodiscard]] int process() const noexcept { return process_.number(); }

  /// For a program that has ended. It is not reaped yet, so that its process group id cannot be reused.
  [[nodiscard]] bool ended_well() const {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0)
      if (errno != EINTR) return false;
    return info.si_code == CLD_EXITED && info.si_status == 0;
  }

 private:
  void end() {
    std::array<pollfd, 1> ended{pollfd{.fd = process(), .events = POLLIN, .revents = 0}};
    if (process() >= 0 && ::poll(ended.data(), 1, 0) == 0) {
      ::kill(-pid_, SIGTERM);
      wait_until(ended, SteadyClock::now() + grace_);
    }
    // Kills the processes that it has left behind as well.
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
  }

  const std::chrono::milliseconds grace_;
  pid_t pid_ = 0;
  FileDescriptor output_;
  FileDescriptor process_;
};

}  // namespace

Result<std::string> program_output(const std::string& command, const ProgramLimits& limits,
                                   const std::stop_token& stop) {
  const auto refused = [&](std::string_view why) { return fail(Code::kCredentials, "\"{}\" {}", command, why); };
  const auto deadline = SteadyClock::now() + limits.patience;
  const FileDescriptor stopped(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (stopped.number() < 0) return refused("cannot be started");
  const std::stop_callback wake(stop, [&] { ::eventfd_write(stopped.number(), 1); });
  Program program(limits.grace);
  if (!program.start(command)) return refused("cannot be started");

  std::string text;
  std::array<char, 4096> buffer;
  std::array<pollfd, 3> waiting{pollfd{.fd = stopped.number(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = program.output(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = program.process(), .events = POLLIN, .revents = 0}};
  auto& [stop_event, output, process] = waiting;
  // It may close its output long before it ends, or pass it to a child that outlives it.
  while (output.fd >= 0 || process.fd >= 0) {
    if (!wait_until(waiting, deadline))
      return refused(fmt::format("did not end within {} ms", limits.patience.count()));
    if (stop_event.revents != 0) return refused("was stopped");
    if (process.revents != 0) process.fd = -1;
    if (output.revents == 0) continue;
    const ssize_t got = ::read(output.fd, buffer.data(), buffer.size());
    if (got == 0) output.fd = -1;
    if (got < 0 && errno != EINTR) return refused("has output that cannot be read");
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > limits.output_bytes_max)
      return refused(fmt::format("printed more than {} bytes", limits.output_bytes_max));
  }
  if (!program.ended_well()) return refused("failed");
  return text;
}

}  // namespace dolmen
