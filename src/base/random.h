#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "dolmen/clock.h"

namespace dolmen {

/// Where random bytes come from. Passed in wherever identifiers or jitter are made, so that a test can repeat itself.
/// Implementations may be called from any thread.
class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::span<std::byte> out) = 0;

  std::uint64_t next_u64();
};

/// The operating system's generator, fit for secrets. Lives as long as the process.
Random& system_random();

/// What was given, or the operating system's generator when it is empty.
RandomNumbers or_system_random(RandomNumbers given);

/// Bytes from a function of numbers, which must outlive it and be callable from any thread.
class FunctionRandom final : public Random {
 public:
  explicit FunctionRandom(const std::function<std::uint64_t()>& next) : next_(next) {}
  void fill(std::span<std::byte> out) override;

 private:
  const std::function<std::uint64_t()>& next_;
};

/// A version 4 UUID in its usual text form.
std::string random_uuid(Random& random);

}  // namespace dolmen
