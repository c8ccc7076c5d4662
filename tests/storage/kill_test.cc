// A process that commits is killed, again and again.

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test_result.h"
#include "storage/counters.h"
#include "storage/storage.h"
#include "test_support.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace dolmen::storage {
namespace {

using test::content;
using test::kCounters;
using test::kNotes;
using test::kRows;

constexpr const char* kDirectoryVariable = "DOLMEN_KILL_TEST_DIRECTORY";
constexpr const char* kFirstVariable = "DOLMEN_KILL_TEST_FIRST";
constexpr int kAcknowledgements = 3;  ///< The child's descriptor to report to.
constexpr std::uint64_t kCommitsMax = 100'000;

Options kill_options(const std::filesystem::path& directory) {
  Options options = test::options_for(directory, Durability::kSync);
  options.write_buffer_bytes = 64 << 10;
  options.keyspaces.emplace_back("counters");
  return options;
}

/// Not a test: what the child process of the test below does until it is killed. It commits number after number and
/// reports each one that is acknowledged.
TEST(KilledProcess, DISABLED_commits_and_reports) {
  const char* directory = std::getenv(kDirectoryVariable);
  const char* first = std::getenv(kFirstVariable);
  if (directory == nullptr || first == nullptr) GTEST_SKIP() << "only for the child process";
  const auto storage = test::open_store(kill_options(directory));
  const std::uint64_t start = std::strtoull(first, nullptr, 10);
  for (std::uint64_t number = start; number < start + kCommitsMax; ++number) {
    Batch batch;
    batch.put(kRows, std::to_string(number), std::string(500, 'r'));
    batch.put(kNotes, std::to_string(number), std::string(500, 'n'));
    batch.add(kCounters, "rows", std::vector<std::int64_t>{1, static_cast<std::int64_t>(number)});
    storage->commit_async(std::move(batch), [number](Result<void> result) {
      if (result && ::write(kAcknowledgements, &number, sizeof number) != sizeof number) ::_exit(1);
    });
  }
}

/// This test program, running as the child above.
class Child {
 public:
  Child(const std::filesystem::path& directory, std::uint64_t first) {
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], kAcknowledgements);
    std::string program = "/proc/self/exe";
    std::string filter = "--gtest_filter=KilledProcess.DISABLED_commits_and_reports";
    std::string disabled = "--gtest_also_run_disabled_tests";
    char* arguments[] = {program.data(), filter.data(), disabled.data(), nullptr};
    ::setenv(kDirectoryVariable, directory.c_str(), 1);
    ::setenv(kFirstVariable, std::to_string(first).c_str(), 1);
    const int failed = ::posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    acknowledgements_ = pipe[0];
    if (failed != 0) throw std::runtime_error("no child");
  }
  ~Child() { ::close(acknowledgements_); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The next acknowledged number; nothing once the child is gone.
  std::optional<std::uint64_t> next() const {
    std::uint64_t number = 0;
    if (::read(acknowledgements_, &number, sizeof number) != sizeof number) return std::nullopt;
    return number;
  }

  void kill() const {
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child has ended by itself";
  }

 private:
  pid_t pid_ = -1;
  int acknowledgements_ = -1;
};

TEST(KilledProcess, loses_nothing_that_was_acknowledged_and_leaves_no_half_commit) {
  constexpr std::uint64_t kRounds = 10;
  auto random = test::seeded_random();
  const TemporaryDirectory temp;
  std::vector<std::uint64_t> acknowledged;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const Child child(temp / "data", round * kCommitsMax);
    const auto lifetime = std::uniform_int_distribution<int>(1, 500)(random);
    for (int i = 0; i < lifetime; ++i) {
      const auto number = child.next();
      ASSERT_TRUE(number) << "the child has failed";
      acknowledged.push_back(*number);
    }
    EXPECT_THAT(Storage::open(kill_options(temp / "data")), fails_with(Code::kDirectoryInUse));
    child.kill();
    while (const auto number = child.next()) acknowledged.push_back(*number);

    const auto storage = test::open_store(kill_options(temp / "data"));
    const auto rows = content(*storage, kRows);
    const auto notes = content(*storage, kNotes);
    EXPECT_EQ(rows.size(), notes.size());
    for (const auto& [number, note] : notes) EXPECT_TRUE(rows.contains(number)) << number;
    for (const auto number : acknowledged) EXPECT_TRUE(rows.contains(std::to_string(number))) << number;
    std::int64_t sum = 0;
    for (const auto& [number, row] : rows) sum += std::stoll(number);
    EXPECT_EQ(test::must(decode_counters(test::read(*storage, kCounters, "rows").value())),
              (std::vector<std::int64_t>{static_cast<std::int64_t>(rows.size()), sum}));
  }
}

}  // namespace
}  // namespace dolmen::storage
