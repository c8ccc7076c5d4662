#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace dolmen {

/// The seed of a random test: DOLMEN_SEED when that is set, otherwise a new one. Printed, so that a failure can be
/// repeated.
inline std::uint64_t test_seed(const char* test) {
  const char* given = std::getenv("DOLMEN_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  std::printf("%s: DOLMEN_SEED=%llu\n", test, static_cast<unsigned long long>(seed));
  return seed;
}

}  // namespace dolmen
