#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "dolmen/clock.h"

namespace dolmen {

/// A source of random bytes. Passed in wherever identifiers or jitter are made, so that a test is repeatable.
/// Implementations may be called from any thread.
class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::span<std::byte> out) = 0;

  std::uint64_t next_u64();
};

/// The operating system's generator, fit for secrets. Lives as long as the process.
Random& system_random();

/// The given generator, or the operating system's when `given` is empty.
RandomNumbers or_system_random(RandomNumbers given);

/// Bytes from a function that returns numbers. The function must outlive it and be callable from any thread.
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
