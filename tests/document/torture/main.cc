// document_torture: random operations on documents, crashes at every point, and a look at what is there afterwards.
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/test_flags.h"
#include "run.h"

namespace {

constexpr std::string_view kUsage =
    "usage: document_torture [--runs N] [--seed S]\n"
    "\n"
    "Publishes schemas, writes documents, moves them between versions, builds and drops indexes, and binds a table to\n"
    "contracts while items are put into it, in a new store, N times (default: 100). Each time the store is ended twice "
    "in a\n"
    "way that it cannot foresee: kill -9 at a moment, in a step of a publication or at an operation on a file, or a "
    "disk "
    "that\n"
    "fails, fills up or loses what was not synced. Then everything that was acknowledged must be there, with the "
    "revision that\n"
    "was told, and nothing else but the one operation under way; every document must fit its schema and be there in "
    "one\n"
    "version; indexes must agree with documents; an item must have been refused if and only if the contract says so "
    "that "
    "was\n"
    "bound last; and the same question must have the same answer twice. Ends with status 1 when something was wrong.\n"
    "\n"
    "  --runs N   how many runs\n"
    "  --seed S   the seed of the first run, each has the next one; without it, a new one\n"
    "  --help     this text\n";

using dolmen::read_number;

int child_main(const std::vector<std::string>& arguments) {
  constexpr int kReport = 3;
  dolmen::torture::Child child;
  if (arguments.size() != 6) return 2;
  child.data = arguments[1];
  const bool read = read_number(arguments[2], child.seed) && read_number(arguments[3], child.steps) &&
                    read_number(arguments[4], child.publication_step) &&
                    read_number(arguments[5], child.file_operation);
  return read ? dolmen::torture::run_child(child, kReport) : 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] == "--child") return child_main(arguments);
  std::uint64_t runs = 100;
  std::uint64_t seed = std::random_device{}();
  if (const auto status = dolmen::read_test_flags(kUsage, argc, argv, {{"--runs", &runs}, {"--seed", &seed}}))
    return *status;
  std::printf("document_torture --runs %llu --seed %llu\n", static_cast<unsigned long long>(runs),
              static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  std::uint64_t violations = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const std::string problem = dolmen::torture::run_once(program, seed + run);
    if (problem.empty()) continue;
    ++violations;
    std::printf("violation, replay with --runs 1 --seed %llu\n  %s\n", static_cast<unsigned long long>(seed + run),
                problem.c_str());
    std::fflush(stdout);
  }
  std::printf("%llu runs, %llu violations\n", static_cast<unsigned long long>(runs),
              static_cast<unsigned long long>(violations));
  return violations == 0 ? 0 : 1;
}
