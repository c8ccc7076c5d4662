#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace dolmen {

/// What a read did in one table.
struct ReadPart {
  std::string table;
  /// Empty when the table itself was read.
  std::string index = {};
  std::uint64_t partitions_read = 0;
  std::uint64_t items_read = 0;
  std::uint64_t items_returned = 0;
  /// Items that a local index does not carry as a whole and that were read from the table as well.
  std::uint64_t items_fetched = 0;
  /// Sizes as DynamoDB counts them.
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_fetched = 0;
  /// Of the whole items that were returned, before a projection.
  std::uint64_t bytes_returned = 0;
  /// Read capacity units.
  double capacity = 0;
  /// How a search for vectors found them: "scan", "graph" or "both". Empty for other reads.
  std::string way = {};
  /// Vectors with which the searched one was compared.
  std::uint64_t vectors_compared = 0;

  friend bool operator==(const ReadPart&, const ReadPart&) = default;
};

/// How long one phase of a read took.
struct ReadPhase {
  /// parse, prepare, read, fetch, filter, project or encode.
  std::string name;
  std::chrono::nanoseconds time{0};

  friend bool operator==(const ReadPhase&, const ReadPhase&) = default;
};

/// What makes a read expensive.
struct ReadWarning {
  /// scan, filter, hot-partition or fetch.
  std::string kind;
  std::string message;

  friend bool operator==(const ReadWarning&, const ReadWarning&) = default;
};

/// What a read did, what it cost, and what it could do better. See `explain_query` (dolmen/explain.h).
struct Explanation {
  /// GetItem, BatchGetItem, TransactGetItems, Query, Scan or SearchVectors.
  std::string operation;
  /// One for each table, in the order of the request.
  std::vector<ReadPart> parts = {};
  /// In the order in which they happened; only those that took time.
  std::vector<ReadPhase> phases = {};
  std::vector<ReadWarning> warnings = {};

  friend bool operator==(const Explanation&, const Explanation&) = default;
};

}  // namespace dolmen
