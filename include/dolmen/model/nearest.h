#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/condition.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/model/query.h"
#include "dolmen/nearest.h"
#include "dolmen/vectors.h"

/// Searches for the items of a model whose vectors are nearest to another.
namespace dolmen {

struct ModelSearchOptions {
  /// 1 to 100.
  std::uint32_t top_k = 10;
  /// Attributes that the index searches by, each with `==`, joined by `&&`. One that is SearchRole::kHash must be
  /// there.
  FieldCondition where = {};
  /// All that the index carries, with the vector, when it is empty.
  std::vector<std::string> fields = {};
};

/// An item that a search has found, and how near it is (VectorHit).
struct ModelHit {
  LogicalItem item;
  double score = 0;

  friend bool operator==(const ModelHit&, const ModelHit&) = default;
};

namespace detail {

/// What the store is asked for a search, and whether items may come without some of their attributes.
struct ModelSearch {
  VectorSearchOptions options;
  bool is_partial = false;
};

/// `all_fields` are read where the options name none. Fails with kInvalidOperator when the model has no such vector
/// index, and as conditions do.
Result<ModelSearch> model_search(const ModelSource& source, const std::string& index, const ModelSearchOptions& options,
                                 const std::vector<std::string>& all_fields);

}  // namespace detail

}  // namespace dolmen
