// relation_torture: random operations on a relational store and on a model of it, with crashes, then races of threads.
#include <charconv>
#include <cstdio>
#include <random>
#include <string_view>

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

bool read_number(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

/// False when the arguments make no sense.
bool read_arguments(int count, char** arguments, dolmen::torture::RunOptions& options) {
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    const std::string_view value = arguments[i + 1];
    if (name == "--endpoint" && !value.empty()) {
      options.endpoint = value;
    } else if (name != "--ops" && name != "--seed") {
      return false;
    } else if (!read_number(value, name == "--ops" ? options.operations : options.seed)) {
      return false;
    }
  }
  return count % 2 == 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "--help") {
    std::fputs(kUsage.data(), stdout);
    return 0;
  }
  dolmen::torture::RunOptions options{.seed = std::random_device{}()};
  if (!read_arguments(count, arguments, options)) {
    std::fputs(kUsage.data(), stderr);
    return 2;
  }
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
