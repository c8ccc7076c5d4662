#include "vector/graph_file.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"

namespace dolmen::vector {
namespace {

constexpr std::string_view kMagic = "DLMGRAPH";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kNoOrdinal = UINT32_MAX;
/// The least part of the saved nodes that must be found again: 4 of 5.
constexpr std::size_t kFoundOfFive = 4;

struct FingerprintedRow {
  std::uint64_t fingerprint;
  std::uint32_t number;  ///< A row or the ordinal of a node.

  friend auto operator<=>(const FingerprintedRow&, const FingerprintedRow&) = default;
};

std::uint64_t fingerprint(const RowStore& store, Row row) {
  return hash64({reinterpret_cast<const char*>(store.floats(row)), store.dimensions() * sizeof(float)});
}

template <class Visit>
void for_each_row(const RowStore& store, const auto& word_of, const Visit& visit) {
  for (std::size_t word = 0; word * 64 < store.end(); ++word)
    for (std::uint64_t bits = word_of(word); bits != 0; bits &= bits - 1)
      visit(static_cast<Row>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
}

/// Reads numbers, and remembers when there were too few bytes.
class GraphBytes {
 public:
  explicit GraphBytes(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  Number read() {
    if (bytes_.size() - at_ < sizeof(Number)) return failed_ = true, Number{};
    const Number number = read_big_endian<Number>(bytes_.substr(at_));
    at_ += sizeof(Number);
    return number;
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

/// What a file says, with ordinals for nodes. The links of all nodes stand one after the other.
struct SavedGraph {
  struct List {
    std::uint64_t begin = 0;
    std::uint8_t count = 0;
  };

  std::vector<std::uint64_t> fingerprints;
  std::vector<std::uint64_t> first_list;  ///< Of each node in `lists`; has one more element than there are nodes.
  std::vector<List> lists;
  std::vector<std::uint32_t> links;

  [[nodiscard]] std::size_t layers(std::size_t node) const { return first_list[node + 1] - first_list[node]; }
  [[nodiscard]] std::span<const std::uint32_t> neighbours(std::size_t node, std::size_t layer) const {
    const List& list = lists[first_list[node] + layer];
    return std::span(links).subspan(list.begin, list.count);
  }
};

std::unexpected<Error> damaged(std::string_view what) { return fail(Code::kCorruption, "the saved graph {}", what); }

Result<void> read_node(GraphBytes& in, std::size_t nodes, SavedGraph& saved) {
  saved.fingerprints.push_back(in.read<std::uint64_t>());
  const std::size_t layers = in.read<std::uint8_t>() + std::size_t{1};
  if (layers > GraphLinks::kLayersMax) return damaged("has a node in a layer that does not exist");
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const auto count = in.read<std::uint8_t>();
    if (count > GraphLinks::links_max(layer)) return damaged("has a node with too many links");
    saved.lists.push_back({.begin = saved.links.size(), .count = count});
    for (std::size_t i = 0; i < count; ++i) {
      saved.links.push_back(in.read<std::uint32_t>());
      if (saved.links.back() >= nodes) return damaged("has a link to a node that does not exist");
    }
  }
  saved.first_list.push_back(saved.lists.size());
  if (in.failed()) return damaged("ends too early");
  return {};
}

/// Every link of a layer leads to a node that is in that layer.
Result<void> check_layers(const SavedGraph& saved) {
  for (std::size_t node = 0; node < saved.fingerprints.size(); ++node)
    for (std::size_t layer = 1; layer < saved.layers(node); ++layer)
      for (const std::uint32_t next : saved.neighbours(node, layer))
        if (saved.layers(next) <= layer) return damaged("has a link to a node that is not in its layer");
  return {};
}

Result<SavedGraph> read_graph(std::string_view bytes, const RowStore& store, Distance distance) {
  constexpr std::size_t kSum = sizeof(std::uint64_t);
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + kSum) return damaged("is not one");
  if (hash64(bytes.substr(0, bytes.size() - kSum)) != read_big_endian<std::uint64_t>(bytes.substr(bytes.size() - kSum)))
    return damaged("has another checksum than its bytes");
  GraphBytes in(bytes.substr(kMagic.size(), bytes.size() - kMagic.size() - kSum));
  if (in.read<std::uint32_t>() != kVersion) return damaged("has an unknown version");
  if (in.read<std::uint32_t>() != store.dimensions()) return damaged("is of vectors with other dimensions");
  if (in.read<std::uint32_t>() != static_cast<std::uint32_t>(distance)) return damaged("is for another distance");
  const auto nodes = in.read<std::uint64_t>();
  SavedGraph saved;
  // A node has at least ten bytes, so that a wrong number cannot take all memory.
  if (nodes > in.left() / 10) return damaged("has fewer nodes than it says");
  saved.fingerprints.reserve(nodes);
  saved.first_list.reserve(nodes + 1);
  saved.first_list.push_back(0);
  for (std::size_t node = 0; node < nodes; ++node) DOLMEN_TRY_VOID(read_node(in, nodes, saved));
  if (!in.at_end()) return damaged("goes on after its end");
  DOLMEN_TRY_VOID(check_layers(saved));
  return saved;
}

/// The live row of each saved node, kNoOrdinal where there is none. Equal vectors take each other's place.
std::vector<std::uint32_t> rows_of_nodes(const SavedGraph& saved, const RowStore& store) {
  std::vector<FingerprintedRow> nodes;
  for (std::size_t i = 0; i < saved.fingerprints.size(); ++i)
    nodes.push_back({saved.fingerprints[i], static_cast<std::uint32_t>(i)});
  std::vector<FingerprintedRow> rows;
  for_each_row(
      store, [&](std::size_t word) { return store.live_word(word); },
      [&](Row row) { rows.push_back({fingerprint(store, row), row}); });
  std::ranges::sort(nodes);
  std::ranges::sort(rows);
  std::vector<std::uint32_t> row_of(nodes.size(), kNoOrdinal);
  auto row = rows.begin();
  for (const FingerprintedRow& node : nodes) {
    while (row != rows.end() && row->fingerprint < node.fingerprint) ++row;
    if (row == rows.end()) break;
    if (row->fingerprint == node.fingerprint) row_of[node.number] = (row++)->number;
  }
  return row_of;
}

}  // namespace

std::string GraphFile::save(const Graph& graph) {
  const GraphLinks& links = graph.links_;
  std::vector<std::uint32_t> ordinals(graph.store_.end());
  std::vector<Row> nodes;
  for_each_row(
      graph.store_, [&](std::size_t word) { return links.node_word(word); },
      [&](Row row) {
        ordinals[row] = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back(row);
      });
  std::string out(kMagic);
  out.reserve(nodes.size() * (GraphLinks::kLowest * sizeof(Row) + 16) + 64);
  append_big_endian(out, kVersion);
  append_big_endian(out, static_cast<std::uint32_t>(graph.store_.dimensions()));
  append_big_endian(out, static_cast<std::uint32_t>(graph.distance_));
  append_big_endian(out, std::uint64_t{nodes.size()});
  GraphLinks::Neighbours list;
  for (const Row row : nodes) {
    append_big_endian(out, fingerprint(graph.store_, row));
    append_big_endian(out, static_cast<std::uint8_t>(links.layer_of(row)));
    for (std::size_t layer = 0; layer <= links.layer_of(row); ++layer) {
      const std::span<const Row> neighbours = links.neighbours(row, layer, list);
      append_big_endian(out, static_cast<std::uint8_t>(neighbours.size()));
      for (const Row next : neighbours) append_big_endian(out, ordinals[next]);
    }
  }
  append_big_endian(out, hash64(out));
  return out;
}

Result<std::size_t> GraphFile::load(std::string_view bytes, Graph& graph) {
  DOLMEN_TRY(const SavedGraph saved, read_graph(bytes, graph.store_, graph.distance_));
  const std::vector<std::uint32_t> row_of = rows_of_nodes(saved, graph.store_);
  const auto found = row_of.size() - static_cast<std::size_t>(std::ranges::count(row_of, kNoOrdinal));
  if (found == 0 || found * 5 < row_of.size() * kFoundOfFive) return std::size_t{0};
  GraphLinks& links = graph.links_;
  if (!links.grow(graph.store_.end())) return std::size_t{0};
  for (std::size_t node = 0; node < row_of.size(); ++node)
    if (row_of[node] != kNoOrdinal && !links.open(row_of[node], saved.layers(node) - 1)) return std::size_t{0};
  for (std::size_t node = 0; node < row_of.size(); ++node) {
    if (row_of[node] == kNoOrdinal) continue;
    for (std::size_t layer = 0; layer < saved.layers(node); ++layer) {
      std::vector<Row> rows;
      bool complete = true;
      for (const std::uint32_t next : saved.neighbours(node, layer)) {
        if (row_of[next] != kNoOrdinal) {
          rows.push_back(row_of[next]);
          continue;
        }
        complete = false;
        for (const std::uint32_t beyond : saved.neighbours(next, layer))
          if (row_of[beyond] != kNoOrdinal && beyond != node) rows.push_back(row_of[beyond]);
      }
      if (complete)
        links.set_neighbours(row_of[node], layer, rows);
      else
        graph.choose_neighbours(row_of[node], layer, std::move(rows));
    }
    links.announce(row_of[node]);
  }
  graph.choose_entry();
  return found;
}

}  // namespace dolmen::vector
