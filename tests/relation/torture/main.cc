// relation_torture: random operations on a relational store and on a model of it, with crashes, then races of threads.
#include <cstdio>
#include <random>
#include <string_view>

#include "base/test_flags.h"
#include "run.h"

namespace {

constexpr std::string_view kUsage =
    "usage: relation_torture [--ops N] [--seed S] [--endpoint URL]\n"
    "\n"
    "Carries out N random operations (default: 100000) on a relational store and on a model of it and compares every\n"
    "answer and everything that is stored. Some of them crash on the way and are resumed. Then threads race for\n"
    "unique values, parents and deletes. Ends with status 1 at the first violation.\n"
    "\n"
    "  --ops N         how many operations\n"
    "  --seed S        repeats the run with that seed; without it, a new one\n"
    "  --endpoint URL  a store elsewhere, or any other address of a store; without it, one in memory\n"
    "  --help          this text\n";

}  // namespace

int main(int count, char** arguments) {
  dolmen::torture::RunOptions options{.seed = std::random_device{}()};
  if (const auto status = dolmen::read_test_flags(
          kUsage, count, arguments,
          {{"--ops", &options.operations}, {"--seed", &options.seed}, {"--endpoint", &options.endpoint}}))
    return *status;
  std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  dolmen::torture::Run run(options);
  const bool good = run.go();
  const auto operations = static_cast<unsigned long long>(run.operations());
  if (!good) {
    std::printf("%s %llu: %s\n", run.started() ? "violation at operation" : "cannot start; operation", operations,
                run.violation()->c_str());
    if (!run.started()) return 2;
    std::printf("%llu operations, 1 violations\n", operations);
    return 1;
  }
  std::printf("%llu crashes, %llu deletes resumed\n", static_cast<unsigned long long>(run.crashes()),
              static_cast<unsigned long long>(run.resumed()));
  std::printf("%llu operations, 0 violations\n", operations);
  return 0;
}
