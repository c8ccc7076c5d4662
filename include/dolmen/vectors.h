#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/operations.h"
#include "dolmen/value.h"

/// What `Store::search_vectors` takes and returns:
///
///     auto found = store->search_vectors("docs", "by_meaning", vector, {.top_k = 10, .where = key("tenant") == "t1"});
///     for (const auto& [item, score] : found.value()) print(item, score);
namespace dolmen {

struct VectorSearchOptions {
  /// 1 to 100.
  std::uint32_t top_k = 10;
  /// Attributes of the index's `search` by `==`, joined by `&&`. One that is SearchRole::kHash must be there.
  Condition where = {};
  /// All that the index has, without the vector, unless it names something. The vector itself must be named.
  Projection projection = {};
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct VectorHit {
  Item item;
  /// VectorDistance::kCosine: 1 - cosine, from 0 (same direction) to 2, smallest first. kEuclidean: the distance,
  /// smallest first. kDotProduct: the product, largest first. Computed with 64 bits and rounded to 32.
  double score = 0;

  friend bool operator==(const VectorHit&, const VectorHit&) = default;
};

/// The nearest items, best first; fewer than `top_k` only when no more match.
struct VectorHits {
  std::vector<VectorHit> hits;
  /// The bytes that DynamoDB charges for, when capacity was asked for.
  std::optional<double> search_bytes = std::nullopt;

  [[nodiscard]] auto begin() const { return hits.begin(); }
  [[nodiscard]] auto end() const { return hits.end(); }
  [[nodiscard]] bool empty() const { return hits.empty(); }
  [[nodiscard]] std::size_t size() const { return hits.size(); }
  [[nodiscard]] const VectorHit& operator[](std::size_t position) const { return hits[position]; }
};

/// A vector as the value of an attribute: a list of numbers, each the shortest decimal that names its float. Fails with
/// kValidation when a number is NaN or infinite.
Result<List> vector_list(std::span<const float> vector);

/// The floats of such an attribute, each the nearest to its number. Fails with kValidation when the value is something
/// else, or when a number is too large for a float.
Result<std::vector<float>> vector_of(const AttributeValue& value);

}  // namespace dolmen
