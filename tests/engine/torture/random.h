#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace dolmen::torture {

/// Where every choice of a run comes from, so that a seed repeats the run.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t limit) { return engine_() % limit; }
  bool chance(unsigned percent) { return below(100) < percent; }

  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace dolmen::torture
