#include "run.h"

#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test_directory.h"
#include "contract_steps.h"
#include "embedded/embedded.h"
#include "plan.h"
#include "storage/fault_plan.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace dolmen::torture {
namespace {

namespace fs = std::filesystem;

/// What a crash left behind: the answers that were given, and whether one more step may have been under way.
struct Aftermath {
  std::vector<Told> answers;
  std::string problem;
};

/// Starts this program as a child, and kills it once it has given `acknowledged_max` answers.
Aftermath crash_child(const std::string& program, const Child& child, std::size_t acknowledged_max) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) return {.answers = {}, .problem = "no pipe"};
  constexpr int kReport = 3;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], kReport);
  std::vector<std::string> arguments = {program,
                                        "--child",
                                        child.data,
                                        std::to_string(child.seed),
                                        std::to_string(child.steps),
                                        std::to_string(child.publication_step),
                                        std::to_string(child.file_operation)};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t pid = -1;
  const int failed = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  Aftermath aftermath;
  if (failed != 0) {
    ::close(pipe[0]);
    aftermath.problem = "no child";
    return aftermath;
  }
  // A report is written at once, so it arrives as a whole.
  Report report{};
  const auto read_report = [&] {
    return ::read(pipe[0], report.data(), report.size()) == static_cast<ssize_t>(report.size());
  };
  while (aftermath.answers.size() < acknowledged_max && read_report()) aftermath.answers.push_back(told_in(report));
  ::kill(pid, SIGKILL);
  while (read_report()) aftermath.answers.push_back(told_in(report));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) aftermath.problem = "the child has failed by itself";
  return aftermath;
}

/// The same in this process, with a disk that fails, and then keeps only some of what was not synced.
Aftermath fail_disk(const fs::path& data, const std::vector<Step>& steps, std::mt19937_64& random) {
  using storage::FaultKind;
  constexpr FaultKind kKinds[] = {FaultKind::kIoError, FaultKind::kNoSpace, FaultKind::kShortWrite,
                                  FaultKind::kPowerCut};
  Aftermath aftermath;
  const auto faults = std::make_shared<storage::FaultPlan>();
  const bool fail_publication = random() % 3 == 0;
  std::int64_t publication_steps = static_cast<std::int64_t>(random() % 24);
  {
    const auto before_step = [&](std::string_view, const fs::path&) -> Result<void> {
      if (fail_publication && publication_steps-- == 0)
        return std::unexpected(Error(Code::kNoSpace, "the disk is full"));
      return {};
    };
    const bool during_start = !fail_publication && random() % 3 == 0;
    const storage::Fault fault{.kind = kKinds[random() % 4], .skip = random() % 200};
    if (during_start) faults->inject(fault);
    auto store = open_embedded_store({.directory = data}, {.faults = faults, .before_schema_step = before_step});
    if (!store && !fail_publication && !during_start) return {.answers = {}, .problem = store.error().message()};
    if (store) {
      if (!fail_publication && !during_start) faults->inject(fault);
      if (auto documents = Documents::open(**store))
        for (const Step& step : steps) {
          Told told = carry_out(step, {.store = **store, .documents = *documents});
          if (told.answer == Answer::kFailed) break;
          aftermath.answers.push_back(std::move(told));
        }
    }
    faults->crash();
  }
  faults->drop_unsynced([&](std::uint64_t unsynced) { return random() % 2 == 0 ? 0 : random() % (unsynced + 1); });
  return aftermath;
}

/// Opens what a crash has left and compares it with what was acknowledged; `world` becomes what is really there.
std::string check(const fs::path& data, const std::vector<Step>& steps, const std::vector<Told>& answers,
                  World& world) {
  for (std::size_t i = 0; i < answers.size() && i < steps.size(); ++i)
    if (answers[i].answer != Answer::kFailed && apply(steps[i], world, answers[i].revision) != answers[i].answer)
      return fmt::format("step {} was answered with {}", i, static_cast<int>(answers[i].answer));
  World with_one_more = world;
  World with_half_a_step = world;
  const std::size_t next =
      answers.empty() || answers.back().answer != Answer::kFailed ? answers.size() : answers.size() - 1;
  if (next < steps.size()) {
    apply(steps[next], with_one_more);
    publish_only(steps[next], with_half_a_step);
  }

  World seen;
  for (int look_again = 0; look_again < 2; ++look_again) {
    auto store = open_embedded_store({.directory = data});
    if (!store) return "the store does not open: " + store.error().message();
    auto documents = Documents::open(**store);
    if (!documents) return "the documents do not open: " + documents.error().message();
    for (int twice = 0; twice < 2; ++twice) {
      Result<World> found = look({.store = **store, .documents = *documents});
      if (!found) return found.error().message();
      if (look_again + twice > 0 && *found != seen)
        return "the same question has two answers" + difference(seen, *found);
      seen = std::move(*found);
    }
  }
  if (seen != world && seen != with_one_more && seen != with_half_a_step)
    return "what was acknowledged is not what is there:" + difference(world, seen);
  world = std::move(seen);
  return {};
}

}  // namespace

std::string run_once(const std::string& program, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const TemporaryDirectory folder;
  const fs::path data = folder.path() / "data";
  World world;
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t round_seed = random();
    std::mt19937_64 of_round(round_seed);
    const std::vector<Step> steps = make_steps(of_round, world, 20 + random() % 40);
    Aftermath aftermath;
    const auto how = random() % 4;
    if (how == 0) {
      aftermath = fail_disk(data, steps, random);
    } else {
      Child child{.data = data, .seed = round_seed, .steps = steps.size()};
      if (how == 1) child.publication_step = static_cast<std::int64_t>(random() % 40);
      if (how == 2) child.file_operation = static_cast<std::int64_t>(random() % 400);
      aftermath = crash_child(program, child, how == 3 ? random() % (steps.size() + 1) : steps.size() + 1);
    }
    // Where faults are injected nobody renews the seal of the list of files, so it vouches for nothing.
    if (how == 0 || how == 2) fs::remove(data / "SEAL");
    if (aftermath.problem.empty()) aftermath.problem = check(data, steps, aftermath.answers, world);
    if (!aftermath.problem.empty()) return fmt::format("round {}, kind {}: {}", round, how, aftermath.problem);
  }
  return {};
}

}  // namespace dolmen::torture
