#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/requests.h"

/// SearchVectors as it travels between the rooms.
namespace dolmen {

/// How a search finds the nearest vectors. DynamoDB has no such parameter: it always means kAuto.
enum class VectorSearchMode : std::uint8_t { kAuto, kExact, kApproximate };

struct SearchVectorsRequest {
  std::string table;
  std::string index;
  /// Finite numbers; their count has not been compared with the index.
  std::vector<float> vector;
  /// 1 to 100.
  std::uint32_t top_k = 10;
  std::optional<Expression> condition = std::nullopt;
  std::optional<Expression> projection = std::nullopt;
  expr::Placeholders placeholders = {};
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Only for an embedded service.
  VectorSearchMode mode = VectorSearchMode::kAuto;
  /// Where a short search goes when it would have to wait for the disk (see WriteRequest).
  const Elsewhere* elsewhere = nullptr;
};

struct FoundVector {
  /// Without the vector.
  EncodedItem item;
  double score = 0;
  /// The elements of the vector that the projection asks for; usually none.
  std::vector<float> vector = {};
};

struct SearchVectorsResponse {
  /// Best first.
  std::vector<FoundVector> results;
  /// The name of the attribute of `FoundVector::vector`.
  std::string vector_attribute = {};
  /// VectorSearchRequestBytes, when capacity was asked for.
  std::optional<double> search_bytes = std::nullopt;
};

}  // namespace dolmen
