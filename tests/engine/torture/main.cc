// engine_torture: random operations on the real engine and on a model of it, answer by answer.
#include <cstdio>
#include <random>
#include <string>
#include <string_view>

#include "base/test_flags.h"
#include "run.h"

namespace {

constexpr std::string_view kUsage =
    "usage: engine_torture [--ops N] [--seed S] [--data DIR]\n"
    "\n"
    "Sends N random operations (default: 100000) to the engine and to a model of it and compares every answer, and "
    "now\n"
    "and then everything that is stored. Ends with status 1 at the first difference.\n"
    "\n"
    "  --ops N     how many operations\n"
    "  --seed S    repeats the run with that seed; without it, a new one\n"
    "  --data DIR  a store on disk in a new directory, closed and reopened now and then; without it, in memory\n"
    "  --help      this text\n";

}  // namespace

int main(int count, char** arguments) {
  dolmen::torture::RunOptions options{.seed = std::random_device{}()};
  std::string directory;
  if (const auto status =
          dolmen::read_test_flags(kUsage, count, arguments,
                                  {{"--ops", &options.operations}, {"--seed", &options.seed}, {"--data", &directory}}))
    return *status;
  if (!directory.empty()) options.directory = directory;
  std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  dolmen::torture::Run run(options);
  const bool ran = run.go();
  const auto operations = static_cast<unsigned long long>(run.operations());
  if (const auto& violation = run.violation()) {
    std::printf("%s %llu: %s\n", ran ? "violation at operation" : "cannot start; operation", operations,
                violation->c_str());
    if (!ran) return 2;
    std::printf("%llu operations, 1 violations\n", operations);
    return 1;
  }
  std::printf("%llu operations, 0 violations\n", operations);
  return 0;
}
