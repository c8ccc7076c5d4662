#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dolmen/explanation.h"

namespace dolmen {

/// Collects what one read does, while it does it. A request that is to be explained carries one; for all others nothing
/// is counted. Used by one thread at a time.
class ReadTrace {
 public:
  /// The time since some fixed moment. Never goes back.
  using Ticks = std::function<std::chrono::nanoseconds()>;

  enum class Phase : std::uint8_t { kParse, kPrepare, kWait, kRead, kFetch, kFilter, kProject, kEncode };

  /// One row or item that was read.
  struct Row {
    /// Equal for rows of one partition.
    std::uint64_t partition = 0;
    std::uint64_t bytes = 0;
  };

  /// What is read in one table.
  class Part {
   public:
    /// Reads of a range can have a filter; a scan reads whatever there is.
    enum class Way : std::uint8_t { kByKey, kQuery, kScan };

    explicit Part(std::string table, std::string index = {}) {
      counted_.table = std::move(table);
      counted_.index = std::move(index);
    }
    /// `label` shows the partition to a person. It is called only for the largest partition so far.
    void read(const Row& row, const std::function<std::string()>& label);
    void fetched(std::uint64_t bytes);
    void returned(std::uint64_t bytes);
    void add_capacity(double units) { counted_.capacity += units; }
    void set_way(Way way) { way_ = way; }
    /// The way that a search took, and with how many vectors it compared.
    void searched(std::string_view way, std::uint64_t compared) {
      counted_.way = way;
      counted_.vectors_compared += compared;
    }

   private:
    friend class ReadTrace;

    ReadPart counted_;
    Way way_ = Way::kByKey;
    std::unordered_map<std::uint64_t, std::uint64_t> partitions_;  // bytes read
    std::optional<std::uint64_t> largest_;
    std::string largest_label_;
  };

  /// The machine's own clock when there is no other.
  explicit ReadTrace(Ticks ticks = {});

  void begin(std::string_view operation) { operation_ = operation; }
  /// From now on time counts for this phase.
  void enter(Phase phase);
  /// The part of a table or index, which is added when it is new. Valid until the next one is added.
  Part& part(const std::string& table, const std::string& index = {});

  /// The read begins again, after a wait: what it has read so far does not count, but the time does.
  void begin_again();

  /// Another process has explained the read.
  void set_answer(Explanation explanation) { answer_ = std::move(explanation); }

  /// Ends the current phase. Nothing when nothing was traced.
  [[nodiscard]] std::optional<Explanation> finish();

 private:
  static constexpr std::size_t kPhases = static_cast<std::size_t>(Phase::kEncode) + 1;

  void add_time();
  void warn(const Part& part, Explanation& explanation) const;

  const Ticks ticks_;
  std::string operation_;
  std::vector<Part> parts_;
  std::array<std::chrono::nanoseconds, kPhases> times_{};
  std::optional<Phase> phase_;
  std::chrono::nanoseconds entered_{0};
  std::optional<Explanation> answer_;
};

}  // namespace dolmen
