#include "vector/kernels.h"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace dolmen::vector {
namespace {

// ---- Portable ----

/// Independent sums, so that a compiler may use vector instructions without changing the result.
constexpr std::size_t kLanes = 8;

template <class Number, class Term>
Number portable_sum(const float* a, const float* b, std::size_t floats, Term term) {
  std::array<Number, kLanes> sums{};
  for (std::size_t i = 0; i < floats; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += term(static_cast<Number>(a[i + lane]), static_cast<Number>(b[i + lane]));
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

constexpr auto kProduct = [](auto a, auto b) { return a * b; };
constexpr auto kSquare = [](auto a, auto b) { return (a - b) * (a - b); };

void portable_dot(const float* query, const float* const* rows, std::size_t count, std::size_t floats, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = portable_sum<float>(query, rows[i], floats, kProduct);
}

void portable_squares(const float* query, const float* const* rows, std::size_t count, std::size_t floats, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = portable_sum<float>(query, rows[i], floats, kSquare);
}

double portable_exact_dot(const float* a, const float* b, std::size_t floats) {
  return portable_sum<double>(a, b, floats, kProduct);
}

double portable_exact_squares(const float* a, const float* b, std::size_t floats) {
  return portable_sum<double>(a, b, floats, kSquare);
}

constexpr Kernels kPortable{"portable", portable_dot, portable_squares, portable_exact_dot, portable_exact_squares};

// ---- AVX2 with FMA ----

#if defined(__x86_64__)
#define DOLMEN_AVX2 __attribute__((target("avx2,fma")))

DOLMEN_AVX2 inline float sum_of(__m256 lanes) {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

DOLMEN_AVX2 inline double sum_of(__m256d lanes) {
  const __m128d sum = _mm_add_pd(_mm256_castpd256_pd128(lanes), _mm256_extractf128_pd(lanes, 1));
  return _mm_cvtsd_f64(_mm_add_sd(sum, _mm_unpackhi_pd(sum, sum)));
}

template <bool kSquares>
DOLMEN_AVX2 inline __m256 add_term(const float* a, const float* b, __m256 sum) {
  const __m256 left = _mm256_load_ps(a);
  const __m256 right = _mm256_load_ps(b);
  if constexpr (!kSquares) return _mm256_fmadd_ps(left, right, sum);
  const __m256 difference = _mm256_sub_ps(left, right);
  return _mm256_fmadd_ps(difference, difference, sum);
}

/// Four sums hide the latency of the additions.
template <bool kSquares>
DOLMEN_AVX2 inline float avx2_sum(const float* a, const float* b, std::size_t floats) {
  __m256 sum0 = _mm256_setzero_ps();
  __m256 sum1 = sum0;
  __m256 sum2 = sum0;
  __m256 sum3 = sum0;
  std::size_t i = 0;
  for (; i + 32 <= floats; i += 32) {
    sum0 = add_term<kSquares>(a + i, b + i, sum0);
    sum1 = add_term<kSquares>(a + i + 8, b + i + 8, sum1);
    sum2 = add_term<kSquares>(a + i + 16, b + i + 16, sum2);
    sum3 = add_term<kSquares>(a + i + 24, b + i + 24, sum3);
  }
  for (; i < floats; i += 8) sum0 = add_term<kSquares>(a + i, b + i, sum0);
  return sum_of(_mm256_add_ps(_mm256_add_ps(sum0, sum1), _mm256_add_ps(sum2, sum3)));
}

template <bool kSquares>
DOLMEN_AVX2 void avx2_rows(const float* query, const float* const* rows, std::size_t count, std::size_t floats,
                           float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = avx2_sum<kSquares>(query, rows[i], floats);
}

template <bool kSquares>
DOLMEN_AVX2 inline __m256d add_exact(const float* a, const float* b, __m256d sum) {
  const __m256d left = _mm256_cvtps_pd(_mm_load_ps(a));
  const __m256d right = _mm256_cvtps_pd(_mm_load_ps(b));
  if constexpr (!kSquares) return _mm256_fmadd_pd(left, right, sum);
  const __m256d difference = _mm256_sub_pd(left, right);
  return _mm256_fmadd_pd(difference, difference, sum);
}

template <bool kSquares>
DOLMEN_AVX2 double avx2_exact(const float* a, const float* b, std::size_t floats) {
  __m256d sum0 = _mm256_setzero_pd();
  __m256d sum1 = sum0;
  for (std::size_t i = 0; i < floats; i += 8) {
    sum0 = add_exact<kSquares>(a + i, b + i, sum0);
    sum1 = add_exact<kSquares>(a + i + 4, b + i + 4, sum1);
  }
  return sum_of(_mm256_add_pd(sum0, sum1));
}

constexpr Kernels kAvx2{"AVX2", avx2_rows<false>, avx2_rows<true>, avx2_exact<false>, avx2_exact<true>};
#endif

}  // namespace

const Kernels& portable_kernels() { return kPortable; }

const Kernels& kernels() {
#if defined(__x86_64__)
  static const Kernels& best = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? kAvx2 : kPortable;
  return best;
#else
  return kPortable;
#endif
}

}  // namespace dolmen::vector
