// Saved graphs of vectors: any bytes are loaded or refused with one code, also when their checksum and the fingerprints
// of their nodes are right; a graph that was loaded can be saved and loaded again, and its links lead to its nodes.
#include <array>

#include "base/endian.h"
#include "base/hash.h"
#include "fuzz/fuzz.h"
#include "vector/graph.h"
#include "vector/graph_file.h"

using namespace dolmen;
using namespace dolmen::vector;

namespace {

constexpr std::size_t kRows = 12;

/// Twelve vectors of two dimensions, of which the last is not live.
const RowStore& rows() {
  static const RowStore& store = [] -> const RowStore& {
    static RowStore made(2);
    DOLMEN_CHECK(made.grow(kRows), "there is memory");
    for (std::size_t i = 0; i < kRows; ++i) {
      const auto row = static_cast<Row>(i);
      made.write(row, std::array{static_cast<float>(i), 1.0F}, 0);
      if (i + 1 < kRows) made.set_live(row);
    }
    return made;
  }();
  return store;
}

void check_links(const Graph& graph) {
  const GraphLinks& links = graph.links();
  GraphLinks::Neighbours room;
  for (Row row = 0; row < kRows; ++row) {
    if (!links.is_node(row)) continue;
    for (std::size_t layer = 0; layer <= links.layer_of(row); ++layer)
      for (const Row next : links.neighbours(row, layer, room))
        DOLMEN_CHECK(links.is_node(next) && links.layer_of(next) >= layer, "a link leads to a node of its layer");
  }
}

void check(std::string_view bytes) {
  Graph graph(rows(), Distance::kEuclidean, 1);
  const Result<std::size_t> loaded = GraphFile::load(bytes, graph);
  if (!loaded) {
    DOLMEN_CHECK(loaded.error().code() == Code::kCorruption, "a refusal has one code");
    return;
  }
  if (*loaded == 0) return;
  check_links(graph);
  Graph again(rows(), Distance::kEuclidean, 1);
  DOLMEN_CHECK(GraphFile::load(GraphFile::save(graph), again) == *loaded, "a graph reads back");
}

/// Takes bytes from the front; zeros when there are no more.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::uint8_t next() { return at_ < bytes_.size() ? static_cast<std::uint8_t>(bytes_[at_++]) : 0; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// A file that is right in what a fuzzer cannot guess: one byte for the number of nodes; for each node one that names a
/// row, one for its highest layer, and for each layer the number of links and the links, of one byte each.
std::string described(std::string_view input) {
  Bytes in(input);
  const std::uint8_t nodes = in.next();
  std::string out("DLMGRAPH");
  for (const std::uint32_t number : {1U, 2U, static_cast<std::uint32_t>(Distance::kEuclidean)})
    append_big_endian(out, number);
  append_big_endian(out, std::uint64_t{nodes});
  for (std::size_t node = 0; node < nodes; ++node) {
    const std::uint8_t row = in.next();
    const bool known = row < kRows;
    append_big_endian(out, known ? hash64({reinterpret_cast<const char*>(rows().floats(row)), 2 * sizeof(float)})
                                 : std::uint64_t{row});
    const auto layers = static_cast<std::uint8_t>(in.next() % 16);
    append_big_endian(out, layers);
    for (std::size_t layer = 0; layer <= layers; ++layer) {
      const std::uint8_t links = in.next();
      append_big_endian(out, links);
      for (std::size_t link = 0; link < links; ++link) append_big_endian(out, std::uint32_t{in.next()});
    }
  }
  append_big_endian(out, hash64(out));
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  check(input);
  std::string summed(input);
  append_big_endian(summed, hash64(input));
  check(summed);
  check(described(input));
  return 0;
}
