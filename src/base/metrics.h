#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Numbers that a server says about itself, in the text format of Prometheus. Whoever counts something owns the
/// counters and describes them in a report when somebody asks:
///
///     metrics::Counter refused_;
///     void describe(metrics::Report& report) const {
///       report.counter("dolmen_limit_hits_total", "Requests beyond a limit", refused_.value(), {{"limit",
///       "connections"}});
///     }
namespace dolmen::metrics {

/// Threads count in different places, so that they do not take a cache line from each other.
inline constexpr std::size_t kShards = 8;

/// The place of this thread.
inline std::size_t own_shard() {
  static std::atomic<std::size_t> threads = 0;
  thread_local const std::size_t mine = threads.fetch_add(1, std::memory_order_relaxed) % kShards;
  return mine;
}

/// A number that only grows. Any thread may add to it, for a few nanoseconds.
class Counter {
 public:
  void add(std::uint64_t amount = 1) { shards_[own_shard()].number.fetch_add(amount, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct alignas(64) Shard {
    std::atomic<std::uint64_t> number = 0;
  };
  std::array<Shard, kShards> shards_;
};

/// How often values fell between bounds, and their sum. Values are whole numbers in a unit of their own, such as
/// nanoseconds; `per_unit` of them are one in the report, where Prometheus wants seconds and bytes.
class Histogram {
 public:
  /// The bounds ascend; each belongs to the bucket below it.
  explicit Histogram(std::span<const std::uint64_t> bounds, double per_unit = 1);

  /// Any thread may call this.
  void observe(std::uint64_t value);

  struct Content {
    /// Of the values up to each bound; the last of all values.
    std::vector<std::uint64_t> up_to;
    std::uint64_t sum = 0;
  };
  [[nodiscard]] Content content() const;
  [[nodiscard]] std::span<const std::uint64_t> bounds() const { return bounds_; }
  [[nodiscard]] double per_unit() const { return per_unit_; }

 private:
  std::vector<std::uint64_t> bounds_;
  double per_unit_;
  std::size_t shard_size_;  ///< The sum, and a count for each bucket; whole cache lines.
  std::unique_ptr<std::atomic<std::uint64_t>[]> numbers_;
};

/// Bounds in nanoseconds for what takes from 50 µs to 10 s.
std::span<const std::uint64_t> latency_bounds();
inline constexpr double kNanosecondsPerSecond = 1e9;

/// All numbers at one moment. Names begin with dolmen_, end in their unit, and in _total when they only grow. Whoever
/// adds labels makes sure that their values are few.
class Report {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;
  enum class Kind : std::uint8_t { kCounter, kGauge, kHistogram };

  void counter(std::string_view name, std::string_view help, std::uint64_t value, Labels labels = {});
  void gauge(std::string_view name, std::string_view help, double value, Labels labels = {});
  void histogram(std::string_view name, std::string_view help, const Histogram& histogram, Labels labels = {});
  /// The same for counts that are kept elsewhere; there is one more in `content` than bounds.
  struct BoundsView {
    std::span<const std::uint64_t> bounds;
    double per_unit = 1;
  };
  void histogram(std::string_view name, std::string_view help, const Histogram::Content& content,
                 const BoundsView& bounds, Labels labels = {});
  /// Makes a name known that has no values yet.
  void declare(Kind kind, std::string_view name, std::string_view help);

  /// The text format of Prometheus, version 0.0.4.
  [[nodiscard]] std::string text() const;

 private:
  struct Family {
    Kind kind;
    std::string help;
    std::string samples;
  };
  std::string& samples_of(Kind kind, std::string_view name, std::string_view help);

  std::map<std::string, Family, std::less<>> families_;
};

/// Everything that can describe itself. Sources are added before the first report is made, and outlive the last one.
class Registry {
 public:
  using Source = std::function<void(Report& report)>;

  void add(Source source) { sources_.push_back(std::move(source)); }
  /// May be called by several threads at a time.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Source> sources_;
};

}  // namespace dolmen::metrics
