#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/metrics.h"
#include "wire/observer.h"

namespace dolmen {

/// Counts requests by operation, table and code, with a histogram of the times of each operation. Threads count in
/// different places and do not wait for each other; what is counted costs a small part of a microsecond.
class RequestMetrics {
 public:
  /// Tables beyond so many are counted as "other", and so are names that no successful request has used: nobody can
  /// make the report long by asking for tables that do not exist.
  static constexpr std::size_t kTablesMax = 200;

  void count(const wire::AnsweredView& request);
  void describe(metrics::Report& report) const;

 private:
  static constexpr std::size_t kBounds = 16;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  template <class T>
  using ByName = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

  /// By the name of the code.
  using Codes = std::vector<std::pair<std::string_view, std::uint64_t>>;

  struct PerOperation {
    ByName<Codes> tables;
    std::array<std::uint64_t, kBounds + 1> up_to{};  ///< Of each bucket alone.
    std::uint64_t nanoseconds = 0;
    std::uint64_t request_bytes = 0;
    std::uint64_t response_bytes = 0;
  };
  /// Where the last request was counted; most have the next one there too. Null pointers: nowhere yet.
  struct Place {
    const char* operation = nullptr;  ///< The text itself: most of them live as long as the program.
    const char* code = nullptr;
    std::string table;
    PerOperation* sums = nullptr;
    std::uint64_t* count = nullptr;
  };
  struct alignas(64) Shard {
    mutable std::mutex mutex;  ///< Guards the others. Waited for only while a report is made.
    ByName<PerOperation> operations;
    Place last;
  };

  /// Finds where to count a request, or makes the place.
  void find_place(Shard& shard, const wire::AnsweredView& request, std::string_view code);

  /// The table as a label.
  std::string_view label_of(std::string_view table, bool succeeded, const PerOperation& counts);
  void describe_operation(metrics::Report& report, std::string_view name, const PerOperation& counts) const;

  std::array<Shard, metrics::kShards> shards_;
  std::mutex tables_mutex_;  ///< Guards tables_. Taken after that of a shard.
  std::set<std::string, std::less<>> tables_;
};

}  // namespace dolmen
