// What searches among vectors cost: exact scans beside a plain loop over the same floats, walks through the graph
// beside the graphs of hnswlib and faiss, filters, removals, and a saved graph. Times are CPU time of one thread, the
// least of several rounds in which all sides take turns, so ratios hold on a busy machine.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <set>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/test_flags.h"
#include "cpu_time.h"
#include "vector/vector_set.h"
#include "vector/zeroed_memory.h"
#include "vector_data.h"
#include "vector_yardstick.h"

namespace dolmen::bench {
namespace {

using vector::Found;
using vector::Mode;
using vector::Row;
using vector::Search;
using vector::Trace;
using vector::VectorSet;

constexpr std::size_t kTopK = 10;
constexpr std::size_t kWidths[] = {10, 13, 16, 20, 24, 32, 48, 64, 100, 160};
constexpr int kRounds = 5;

double thread_microseconds() { return cpu_microseconds(CLOCK_THREAD_CPUTIME_ID); }

struct Settings {
  std::uint64_t rows = 100'000;
  std::uint64_t dimensions = 128;
  std::uint64_t queries = 200;
  std::uint64_t faiss = 0;
  std::uint64_t hnswlib = 1;
};

/// The plain loop: a dot product with each row, one after the other, as fast as AVX2 can.
__attribute__((target("avx2,fma"))) float plain_loop(const float* query, const float* floats, std::size_t rows,
                                                     std::size_t dimensions) {
  float best = -1e30F;
  for (std::size_t row = 0; row < rows; ++row, floats += dimensions) {
    __m256 sums[4] = {};
    for (std::size_t i = 0; i < dimensions; i += 32)
      for (std::size_t j = 0; j < 4; ++j)
        sums[j] = _mm256_fmadd_ps(_mm256_loadu_ps(query + i + j * 8), _mm256_loadu_ps(floats + i + j * 8), sums[j]);
    float lanes[8];
    _mm256_storeu_ps(lanes, _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
    best = std::max(best,
                    ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7])));
  }
  return best;
}

/// Recall and cost at one width.
struct Point {
  std::size_t width = 0;
  double recall = 0;
  double microseconds = 0;
  double compared = 0;
};

class Report {
 public:
  explicit Report(const Settings& settings)
      : settings_(settings),
        data_(settings.dimensions),
        vectors_(data_.vectors(settings.rows, 11)),
        queries_(data_.vectors(settings.queries, 12)),
        set_(options_ = {.dimensions = settings.dimensions,
                         .distance = vector::Distance::kEuclidean,
                         .graph_rows_min = 1000}) {}

  void run() {
    fill();
    compare_scans();
    build();
    compare_graphs();
    measure_filters();
    measure_saving();
    measure_removals();
  }

 private:
  [[nodiscard]] std::span<const float> vector(std::size_t i) const {
    return std::span(vectors_).subspan(i * settings_.dimensions, settings_.dimensions);
  }
  [[nodiscard]] std::span<const float> query(std::size_t i) const {
    return std::span(queries_).subspan(i * settings_.dimensions, settings_.dimensions);
  }

  void fill() {
    const double begin = thread_microseconds();
    for (std::size_t i = 0; i < settings_.rows; ++i) static_cast<void>(set_.add(vector(i)).value());
    const double seconds = (thread_microseconds() - begin) / 1e6;
    std::printf("%llu vectors of %llu dimensions; added in %.2f s, %.2f us each\n",
                static_cast<unsigned long long>(settings_.rows), static_cast<unsigned long long>(settings_.dimensions),
                seconds, seconds * 1e6 / static_cast<double>(settings_.rows));
  }

  /// Also the truth for everything else.
  void compare_scans() {
    const VectorSet::Reading reading = set_.read();
    const std::size_t some = std::min<std::size_t>(settings_.queries, 4'000'000 / settings_.rows + 3);
    double plain = 1e30;
    double scan = 1e30;
    float sink = 0;
    // The same floats in memory of the same kind: huge pages alone would make a difference.
    const std::size_t size = vectors_.size() * sizeof(float);
    float* const copy = reinterpret_cast<float*>(vector::allocate_zeroed(size));
    DOLMEN_CHECK(copy != nullptr, "there is memory for another copy");
    std::ranges::copy(vectors_, copy);
    for (int round = 0; round < kRounds; ++round) {
      double begin = thread_microseconds();
      for (std::size_t i = 0; i < some; ++i)
        sink += plain_loop(query(i).data(), copy, settings_.rows, settings_.dimensions);
      plain = std::min(plain, (thread_microseconds() - begin) / static_cast<double>(some));
      begin = thread_microseconds();
      for (std::size_t i = 0; i < some; ++i)
        sink += reading.search({.query = query(i), .mode = Mode::kExact}).value().hits[0].score;
      scan = std::min(scan, (thread_microseconds() - begin) / static_cast<double>(some));
    }
    DOLMEN_CHECK(sink != 1.0F, "the loops are not left out");
    vector::free_zeroed(reinterpret_cast<std::byte*>(copy), size);
    const auto bytes = static_cast<double>(size);
    std::printf("exact scan %.0f us, %.1f GB/s; plain loop %.0f us, %.1f GB/s; ratio %.2f (wanted: 0.7)\n", scan,
                bytes / scan / 1e3, plain, bytes / plain / 1e3, plain / scan);
    for (std::size_t i = 0; i < settings_.queries; ++i) truth_.push_back(rows_of(search(i, {.mode = Mode::kExact})));
  }

  Found search(std::size_t i, Search search) {
    search.query = query(i);
    search.top_k = kTopK;
    return set_.read().search(search).value();
  }
  static std::set<Row> rows_of(const Found& found) {
    std::set<Row> rows;
    for (const vector::Hit& hit : found.hits) rows.insert(hit.row);
    return rows;
  }

  void build() {
    const double begin = thread_microseconds();
    while (set_.work(1000)) {}
    const double seconds = (thread_microseconds() - begin) / 1e6;
    const vector::Stats stats = set_.stats();
    const auto rows = static_cast<double>(settings_.rows);
    std::printf("graph built in %.1f s, %.0f rows/s; %.1f bytes per vector and %.1f for the graph\n", seconds,
                rows / seconds, static_cast<double>(stats.bytes) / rows, static_cast<double>(stats.graph_bytes) / rows);
  }

  template <class SearchOne>
  Point measure(std::size_t width, const SearchOne& search_one) {
    Point point{.width = width, .microseconds = 1e30};
    for (int round = 0; round < kRounds; ++round) {
      std::size_t hits = 0;
      const double begin = thread_microseconds();
      for (std::size_t i = 0; i < settings_.queries; ++i) hits += search_one(i);
      point.microseconds =
          std::min(point.microseconds, (thread_microseconds() - begin) / static_cast<double>(settings_.queries));
      point.recall = static_cast<double>(hits) / static_cast<double>(settings_.queries * kTopK);
    }
    return point;
  }

  Point measure_own(std::size_t width) {
    double compared = 0;
    Point point = measure(width, [&](std::size_t i) {
      const Found found = search(i, {.mode = Mode::kApproximate, .width = width});
      compared += static_cast<double>(found.trace.compared);
      std::size_t hits = 0;
      for (const vector::Hit& hit : found.hits) hits += truth_[i].count(hit.row);
      return hits;
    });
    point.compared = compared / kRounds / static_cast<double>(settings_.queries);
    return point;
  }

  void compare_graphs() {
    std::vector<std::unique_ptr<Yardstick>> others;
    if (settings_.hnswlib != 0) others.push_back(make_hnswlib(settings_.dimensions, settings_.rows));
    if (settings_.faiss != 0) others.push_back(make_faiss(settings_.dimensions));
    std::erase(others, nullptr);
    if (others.empty()) std::printf("skipped: no other library to compare with\n");
    for (const auto& other : others) {
      const double begin = cpu_microseconds();
      other->add(vectors_);
      const double seconds = (cpu_microseconds() - begin) / 1e6;
      std::printf("%s built in %.1f s, %.0f rows/s\n", other->name().c_str(), seconds,
                  static_cast<double>(settings_.rows) / seconds);
    }
    std::vector<Point> own;
    std::vector<std::vector<Point>> theirs(others.size());
    for (const std::size_t width : kWidths) {
      own.push_back(measure_own(width));
      std::printf("width %3zu: recall %.4f, %6.1f us, %5.0f compared", width, own.back().recall,
                  own.back().microseconds, own.back().compared);
      for (std::size_t j = 0; j < others.size(); ++j) {
        theirs[j].push_back(measure(width, [&](std::size_t i) {
          std::size_t hits = 0;
          for (const Row row : others[j]->search(query(i), kTopK, width)) hits += truth_[i].count(row);
          return hits;
        }));
        std::printf("; %s %.4f, %6.1f us", others[j]->name().c_str(), theirs[j].back().recall,
                    theirs[j].back().microseconds);
      }
      std::printf("\n");
    }
    for (std::size_t j = 0; j < others.size(); ++j) compare_at_equal_recall(others[j]->name(), own, theirs[j]);
  }

  /// The cheapest own point that finds as much as each of theirs.
  static void compare_at_equal_recall(const std::string& name, const std::vector<Point>& own,
                                      const std::vector<Point>& theirs) {
    for (const Point& their : theirs) {
      if (their.recall < 0.9) continue;
      for (const Point& point : own) {
        if (point.recall < their.recall) continue;
        std::printf("at recall %.4f: %.1f us, %s %.1f us, ratio %.2f (wanted: at most 1.3)\n", their.recall,
                    point.microseconds, name.c_str(), their.microseconds, point.microseconds / their.microseconds);
        break;
      }
    }
  }

  void measure_filters() {
    for (const Row percent : {1U, 10U, 50U, 100U}) {
      // Scattered, so that matching rows do not lie side by side.
      const auto accepts = [percent](Row row) { return row * 2654435769U % 100 < percent; };
      const vector::Filter filter{.accepts = accepts, .expected = settings_.rows * percent / 100};
      std::vector<std::set<Row>> truth;
      for (std::size_t i = 0; i < settings_.queries; ++i)
        truth.push_back(rows_of(search(i, {.mode = Mode::kExact, .filter = filter})));
      for (const Mode mode : {Mode::kExact, Mode::kApproximate, Mode::kAuto}) {
        std::size_t walks = 0;
        const Point point = measure(0, [&](std::size_t i) {
          const Found found = search(i, {.mode = mode, .filter = filter});
          walks += found.trace.way == Trace::Way::kGraph ? 1 : 0;
          std::size_t hits = 0;
          for (const vector::Hit& hit : found.hits) hits += truth[i].count(hit.row);
          return hits;
        });
        std::printf("filter of %3u %%, %s: recall %.4f, %.1f us, %.0f %% by the graph\n", percent,
                    mode == Mode::kAuto    ? "automatic"
                    : mode == Mode::kExact ? "scan"
                                           : "walk",
                    point.recall, point.microseconds,
                    100.0 * static_cast<double>(walks) / kRounds / static_cast<double>(settings_.queries));
      }
    }
  }

  void measure_saving() {
    double begin = thread_microseconds();
    const std::string bytes = set_.save_graph();
    const double saving = (thread_microseconds() - begin) / 1e6;
    VectorSet other(options_);
    begin = thread_microseconds();
    for (std::size_t i = 0; i < settings_.rows; ++i) static_cast<void>(other.add(vector(i)).value());
    const double adding = (thread_microseconds() - begin) / 1e6;
    begin = thread_microseconds();
    const std::size_t nodes = other.load_graph(bytes).value();
    std::printf("saved %.1f bytes per node in %.2f s; added all again in %.2f s and loaded %zu nodes in %.2f s\n",
                static_cast<double>(bytes.size()) / static_cast<double>(settings_.rows), saving, adding, nodes,
                (thread_microseconds() - begin) / 1e6);
  }

  /// A quarter of the rows goes, and as many others come. The truth is of the new state.
  void measure_removals() {
    const std::size_t count = settings_.rows / 4;
    const std::vector<float> others = data_.vectors(count, 13);
    double begin = thread_microseconds();
    for (std::size_t i = 0; i < count; ++i) set_.remove(static_cast<Row>(i * 4));
    const double removing = thread_microseconds() - begin;
    truth_.clear();
    for (std::size_t i = 0; i < settings_.queries; ++i) truth_.push_back(rows_of(search(i, {.mode = Mode::kExact})));
    const Point dead = measure_own(64);
    begin = thread_microseconds();
    while (set_.work(1000)) {}
    const double repairing = thread_microseconds() - begin;
    const Point repaired = measure_own(64);
    std::printf(
        "a quarter removed, %.2f us each: recall %.4f, %.1f us; repaired for %.0f us each: recall %.4f, %.1f us\n",
        removing / static_cast<double>(count), dead.recall, dead.microseconds, repairing / static_cast<double>(count),
        repaired.recall, repaired.microseconds);
    for (std::size_t i = 0; i < count; ++i)
      static_cast<void>(set_.add(std::span(others).subspan(i * settings_.dimensions, settings_.dimensions)).value());
    while (set_.work(1000)) {}
    truth_.clear();
    for (std::size_t i = 0; i < settings_.queries; ++i) truth_.push_back(rows_of(search(i, {.mode = Mode::kExact})));
    const Point renewed = measure_own(64);
    std::printf("as many added again: recall %.4f, %.1f us, %zu rows retired\n", renewed.recall, renewed.microseconds,
                set_.stats().retired);
  }

  Settings settings_;
  ClusteredData data_;
  std::vector<float> vectors_;
  std::vector<float> queries_;
  vector::SetOptions options_;
  VectorSet set_;
  std::vector<std::set<Row>> truth_;
};

constexpr std::string_view kUsage =
    R"(usage: vector_report [--rows N] [--dimensions N] [--queries N] [--hnswlib 0|1] [--faiss 0|1]
  --dimensions is a multiple of 32. The other libraries' graphs are built only when their flag is 1 (hnswlib 1, faiss 0)
  and their Debian packages were there when this was built.
)";

int report_main(int count, char** arguments) {
  Settings settings;
  if (const auto status = read_test_flags(kUsage, count, arguments,
                                          {{"--rows", &settings.rows},
                                           {"--dimensions", &settings.dimensions},
                                           {"--queries", &settings.queries},
                                           {"--hnswlib", &settings.hnswlib},
                                           {"--faiss", &settings.faiss}}))
    return *status;
  if (settings.rows < 1000 || settings.rows > 10'000'000 || settings.dimensions == 0 || settings.dimensions % 32 != 0 ||
      settings.queries == 0) {
    std::fputs(kUsage.data(), stderr);
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Report(settings).run();
  return 0;
}

}  // namespace
}  // namespace dolmen::bench

int main(int count, char** arguments) { return dolmen::bench::report_main(count, arguments); }
