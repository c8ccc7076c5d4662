#include "vector/comparer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dolmen::vector {
namespace {

using KeyLimits = std::numeric_limits<float>;

/// Outside of these, products with the reciprocal of a length lose digits to underflow or overflow.
constexpr double kLengthMin = 1e-18;
constexpr double kLengthMax = 1e18;

}  // namespace

float measure_of(Distance distance, std::span<const float> vector) {
  if (distance == Distance::kEuclidean) return 0.0F;
  double squares = 0;
  for (const float number : vector) squares += static_cast<double>(number) * static_cast<double>(number);
  const double length = std::sqrt(squares);
  if (distance == Distance::kDotProduct) return std::nextafter(static_cast<float>(length), KeyLimits::infinity());
  if (length == 0) return 0.0F;
  if (length < kLengthMin || length > kLengthMax) return KeyLimits::quiet_NaN();
  return static_cast<float>(1.0 / length);
}

void Comparer::keys(std::span<const Row> rows, float* keys) const {
  std::array<const float*, kRowsAtOnce> at;
  for (std::size_t i = 0; i < rows.size(); ++i) at[i] = store_.floats(rows[i]);
  if (distance_ == Distance::kEuclidean) return kernels_.squares(query_, at.data(), rows.size(), store_.stride(), keys);
  kernels_.dot(query_, at.data(), rows.size(), store_.stride(), keys);
  if (distance_ == Distance::kCosine)
    for (std::size_t i = 0; i < rows.size(); ++i) keys[i] *= -factor_ * store_.measure(rows[i]);
  else
    for (std::size_t i = 0; i < rows.size(); ++i) keys[i] = -keys[i];
}

void Comparer::finite_keys(std::span<const Row> rows, float* keys) const {
  this->keys(rows, keys);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!std::isfinite(keys[i])) [[unlikely]]
      keys[i] = slow_key(rows[i]);
}

float Comparer::finite_key(Row row) const {
  float key = 0;
  finite_keys({&row, 1}, &key);
  return key;
}

float Comparer::slow_key(Row row) const {
  const float* const other = store_.floats(row);
  const std::size_t stride = store_.stride();
  double key = 0;
  if (distance_ == Distance::kEuclidean) {
    key = kernels_.exact_squares(query_, other, stride);
  } else {
    key = -kernels_.exact_dot(query_, other, stride);
    if (distance_ == Distance::kCosine) {
      const double squares = kernels_.exact_dot(query_, query_, stride) * kernels_.exact_dot(other, other, stride);
      key = squares > 0 ? key / std::sqrt(squares) : 0;
    }
  }
  constexpr double kMax = KeyLimits::max();
  return static_cast<float>(std::clamp(key, -kMax, kMax));
}

}  // namespace dolmen::vector
