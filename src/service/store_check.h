#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/error.h"

namespace dolmen {

/// What a check of a whole store has found.
struct StoreCheckReport {
  static constexpr std::size_t kProblemsShownMax = 100;

  std::uint64_t files = 0;
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t index_rows = 0;
  std::uint64_t vectors = 0;
  std::uint64_t expiry_rows = 0;
  std::uint64_t stream_records = 0;
  std::uint64_t history_rows = 0;
  /// A line for each problem, up to kProblemsShownMax of them.
  std::vector<std::string> problems = {};
  /// All of them.
  std::uint64_t problem_count = 0;

  void add_problem(std::string line) {
    if (++problem_count <= kProblemsShownMax) problems.push_back(std::move(line));
  }
};

/// Checks a whole store of this process, as it is at one moment, while it is in use: the checksum of every file, that
/// indexes, vectors and times to live agree with their tables, that streams have no gaps, and that counts are exact. A
/// companion of its Store.
class StoreCheck {
 public:
  /// Hears what is being looked at, and how many rows have been seen so far. False ends the check.
  using Progress = std::function<bool(std::string_view doing, std::uint64_t rows)>;

  virtual ~StoreCheck() = default;

  /// Fails with kCanceled when `progress` ends it, and when the store is closed; damage is a problem in the report.
  virtual Result<StoreCheckReport> check_store(const Progress& progress) = 0;
};

}  // namespace dolmen
