// fault_torture: an engine on a disk whose power fails, and whose calls fail one after the other.
//
// Power losses: random writes of items, transactions and batches, to tables with indexes, streams and times to live;
// the power fails at a random call, also while the store opens. What was not synced is lost, kept or torn at random.
// Then everything that was acknowledged must be there, nothing half, and the store must pass its own check.
//
// Failing calls: the n-th call of the disk fails with EIO, ENOSPC or half of a write, or is the last one before the
// power fails, for n = 1, 2, 3 ... until a run passes untouched. Reads must go on, and after a power loss the same must
// hold.
//
// `--losses N --kinds crash,eio,enospc,short --seed S --step K` repeats a run.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#include "base/test_directory.h"
#include "base/test_flags.h"
#include "world.h"

namespace dolmen::fault_torture {
namespace {

constexpr int kWritesMax = 60;
constexpr std::uint64_t kLossesPerLine = 1000;

/// Anything from nothing to everything of what was not synced may have reached the disk.
void lose_power(World& world) {
  world.plan().crash();
  world.close();
  const std::uint64_t mood = world.random(3);
  world.plan().drop_unsynced([&](std::uint64_t unsynced) {
    return mood == 0 ? 0 : mood == 1 ? unsynced : world.random(unsynced + 1);
  });
  world.renew_plan();
}

/// How many operations of the disk happen before its power fails.
std::uint64_t patience(World& world) { return world.random(4) == 0 ? world.random(20) : world.random(400); }

std::uint64_t lose_power_often(std::uint64_t losses, std::uint64_t seed) {
  const TemporaryDirectory temp;
  World world(temp / "data", seed);
  std::uint64_t i = 0;
  for (; i < losses && world.violations() == 0; ++i) {
    const bool while_opening = world.random(4) == 0;
    const std::uint64_t skip = patience(world);
    world.set_scene("seed " + std::to_string(seed) + ", loss " + std::to_string(i) + ", after " + std::to_string(skip) +
                    (while_opening ? " calls from the opening on" : " calls"));
    if (while_opening) world.plan().inject({.kind = storage::FaultKind::kPowerCut, .skip = skip});
    const bool opened = world.open();
    if (!opened && !world.plan().has_crashed()) world.violation("the store does not open");
    if (opened && !while_opening) {
      world.compare();
      world.plan().inject({.kind = storage::FaultKind::kPowerCut, .skip = skip});
      world.write(kWritesMax);
    }
    lose_power(world);
    if ((i + 1) % kLossesPerLine == 0) {
      std::printf("... %llu power losses\n", static_cast<unsigned long long>(i + 1));
      std::fflush(stdout);
    }
  }
  if (world.violations() == 0 && !world.open()) world.violation("the store does not open at the end");
  if (world.violations() == 0) world.compare();
  std::printf("%llu power losses, %llu acknowledged writes, %llu violations, seed %llu\n",
              static_cast<unsigned long long>(i), static_cast<unsigned long long>(world.acknowledged()),
              static_cast<unsigned long long>(world.violations()), static_cast<unsigned long long>(seed));
  return world.violations();
}

/// One run in which the n-th call fails. False when there were not so many calls.
bool fail_call(storage::FaultKind kind, const char* name, std::uint64_t n, std::uint64_t seed,
               std::uint64_t& violations) {
  const TemporaryDirectory temp;
  World world(temp / "data", seed);
  world.set_scene(std::string(name) + " at call " + std::to_string(n) + ", seed " + std::to_string(seed));
  if (!world.open()) world.violation("the store cannot be made");
  world.write(kWritesMax / 2);
  world.close();
  world.renew_plan().inject({.kind = kind, .skip = n - 1, .times = 1});
  // A store that refuses to open because of the fault opens without it.
  if (!world.open() && !world.plan().has_crashed() && !world.open())
    world.violation("the store does not open after the fault has passed");
  world.write(kWritesMax);
  const bool reached = world.plan().has_fired();
  if (!world.plan().has_crashed()) world.compare_reads();
  lose_power(world);
  if (!world.open()) world.violation("the store does not open after the power loss");
  if (world.violations() == 0) world.compare();
  violations += world.violations();
  return reached;
}

std::uint64_t fail_every_call(storage::FaultKind kind, const char* name, std::uint64_t step, std::uint64_t seed) {
  std::uint64_t violations = 0;
  std::uint64_t runs = 0;
  std::uint64_t n = 1;
  for (; fail_call(kind, name, n, seed, violations); n += step) ++runs;
  std::printf("%s: calls 1 to %llu in steps of %llu, %llu runs, %llu violations, seed %llu\n", name,
              static_cast<unsigned long long>(n - 1), static_cast<unsigned long long>(step),
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(violations),
              static_cast<unsigned long long>(seed));
  return violations;
}

int run(int count, char** arguments) {
  std::uint64_t losses = 0;
  std::uint64_t step = 0;
  std::uint64_t seed = std::random_device{}();
  std::string kinds = "crash,eio,enospc,short";
  if (const auto status = read_test_flags(
          "usage: fault_torture [--losses N] [--step K [--kinds crash,eio,enospc,short]] [--seed S]\n", count,
          arguments, {{"--losses", &losses}, {"--step", &step}, {"--kinds", &kinds}, {"--seed", &seed}}))
    return *status;
  std::uint64_t violations = 0;
  if (losses > 0) violations += lose_power_often(losses, seed);
  const auto wanted = [&](const char* name) { return step > 0 && kinds.find(name) != std::string::npos; };
  if (wanted("crash")) violations += fail_every_call(storage::FaultKind::kPowerCut, "crash", step, seed);
  if (wanted("eio")) violations += fail_every_call(storage::FaultKind::kIoError, "eio", step, seed);
  if (wanted("enospc")) violations += fail_every_call(storage::FaultKind::kNoSpace, "enospc", step, seed);
  if (wanted("short")) violations += fail_every_call(storage::FaultKind::kShortWrite, "short", step, seed);
  return violations == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dolmen::fault_torture

int main(int count, char** arguments) { return dolmen::fault_torture::run(count, arguments); }
