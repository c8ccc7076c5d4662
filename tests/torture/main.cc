// engine_torture: random operations on the real engine and on a model of it, answer by answer.
#include <charconv>
#include <cstdio>
#include <random>
#include <string_view>

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

bool read_number(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

/// False when the arguments make no sense.
bool read_arguments(int count, char** arguments, dolmen::torture::RunOptions& options) {
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    const std::string_view value = arguments[i + 1];
    if (name == "--data" && !value.empty()) {
      options.directory = value;
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
