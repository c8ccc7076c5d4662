#include "vector/prepared_query.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/check.h"

namespace dolmen::vector {
namespace {

using FloatLimits = std::numeric_limits<float>;

float narrowed(double value) {
  constexpr double kMax = FloatLimits::max();
  return static_cast<float>(std::clamp(value, -kMax, kMax));
}

float rounded_up(double value) { return std::nextafter(static_cast<float>(value), FloatLimits::infinity()); }

/// `squares` are the squared lengths. The root of the product, not the product of roots: it makes the score of equal
/// vectors exactly 0.
float cosine_score(double dot, double squares_a, double squares_b) {
  if (squares_a == 0 || squares_b == 0) return 1.0F;
  return static_cast<float>(std::clamp(1.0 - dot / std::sqrt(squares_a * squares_b), 0.0, 2.0));
}

}  // namespace

float score(Distance distance, std::span<const float> a, std::span<const float> b) {
  DOLMEN_CHECK(a.size() == b.size(), "vectors to compare have equal lengths");
  const std::size_t stride = (a.size() + 7) / 8 * 8;
  const PreparedQuery query(distance, stride, a);
  const PreparedQuery other(Distance::kEuclidean, stride, b);
  return query.score(other.floats());
}

void PreparedQuery::Free::operator()(float* floats) const { std::free(floats); }

PreparedQuery::Floats PreparedQuery::aligned_copy(std::span<const float> vector, std::size_t stride) {
  constexpr std::size_t kAlignment = 64;
  const std::size_t bytes = (stride * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment;
  Floats copy(static_cast<float*>(std::aligned_alloc(kAlignment, bytes)));
  DOLMEN_CHECK(copy != nullptr, "there is memory for one vector");
  std::fill(std::ranges::copy(vector, copy.get()).out, copy.get() + stride, 0.0F);
  return copy;
}

PreparedQuery::PreparedQuery(Distance distance, std::size_t stride, std::span<const float> query)
    : distance_(distance), stride_(stride), kernels_(kernels()), query_(aligned_copy(query, stride)) {
  norm2_ = kernels_.exact_dot(query_.get(), query_.get(), stride);
  // Each of at least eight partial sums has stride / 8 terms; 16 more roundings cover adding them up, the lengths and
  // the rounding of scores. Twice that, to be far from doubt.
  error_ = 2 * (static_cast<double>(stride) / 8 + 16) * std::ldexp(1.0, -24);
  floor_ = 2 * static_cast<double>(stride) * static_cast<double>(FloatLimits::denorm_min());
  slack_ = rounded_up(error_ * std::sqrt(norm2_));
  if (distance != Distance::kCosine) return;
  unit_ = aligned_copy(query, stride);
  const double length = std::sqrt(norm2_);
  for (std::size_t i = 0; i < query.size() && length > 0; ++i)
    unit_[i] = static_cast<float>(static_cast<double>(query[i]) / length);
}

float PreparedQuery::score(const float* row) const {
  if (distance_ == Distance::kEuclidean) return narrowed(std::sqrt(kernels_.exact_squares(query_.get(), row, stride_)));
  const double dot = kernels_.exact_dot(query_.get(), row, stride_);
  if (distance_ == Distance::kDotProduct) return narrowed(dot);
  return cosine_score(dot, norm2_, kernels_.exact_dot(row, row, stride_));
}

float PreparedQuery::key_limit(float score) const {
  const auto wide = static_cast<double>(score);
  if (distance_ == Distance::kCosine) return rounded_up(wide - 1 + error_);
  if (distance_ == Distance::kDotProduct) return rounded_up(-wide + std::abs(wide) * error_ + floor_);
  return rounded_up(std::min(wide * wide * (1 + error_) + floor_, static_cast<double>(FloatLimits::infinity())));
}

}  // namespace dolmen::vector
