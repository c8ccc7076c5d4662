#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dolmen::bench {

/// Another library's graph, for comparison. Finds by Euclidean distance.
class Yardstick {
 public:
  virtual ~Yardstick() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  virtual void add(std::span<const float> vectors) = 0;
  [[nodiscard]] virtual std::vector<std::uint32_t> search(std::span<const float> query, std::size_t top_k,
                                                          std::size_t width) = 0;
};

/// Null where the library was not there when this was built.
std::unique_ptr<Yardstick> make_hnswlib(std::size_t dimensions, std::size_t rows_max);
std::unique_ptr<Yardstick> make_faiss(std::size_t dimensions);

}  // namespace dolmen::bench
