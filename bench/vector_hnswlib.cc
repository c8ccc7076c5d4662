// hnswlib chooses its vector instructions when it is compiled, so this file is compiled for the machine at hand.
#include "vector_yardstick.h"

#if __has_include(<hnswlib/hnswlib.h>)
#include <hnswlib/hnswlib.h>

namespace dolmen::bench {
namespace {

class Hnswlib final : public Yardstick {
 public:
  Hnswlib(std::size_t dimensions, std::size_t rows_max)
      : dimensions_(dimensions), space_(dimensions), graph_(&space_, rows_max, 16, 200) {}

  [[nodiscard]] std::string name() const override { return "hnswlib"; }
  void add(std::span<const float> vectors) override {
    for (std::size_t i = 0; i < vectors.size(); i += dimensions_) graph_.addPoint(&vectors[i], count_++);
  }
  [[nodiscard]] std::vector<std::uint32_t> search(std::span<const float> query, std::size_t top_k,
                                                  std::size_t width) override {
    graph_.setEf(width);
    std::vector<std::uint32_t> rows;
    for (auto found = graph_.searchKnn(query.data(), top_k); !found.empty(); found.pop())
      rows.push_back(static_cast<std::uint32_t>(found.top().second));
    return rows;
  }

 private:
  std::size_t dimensions_;
  std::size_t count_ = 0;
  hnswlib::L2Space space_;
  hnswlib::HierarchicalNSW<float> graph_;
};

}  // namespace

std::unique_ptr<Yardstick> make_hnswlib(std::size_t dimensions, std::size_t rows_max) {
  return std::make_unique<Hnswlib>(dimensions, rows_max);
}

}  // namespace dolmen::bench
#else
namespace dolmen::bench {
std::unique_ptr<Yardstick> make_hnswlib(std::size_t, std::size_t) { return nullptr; }
}  // namespace dolmen::bench
#endif
