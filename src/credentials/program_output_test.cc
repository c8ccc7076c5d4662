#include "credentials/program_output.h"

#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/test_directory.h"
#include "base/test_result.h"

namespace dolmen {
namespace {

using namespace std::chrono_literals;

/// Longer than any test may take.
constexpr std::string_view kForever = "sleep 1000";
constexpr ProgramLimits kShort{.patience = 50ms, .grace = 50ms};

std::string error_of(const Result<std::string>& outcome) {
  return outcome ? "" : std::string(outcome.error().message());
}

/// A pipe with a name, through which a test hears from the processes that it cannot wait for.
class NamedPipe {
 public:
  NamedPipe() {
    ::mkfifo(path().c_str(), 0600);
    // For reading and writing, so that neither this nor the processes wait for each other to open it.
    reader_ = ::open(path().c_str(), O_RDWR | O_CLOEXEC);
  }
  ~NamedPipe() { ::close(reader_); }
  NamedPipe(const NamedPipe&) = delete;
  NamedPipe& operator=(const NamedPipe&) = delete;

  [[nodiscard]] std::string path() const { return (folder_ / "pipe").string(); }

  [[nodiscard]] char next() const {
    char byte = 0;
    return ::read(reader_, &byte, 1) == 1 ? byte : '\0';
  }
  /// What comes until all processes that had it open are gone.
  [[nodiscard]] std::string rest() {
    const int reader = ::open(path().c_str(), O_RDONLY | O_CLOEXEC);
    ::close(std::exchange(reader_, reader));
    std::string text;
    for (char byte = next(); byte != '\0'; byte = next()) text += byte;
    return text;
  }

 private:
  TemporaryDirectory folder_;
  int reader_ = -1;
};

TEST(ProgramOutput, is_what_a_program_prints) {
  EXPECT_EQ(program_output("echo one; echo two", {}, {}).value(), "one\ntwo\n");
  EXPECT_EQ(program_output("cat", {}, {}).value(), "");
  EXPECT_EQ(program_output("yes | head -c 300000", {}, {}).value().size(), 300'000U);
}

TEST(ProgramOutput, of_a_program_that_fails_is_an_error) {
  const Result<std::string> outcome = program_output("echo one; exit 3", {}, {});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_THAT(outcome, fails_with(Code::kCredentials));
  EXPECT_EQ(outcome.error().message(), "\"echo one; exit 3\" failed");
  EXPECT_EQ(error_of(program_output("kill -9 $$", {}, {})), "\"kill -9 $$\" failed");
}

TEST(ProgramOutput, is_bounded) {
  EXPECT_EQ(program_output("echo 234", {.output_bytes_max = 4}, {}).value(), "234\n");
  EXPECT_EQ(error_of(program_output("echo 2345", {.output_bytes_max = 4}, {})),
            "\"echo 2345\" printed more than 4 bytes");
  EXPECT_EQ(error_of(program_output("yes", {}, {})), "\"yes\" printed more than 1048576 bytes");
}

TEST(ProgramOutput, is_given_up_when_the_program_does_not_end_in_time) {
  EXPECT_EQ(error_of(program_output(std::string(kForever), kShort, {})), "\"sleep 1000\" did not end within 50 ms");
}

TEST(ProgramOutput, is_given_up_when_the_program_closes_its_output_and_does_not_end_in_time) {
  const std::string command = fmt::format("echo one; exec >&-; {}", kForever);
  EXPECT_EQ(error_of(program_output(command, kShort, {})), fmt::format("\"{}\" did not end within 50 ms", command));
}

TEST(ProgramOutput, is_given_up_when_a_stop_is_requested) {
  for (const std::string_view closing : {"", "exec >&-;"}) {
    const NamedPipe pipe;
    std::stop_source stop;
    std::thread stopping([&] {
      EXPECT_EQ(pipe.next(), 'a');
      stop.request_stop();
    });
    const std::string command = fmt::format("printf a >{}; {} {}", pipe.path(), closing, kForever);
    EXPECT_EQ(error_of(program_output(command, {}, stop.get_token())), fmt::format("\"{}\" was stopped", command));
    stopping.join();
  }
}

TEST(ProgramOutput, leaves_a_program_that_is_stopped_time_to_clean_up) {
  NamedPipe pipe;
  std::stop_source stop;
  std::thread stopping([&] {
    EXPECT_EQ(pipe.next(), 'a');
    stop.request_stop();
  });
  // The shell waits by `wait`, which the signal ends at once; a child in the foreground could miss the signal between
  // its fork and its exec, and the shell would wait for it before it runs the trap.
  const std::string command =
      fmt::format("exec 3>{}; trap 'printf c >&3; exit' TERM; {} & printf a >&3; wait", pipe.path(), kForever);
  EXPECT_FALSE(program_output(command, {.grace = 1h}, stop.get_token()).has_value());
  stopping.join();
  EXPECT_EQ(pipe.rest(), "c");
}

TEST(ProgramOutput, kills_a_program_that_does_not_want_to_stop_with_all_that_it_has_started) {
  NamedPipe pipe;
  const std::string command =
      fmt::format("exec 3>{}; trap '' TERM; {} & exec >&-; while true; do {}; done", pipe.path(), kForever, kForever);
  EXPECT_FALSE(program_output(command, kShort, {}).has_value());
  EXPECT_EQ(pipe.rest(), "");
}

TEST(ProgramOutput, kills_what_a_program_leaves_behind) {
  NamedPipe pipe;
  const std::string command = fmt::format("exec 3>{}; {} >&3 & echo one", pipe.path(), kForever);
  EXPECT_EQ(program_output(command, {}, {}).value(), "one\n");
  EXPECT_EQ(pipe.rest(), "");
}

TEST(ProgramOutput, does_not_depend_on_the_signals_that_this_thread_blocks) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const Result<std::string> outcome = program_output(std::string(kForever), {.patience = 50ms, .grace = 1h}, {});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(error_of(outcome), "\"sleep 1000\" did not end within 50 ms");
}

TEST(ProgramOutput, survives_signals_that_interrupt_its_waiting) {
  struct sigaction quiet{};
  quiet.sa_handler = [](int) {};
  struct sigaction before{};
  ::sigaction(SIGUSR1, &quiet, &before);
  const NamedPipe pipe;
  const pthread_t waiting = ::pthread_self();
  std::thread interrupting([&] {
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(pipe.next(), 'a');
      ::pthread_kill(waiting, SIGUSR1);
    }
  });
  const std::string command = fmt::format("for i in 1 2 3 4 5 6 7 8 9 10; do printf aa >{}; echo x; done", pipe.path());
  EXPECT_EQ(program_output(command, {}, {}).value().size(), 20U);
  interrupting.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace dolmen
