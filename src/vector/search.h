#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace dolmen::vector {

/// The number of a vector in its set. It is used again some time after the vector was removed.
using Row = std::uint32_t;

/// A row and its score (see `score` in distance.h).
struct Hit {
  Row row = 0;
  float score = 0;

  friend bool operator==(const Hit&, const Hit&) = default;
};

/// How a search may find its rows.
enum class Mode : std::uint8_t {
  kAuto,         ///< the cheaper way, by the size of the set, the filter and the state of the graph
  kExact,        ///< compares every row that the filter accepts
  kApproximate,  ///< follows the graph as far as there is one; rows outside of it are compared one by one
};

/// Which rows a search may return. An empty filter accepts every row.
struct Filter {
  /// Only these rows, which need not be sorted; none of them twice. Rows that are not in the set are skipped. A search
  /// looks at nothing but this list, so it is the cheapest filter when few rows match.
  std::optional<std::span<const Row>> among;
  /// Only rows for which this is true. Called with published rows only, on the searching thread, and not for every row;
  /// its answer for a row must not change during the search.
  std::function<bool(Row)> accepts;
  /// About how many rows `accepts` lets through; decides between a scan and the graph, never what is found. A search
  /// without it assumes that half of the rows match.
  std::optional<std::size_t> expected;

  [[nodiscard]] bool is_empty() const { return !among && !accepts; }
};

/// What to look for. `query` and `filter.among` must live until the search has ended.
struct Search {
  /// As many finite numbers as the set has dimensions.
  std::span<const float> query;
  std::size_t top_k = 10;
  Mode mode = Mode::kAuto;
  Filter filter;
  /// How many of the nearest rows a walk through the graph keeps in view. More find better and cost more. 0 chooses by
  /// `top_k`.
  std::size_t width = 0;
  /// The order of two rows whose scores are equal. By row number when it is empty.
  std::function<bool(Row, Row)> tie_before;
};

/// How a search found its rows.
struct Trace {
  enum class Way : std::uint8_t {
    kScan,   ///< every row that might match was compared
    kGraph,  ///< the graph was followed; rows that are not in it yet were compared
    kBoth,   ///< the graph gave fewer rows than asked for, so all were compared after all
  };

  Way way = Way::kScan;
  std::size_t compared = 0;  ///< vectors whose distance was computed
  std::size_t waiting = 0;   ///< of these, rows that were not in the graph yet
  std::size_t width = 0;     ///< the width of the walk through the graph; 0 when there was none
};

struct Found {
  /// The best `top_k` rows, best first; fewer only when fewer rows match.
  std::vector<Hit> hits;
  Trace trace;
};

}  // namespace dolmen::vector
