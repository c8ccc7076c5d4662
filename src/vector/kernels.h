#pragma once

#include <cstddef>

namespace dolmen::vector {

/// The inner loops, in the best form that this processor can run. `floats` is a multiple of 8, rows and query are
/// aligned to 32 bytes and end in zeros where vectors are shorter.
struct Kernels {
  const char* name;

  /// For each row the sum of the products, or of the squared differences, in binary32. The relative error is that of
  /// sums over at most floats / 8 numbers each, which `PreparedQuery` allows for.
  void (*dot)(const float* query, const float* const* rows, std::size_t count, std::size_t floats, float* out);
  void (*squares)(const float* query, const float* const* rows, std::size_t count, std::size_t floats, float* out);

  /// The same for one row in binary64.
  double (*exact_dot)(const float* a, const float* b, std::size_t floats);
  double (*exact_squares)(const float* a, const float* b, std::size_t floats);
};

/// For processors that have nothing better.
const Kernels& portable_kernels();
/// The fastest that this processor has; chosen once.
const Kernels& kernels();

}  // namespace dolmen::vector
