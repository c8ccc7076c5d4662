#include "vector_yardstick.h"

#ifdef DOLMEN_HAS_FAISS
#include <faiss/IndexHNSW.h>

namespace dolmen::bench {
namespace {

class Faiss final : public Yardstick {
 public:
  explicit Faiss(std::size_t dimensions) : dimensions_(dimensions), index_(static_cast<int>(dimensions), 16) {
    index_.hnsw.efConstruction = 200;
  }

  [[nodiscard]] std::string name() const override { return "faiss"; }
  void add(std::span<const float> vectors) override {
    index_.add(static_cast<faiss::Index::idx_t>(vectors.size() / dimensions_), vectors.data());
  }
  [[nodiscard]] std::vector<std::uint32_t> search(std::span<const float> query, std::size_t top_k,
                                                  std::size_t width) override {
    index_.hnsw.efSearch = static_cast<int>(width);
    std::vector<float> distances(top_k);
    std::vector<faiss::Index::idx_t> rows(top_k);
    index_.search(1, query.data(), static_cast<faiss::Index::idx_t>(top_k), distances.data(), rows.data());
    return {rows.begin(), rows.end()};
  }

 private:
  std::size_t dimensions_;
  faiss::IndexHNSWFlat index_;
};

}  // namespace

std::unique_ptr<Yardstick> make_faiss(std::size_t dimensions) { return std::make_unique<Faiss>(dimensions); }

}  // namespace dolmen::bench
#else
namespace dolmen::bench {
std::unique_ptr<Yardstick> make_faiss(std::size_t) { return nullptr; }
}  // namespace dolmen::bench
#endif
