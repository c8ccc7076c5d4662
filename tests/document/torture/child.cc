#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

#include "embedded/embedded.h"
#include "plan.h"
#include "run.h"
#include "storage/fault_plan.h"

namespace dolmen::torture {
namespace {

[[noreturn]] void end_here() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

void send(int report, const Told& told) {
  const Report bytes = report_of(told);
  if (::write(report, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) end_here();
}

/// Ends the process when the store has used its files so often. A power cut stops every operation that follows; the
/// watcher then ends the process, so that what is on the disk is what was there at that moment.
std::shared_ptr<storage::FaultPlan> watched(std::int64_t operations) {
  if (operations < 0) return nullptr;
  auto plan = std::make_shared<storage::FaultPlan>();
  plan->inject({.kind = storage::FaultKind::kPowerCut, .skip = static_cast<std::uint64_t>(operations)});
  std::thread([plan] {
    while (!plan->has_crashed()) std::this_thread::sleep_for(std::chrono::microseconds(200));
    end_here();
  }).detach();
  return plan;
}

}  // namespace

Report report_of(const Told& told) {
  Report report{static_cast<char>(told.answer)};
  std::ranges::copy_n(told.revision.begin(), std::min<std::ptrdiff_t>(std::ssize(told.revision), report.size() - 1),
                      report.begin() + 1);
  return report;
}

Told told_in(const Report& report) {
  const std::string revision(report.begin() + 1, report.end());
  return {.answer = static_cast<Answer>(report[0]), .revision = report[1] == '\0' ? std::string() : revision};
}

int run_child(const Child& child, int report) {
  std::int64_t publication_steps = 0;
  const auto before_step = [&](std::string_view, const std::filesystem::path&) -> Result<void> {
    if (publication_steps++ == child.publication_step) end_here();
    return {};
  };
  const std::shared_ptr<storage::FaultPlan> faults = watched(child.file_operation);
  // What fails because the end has come is no failure.
  const auto failed = [&](const char* what, const Error& error) {
    if (faults && faults->has_crashed()) end_here();
    std::fprintf(stderr, "the child cannot %s: %s\n", what, error.message().c_str());
    return 1;
  };
  auto opened = open_embedded_store({.directory = child.data}, {.faults = faults, .before_schema_step = before_step});
  if (!opened) return failed("open the store", opened.error());
  auto documents = Documents::open(**opened);
  if (!documents) return failed("open the documents", documents.error());
  const OpenStore store{.store = **opened, .documents = *documents};
  const Result<World> world = look(store);
  if (!world) return failed("read the documents", world.error());
  std::mt19937_64 random(child.seed);
  for (const Step& step : make_steps(random, *world, child.steps)) {
    const Told told = carry_out(step, store);
    send(report, told);
    if (told.answer == Answer::kFailed) end_here();
  }
  end_here();
}

}  // namespace dolmen::torture
