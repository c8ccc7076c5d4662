#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// A fuzzer and its name. It stops the process when an input breaks a rule.
struct Fuzzer {
  const char* name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};

/// All of them. The build makes the list (CMakeLists.txt).
extern const std::span<const Fuzzer> kFuzzers;
