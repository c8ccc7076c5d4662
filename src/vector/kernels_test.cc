#include "vector/kernels.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "base/test_seed.h"
#include "vector/zeroed_memory.h"

namespace dolmen::vector {
namespace {

constexpr std::size_t kLongest = 4096;

/// Aligned floats, as the kernels want them.
class AlignedFloats {
 public:
  explicit AlignedFloats(std::mt19937_64& random) : floats_(reinterpret_cast<float*>(allocate_zeroed(kBytes))) {
    std::uniform_real_distribution<float> numbers(-1, 1);
    for (std::size_t i = 0; i < kLongest; ++i) floats_[i] = numbers(random);
  }
  ~AlignedFloats() { free_zeroed(reinterpret_cast<std::byte*>(floats_), kBytes); }
  AlignedFloats(const AlignedFloats&) = delete;
  AlignedFloats& operator=(const AlignedFloats&) = delete;
  [[nodiscard]] const float* get() const { return floats_; }

 private:
  static constexpr std::size_t kBytes = kLongest * sizeof(float);
  float* floats_;
};

TEST(Kernels, agree_with_a_plain_loop_for_every_length) {
  std::mt19937_64 random(test_seed("Kernels"));
  const AlignedFloats a(random);
  const AlignedFloats b(random);
  const AlignedFloats c(random);
  const float* const rows[] = {b.get(), c.get()};
  for (const Kernels* kernels : {&portable_kernels(), &dolmen::vector::kernels()}) {
    SCOPED_TRACE(kernels->name);
    for (std::size_t floats = 8; floats <= kLongest; floats += floats < 256 ? 8 : 1000 / 8 * 8) {
      for (std::size_t row = 0; row < 2; ++row) {
        double dot = 0;
        double squares = 0;
        for (std::size_t i = 0; i < floats; ++i) {
          const double x = a.get()[i];
          const double y = rows[row][i];
          dot += x * y;
          squares += (x - y) * (x - y);
        }
        float quick[2];
        kernels->dot(a.get(), rows, 2, floats, quick);
        EXPECT_NEAR(static_cast<double>(quick[row]), dot, 1e-6 * static_cast<double>(floats));
        kernels->squares(a.get(), rows, 2, floats, quick);
        EXPECT_NEAR(static_cast<double>(quick[row]), squares, 1e-6 * static_cast<double>(floats));
        EXPECT_NEAR(kernels->exact_dot(a.get(), rows[row], floats), dot, 1e-12 * static_cast<double>(floats));
        EXPECT_NEAR(kernels->exact_squares(a.get(), rows[row], floats), squares, 1e-12 * static_cast<double>(floats));
      }
    }
  }
}

}  // namespace
}  // namespace dolmen::vector
