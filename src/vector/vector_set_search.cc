#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "vector/graph.h"
#include "vector/prepared_query.h"
#include "vector/scan.h"
#include "vector/top_hits.h"
#include "vector/vector_set.h"

namespace dolmen::vector {
namespace {

/// A comparison on a walk jumps to another place in memory, which costs about as much as this many in a scan.
constexpr std::size_t kScannedPerWalked = 4;

std::size_t chosen_width(const Search& search) {
  return std::max(search.width > 0 ? search.width : std::max<std::size_t>(64, search.top_k * 2), search.top_k);
}

/// A walk of width w compares some 25 w rows when every row matches, and 1 / s times as many when a part s of them
/// does; a scan compares s n rows.
bool scan_is_cheaper(std::size_t rows, std::size_t matching, std::size_t width) {
  const double part = rows == 0 ? 0 : std::min(1.0, static_cast<double>(matching) / static_cast<double>(rows));
  return part * part * static_cast<double>(rows) < 25.0 * static_cast<double>(width * kScannedPerWalked);
}

class Searcher {
 public:
  Searcher(const RowStore& store, const Graph* graph, Distance distance, const Search& search)
      : store_(store),
        graph_(graph),
        search_(search),
        query_(distance, store.stride(), search.query),
        hits_(query_, store, search) {}

  Found run(std::size_t rows) {
    if (search_.top_k == 0) return {};
    const std::size_t width = chosen_width(search_);
    if (!should_walk(rows, width)) return scanned(Trace::Way::kScan);
    std::vector<Row> waiting = compare_waiting_rows();
    const bool complete = walk(width, rows, waiting);
    found_.trace.width = width;
    if (!complete || !hits_.is_full()) {
      hits_.take();
      return scanned(Trace::Way::kBoth);
    }
    found_.trace.way = Trace::Way::kGraph;
    found_.hits = hits_.take();
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool should_walk(std::size_t rows, std::size_t width) const {
    if (graph_ == nullptr || search_.mode == Mode::kExact || search_.filter.among) return false;
    if (search_.mode == Mode::kApproximate) return true;
    if (graph_->links().nodes() * 2 < rows) return false;
    const std::size_t matching = search_.filter.accepts ? search_.filter.expected.value_or(rows / 2) : rows;
    return !scan_is_cheaper(rows, matching, width);
  }

  [[nodiscard]] bool accepts(Row row) const {
    return store_.is_live(row) && (!search_.filter.accepts || search_.filter.accepts(row));
  }

  Found scanned(Trace::Way way) {
    found_.trace.way = way;
    found_.trace.compared += scan(store_, query_, search_.filter, hits_);
    found_.hits = hits_.take();
    return std::move(found_);
  }

  /// Before the walk: a row that becomes a node in between is then found twice, not never.
  std::vector<Row> compare_waiting_rows() {
    std::vector<Row> waiting;
    for (std::size_t word = 0; word * 64 < store_.end(); ++word)
      for (std::uint64_t bits = store_.live_word(word) & ~graph_->links().node_word(word); bits != 0; bits &= bits - 1)
        waiting.push_back(static_cast<Row>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
    Filter filter = search_.filter;
    filter.among = waiting;
    found_.trace.waiting = scan(store_, query_, filter, hits_);
    found_.trace.compared += found_.trace.waiting;
    return waiting;
  }

  /// False when the walk was given up.
  bool walk(std::size_t width, std::size_t rows, const std::vector<Row>& waiting) {
    const std::optional<GraphLinks::Entry> entry = graph_->links().entry();
    if (!entry) return true;
    const Comparer comparer = query_.comparer(store_);
    Walk walk(graph_->links(), store_);
    const Near start = walk.descend(comparer, {comparer.finite_key(entry->row), entry->row}, entry->layer, 0);
    const Walk::Options options{.width = width, .compared_max = width * 64 + rows / kScannedPerWalked};
    for (const Near& near : walk.around(comparer, {start}, options, [this](Row row) { return accepts(row); }))
      if (!std::ranges::binary_search(waiting, near.row)) hits_.offer({&near.row, 1}, &near.key);
    found_.trace.compared += walk.compared();
    return !walk.gave_up();
  }

  const RowStore& store_;
  const Graph* graph_;
  const Search& search_;
  const PreparedQuery query_;
  TopHits hits_;
  Found found_;
};

}  // namespace

Result<Found> VectorSet::Reading::search(const Search& search) const {
  const SetOptions& options = set_->options_;
  if (search.query.size() != options.dimensions)
    return fail(Code::kValidation, "a vector of {} dimensions cannot be searched among vectors of {} dimensions",
                search.query.size(), options.dimensions);
  return Searcher(set_->store_, graph_.get(), options.distance, search).run(set_->size());
}

}  // namespace dolmen::vector
