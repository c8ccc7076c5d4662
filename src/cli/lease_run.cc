#include "cli/lease_run.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <stop_token>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "cli/command_line.h"
#include "cli/print_error.h"

namespace dolmen::cli {
namespace {

/// What the guard's thread sends to this process when the lease is lost.
constexpr int kLost = SIGUSR1;
/// What a shell says of a command that it cannot run.
constexpr int kCannotRun = 127;

sigset_t lease_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, kLost}) sigaddset(&signals, signal);
  return signals;
}

/// In the child: nothing here may take memory or a lock, because the other threads of the parent are gone.
[[noreturn]] void become(char* const* command, pid_t parent) {
  setpgid(0, 0);
  // When this program is killed, the command must not go on alone.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCannotRun);
  const sigset_t signals = lease_signals();
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  execvp(command[0], command);
  constexpr std::string_view kMessage = "dolmen: cannot run the command ";
  for (const std::string_view text : {kMessage, std::string_view(command[0]), std::string_view("\n")})
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) break;
  _exit(kCannotRun);
}

/// The terminal, if there is one, goes to the command and comes back.
class Foreground {
 public:
  explicit Foreground(pid_t group) : mine_(isatty(STDIN_FILENO) != 0 ? tcgetpgrp(STDIN_FILENO) : -1) {
    if (mine_ == getpgrp()) give(group);
  }
  ~Foreground() {
    if (given_) give(mine_);
  }
  Foreground(const Foreground&) = delete;
  Foreground& operator=(const Foreground&) = delete;

 private:
  void give(pid_t group) {
    auto* before = std::signal(SIGTTOU, SIG_IGN);
    given_ = tcsetpgrp(STDIN_FILENO, group) == 0;
    std::signal(SIGTTOU, before);
  }

  pid_t mine_;
  bool given_ = false;
};

/// A command that is running, in a process group of its own.
class Command {
 public:
  explicit Command(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) become(pointers.data(), parent);
    if (process_ > 0) setpgid(process_, process_);
  }

  [[nodiscard]] pid_t process() const { return process_; }
  void send(int signal) const { kill(-process_, signal); }

  /// Its exit status, when it has ended. It is not taken from the system yet, so that its process group stays its own;
  /// what else of the group has ended, and this process has inherited, is. Other children of this process, such as a
  /// program that prints credentials, belong to those who started them.
  [[nodiscard]] std::optional<int> ended() const {
    constexpr int kLeaveThere = WEXITED | WNOHANG | WNOWAIT;
    const auto id = static_cast<id_t>(process_);
    siginfo_t info{};
    while (waitid(P_PGID, id, &info, kLeaveThere) == 0 && info.si_pid != 0 && info.si_pid != process_) {
      waitpid(info.si_pid, nullptr, WNOHANG);
      info = {};
    }
    info = {};
    if (waitid(P_PID, id, &info, kLeaveThere) != 0 || info.si_pid == 0) return std::nullopt;
    return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  }

  /// Kills what is left of the group, and returns when all of it is gone: what the command has left behind belongs to
  /// this process (PR_SET_CHILD_SUBREAPER).
  void end() const {
    send(SIGKILL);
    while (waitpid(-process_, nullptr, 0) > 0 || errno == EINTR) {}
  }

 private:
  pid_t process_ = -1;
};

void tell_the_command(const Lease& lease) {
  setenv("DOLMEN_LEASE_KEY", lease.key.partition.c_str(), 1);
  setenv("DOLMEN_LEASE_SORT", lease.key.sort.c_str(), 1);
  setenv("DOLMEN_LEASE_TOKEN", lease.token.c_str(), 1);
  if (lease.generation) setenv("DOLMEN_LEASE_GENERATION", std::to_string(*lease.generation).c_str(), 1);
}

/// Waits for one of the signals; 0 when the time is over.
int next_signal(std::optional<std::chrono::milliseconds> time) {
  const sigset_t signals = lease_signals();
  if (!time) {
    int signal = 0;
    while (sigwait(&signals, &signal) != 0) {}
    return signal;
  }
  const auto seconds = std::chrono::floor<std::chrono::seconds>(*time);
  const timespec wait{.tv_sec = seconds.count(), .tv_nsec = std::chrono::nanoseconds(*time - seconds).count()};
  const int signal = sigtimedwait(&signals, nullptr, &wait);
  return signal > 0 ? signal : 0;
}

/// The lease is lost: the command gets SIGTERM, and SIGKILL when its grace is over. Nothing of it is left then, so that
/// the lease can be given back.
void stop(const Command& command, std::chrono::milliseconds grace) {
  const auto deadline = std::chrono::steady_clock::now() + grace;
  command.send(SIGTERM);
  command.send(SIGCONT);
  while (!command.ended()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left <= std::chrono::milliseconds{0}) break;
    next_signal(left);
  }
  command.end();
}

int wait_for(const Command& command, const LeaseRun& run) {
  while (true) {
    if (const std::optional<int> status = command.ended()) return *status;
    const int signal = next_signal(std::nullopt);
    if (signal == kLost) {
      stop(command, run.grace);
      fmt::print(stderr, "dolmen: the lease was lost, and the command was stopped\n");
      return run.conflict_exit_code;
    }
    if (signal != SIGCHLD) command.send(signal);
  }
}

}  // namespace

Error with_advice(const Error& error) {
  if (error.code() != Code::kTableNotFound) return error;
  return {error.code(), error.message() + "; create it with --create-table"};
}

void block_lease_signals() {
  const sigset_t signals = lease_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int run_under_lease(Leases& leases, const LeaseKey& key, const LeaseRun& run) {
  Result<LeaseGuard> guard = leases.hold(key, run.length, {.margin = 2 * run.grace, .wait = run.wait});
  if (!guard) {
    const int failed = report(with_advice(guard.error()), false);
    return guard.error().code() == Code::kLeaseHeld ? run.conflict_exit_code : failed;
  }
  const Result<Lease> lease = guard->lease();
  if (!lease) {
    report(lease.error(), false);
    return run.conflict_exit_code;
  }
  tell_the_command(*lease);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const std::stop_callback on_loss(guard->lost(), [] { kill(getpid(), kLost); });
  const Command command(run.command);
  if (command.process() < 0) {
    fmt::print(stderr, "dolmen: cannot start a process: {}\n", std::generic_category().message(errno));
    return 1;
  }
  int status = 0;
  {
    const Foreground foreground(command.process());
    status = wait_for(command, run);
  }
  const Result<void> released = guard->release();
  if (released) return status;
  fmt::print(stderr, "dolmen: the lease was not released and stays until it expires: {}\n", released.error().message());
  // Whoever runs the command next would find the lease held, so this is not a success.
  return status == kDone ? static_cast<int>(kFailed) : status;
}

}  // namespace dolmen::cli
