#include "scenario/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "base/fail.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace dolmen::scenario {

namespace {

/// A page of a query has at most 1 MB; JSON makes it longer.
constexpr std::size_t kLineBytesMax = std::size_t{16} << 20;
/// How long a command whose input has ended may take to end.
constexpr std::chrono::milliseconds kFarewell{2000};

std::string reason(int error) { return std::system_category().message(error); }

bool is_readable(int socket, std::chrono::milliseconds timeout) {
  pollfd waiting{.fd = socket, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = poll(&waiting, 1, static_cast<int>(timeout.count()));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

/// Starts `sh -c command` with the socket as its input and output. Returns an error number.
int spawn(const std::string& command, int socket, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
  std::string shell = "sh";
  std::string option = "-c";
  // The shell becomes the command, so that what ends this process ends the command.
  std::string text = "exec " + command;
  std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
  const int error = posix_spawn(&process, "/bin/sh", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::string& command) {
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    return fail(Code::kIo, "cannot start \"{}\": {}", command, reason(errno));
  pid_t process = 0;
  const int error = spawn(command, sockets[1], process);
  close(sockets[1]);
  if (error == 0) return std::unique_ptr<ChildProcess>(new ChildProcess(process, sockets[0]));
  close(sockets[0]);
  return fail(Code::kIo, "cannot start \"{}\": {}", command, reason(error));
}

ChildProcess::~ChildProcess() {
  shutdown(socket_, SHUT_WR);
  // Its output ends when it has ended.
  std::array<char, 4096> rest{};
  while (is_readable(socket_, kFarewell))
    if (recv(socket_, rest.data(), rest.size(), 0) <= 0) break;
  close(socket_);
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
}

Result<void> ChildProcess::send_line(std::string line) {
  line += '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(Code::kIo, "the driver does not read any more: {}", reason(errno));
    sent += static_cast<std::size_t>(count);
  }
  return {};
}

Result<std::string> ChildProcess::receive_line(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    if (read_.size() > kLineBytesMax)
      return fail(Code::kIo, "the driver answered with a line of more than {} bytes", kLineBytesMax);
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !is_readable(socket_, left))
      return fail(Code::kTimeout, "the driver did not answer within {} ms", timeout.count());
    std::array<char, 65536> bytes{};
    const ssize_t count = recv(socket_, bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(Code::kIo, "the driver ended without an answer");
    read_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace dolmen::scenario
