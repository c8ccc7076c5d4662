#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "vector/graph.h"

namespace dolmen::vector {

/// A graph as bytes. Nodes are numbered from 0 and known by a fingerprint of their vector; all numbers are big-endian.
///
///     8 bytes  "DLMGRAPH"            4  version     4  dimensions    4  distance
///     8        number of nodes
///     per node: 8  fingerprint       1  its highest layer
///               per layer, from 0:   1  number of links   4  each link
///     8        hash64 of all bytes before
class GraphFile {
 public:
  /// Nothing may change the graph meanwhile.
  static std::string save(const Graph& graph);
  /// Fills an empty graph with the saved nodes whose vectors are live in its store. Returns their number; 0 when they
  /// are less than four fifths of what was saved. The graph cannot be used after a failure.
  static Result<std::size_t> load(std::string_view bytes, Graph& graph);
};

}  // namespace dolmen::vector
