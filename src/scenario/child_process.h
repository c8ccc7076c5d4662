#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>

#include "dolmen/error.h"

namespace dolmen::scenario {

/// A command that reads lines from its standard input and answers with lines on its standard output. Its standard error
/// is this program's. Belongs to one thread.
class ChildProcess {
 public:
  /// Runs the command with the shell. Fails with kIo.
  static Result<std::unique_ptr<ChildProcess>> start(const std::string& command);
  /// Ends the input of the command, gives it a moment to end by itself, and kills it otherwise.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Fails with kIo when the command does not read any more.
  Result<void> send_line(std::string line);
  /// The next line without its end. Fails with kIo when the output has ended or a line is too long, and with kTimeout.
  Result<std::string> receive_line(std::chrono::milliseconds timeout);

 private:
  ChildProcess(pid_t process, int socket) : process_(process), socket_(socket) {}

  pid_t process_;
  /// Both ends of the command: what is written here is its input, what is read here its output.
  int socket_;
  /// What has been read and not been returned.
  std::string read_;
};

}  // namespace dolmen::scenario
