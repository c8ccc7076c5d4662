// Gives every fuzzer the inputs of its corpus: fuzz_replay FOLDER, where FOLDER/NAME has the inputs of the fuzzer NAME.
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/replay/replay.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: fuzz_replay FOLDER\n");
    return 2;
  }
  int without = 0;
  for (const Fuzzer& fuzzer : kFuzzers) {
    std::size_t inputs = 0;
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / fuzzer.name;
    if (std::filesystem::is_directory(folder)) {
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        // Said before it is run, because a broken rule ends the process.
        fmt::print("{} {}\n", fuzzer.name, entry.path().filename().string());
        std::fflush(stdout);
        fuzzer.run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        ++inputs;
      }
    }
    if (inputs == 0) {
      fmt::print("{} has no inputs in {}\n", fuzzer.name, folder.string());
      ++without;
    }
  }
  return without == 0 ? 0 : 1;
}
