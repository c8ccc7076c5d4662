// partiql_twins: random statements and the expressions that mean the same, on two tables that must stay equal.
#include <cstdio>
#include <random>
#include <string_view>

#include "base/test_flags.h"
#include "twins.h"

namespace {

constexpr std::string_view kUsage =
    "usage: partiql_twins [--ops N] [--seed S]\n"
    "\n"
    "Carries out N random statements (default: 100000) on one table, and on another table the calls with expressions\n"
    "that mean the same. Ends with status 1 at the first difference.\n"
    "\n"
    "  --ops N   how many statements\n"
    "  --seed S  repeats the run with that seed; without it, a new one\n"
    "  --help    this text\n";

}  // namespace

int main(int count, char** arguments) {
  std::uint64_t operations = 100000;
  std::uint64_t seed = std::random_device{}();
  if (const auto status =
          dolmen::read_test_flags(kUsage, count, arguments, {{"--ops", &operations}, {"--seed", &seed}}))
    return *status;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  dolmen::twins::Twins twins(seed);
  for (std::uint64_t i = 0; i < operations; ++i)
    if (const std::string difference = twins.step(); !difference.empty()) {
      std::printf("difference at statement %llu: %s\n", static_cast<unsigned long long>(i), difference.c_str());
      return 1;
    }
  std::printf("%llu statements, %llu refused by both, 0 differences\n", static_cast<unsigned long long>(operations),
              static_cast<unsigned long long>(twins.refused()));
  return 0;
}
