#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/operations.h"
#include "dolmen/table.h"

namespace dolmen::faults {

/// Capacity units that come in at a fixed rate and are kept for five minutes. What has been used may be more than there
/// was: then nothing is left until the debt has been paid.
class Bucket {
 public:
  /// Full.
  Bucket(double units_per_second, TimePoint now);

  /// Keeps what is there, as far as the new rate allows.
  void set_rate(double units_per_second, TimePoint now);
  [[nodiscard]] bool has_any(TimePoint now);
  /// Negative units are given back.
  void take(double units, TimePoint now);

 private:
  static constexpr double kBurstSeconds = 300;

  void refill(TimePoint now);

  double rate_;
  double level_;
  TimePoint filled_;
};

enum class Flow : std::uint8_t { kRead, kWrite };

/// What a request or a part of it is going to use at least.
struct Charge {
  std::string table;
  /// Of a global index that is read; empty for the table.
  std::string index = {};
  Flow flow = Flow::kRead;
  double units = 0;
  /// The global indexes that a write may change.
  std::vector<std::string> changed_indexes = {};
};

/// The provisioned throughput of tables and their global indexes, and how much of it is left. Thread-safe.
class Capacities {
 public:
  /// Finds a table; nothing when it does not exist. Called without a lock held by others than this object.
  using Describe = std::function<std::optional<TableDescription>(const std::string& table)>;

  Capacities(Describe describe, Now now) : describe_(std::move(describe)), now_(std::move(now)) {}

  enum class Answer : std::uint8_t { kTaken, kTableExceeded, kIndexExceeded };

  /// Takes the units when something is left wherever the charge needs it.
  Answer take(const Charge& charge);
  void give_back(const Charge& charge);
  /// What was really used instead of what was taken.
  void settle(const std::vector<Charge>& taken, const std::vector<ConsumedCapacity>& used, Flow flow);

  /// The global indexes of a provisioned table; none of others.
  [[nodiscard]] std::vector<IndexDefinition> indexes_of(const std::string& table);
  /// The table has changed or is gone.
  void changed(const std::string& table);

 private:
  struct Pair {
    Bucket read;
    Bucket write;
  };
  struct Known {
    std::string id;
    bool provisioned = false;
    bool current = false;
    std::optional<Pair> table = std::nullopt;
    std::map<std::string, Pair> indexes = {};
    std::vector<IndexDefinition> definitions = {};
  };

  Known* find(const std::string& table, TimePoint now);
  void add(const ConsumedCapacity& used, Flow flow, TimePoint now);
  static void refresh(std::optional<Pair>& pair, const Throughput& throughput, TimePoint now);

  const Describe describe_;
  const Now now_;
  std::mutex tables_mutex_;  // guards the rest
  std::map<std::string, Known> tables_;
};

}  // namespace dolmen::faults
