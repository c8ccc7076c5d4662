#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "vector/test_vectors.h"
#include "vector/vector_set.h"

namespace dolmen::vector {
namespace {

constexpr std::size_t kDimensions = 24;

SetOptions small_graphs(Distance distance = Distance::kEuclidean) {
  return {.dimensions = kDimensions, .distance = distance, .graph_rows_min = 500};
}

void finish_work(VectorSet& set) {
  while (set.work(100)) {}
}

struct GraphModel {
  explicit GraphModel(const SetOptions& options, std::uint64_t seed) : set(options), vectors(kDimensions, seed) {}

  void add(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Floats vector = vectors.next();
      rows[set.add(vector).value()] = vector;
    }
  }
  /// Removes each row of which the number has a remainder.
  void remove(Row divisor, Row remainder) {
    for (auto at = rows.begin(); at != rows.end();) {
      if (at->first % divisor != remainder) {
        ++at;
        continue;
      }
      set.remove(at->first);
      at = rows.erase(at);
    }
  }
  /// The part of what exact searches find that walks find too. Checks on the way that nothing is found that is gone,
  /// and that scores are right.
  double recall(Filter filter = {}) {
    std::size_t found = 0;
    std::size_t wanted = 0;
    for (int i = 0; i < 50; ++i) {
      const Floats query = vectors.next();
      const VectorSet::Reading reading = set.read();
      const Found exact = reading.search({.query = query, .mode = Mode::kExact, .filter = filter}).value();
      const Found quick = reading.search({.query = query, .mode = Mode::kApproximate, .filter = filter}).value();
      EXPECT_EQ(quick.hits.size(), exact.hits.size());
      std::set<Row> truth;
      for (const Hit& hit : exact.hits) truth.insert(hit.row);
      for (const Hit& hit : quick.hits) {
        EXPECT_TRUE(rows.contains(hit.row)) << hit.row;
        if (rows.contains(hit.row)) {
          EXPECT_TRUE(is_same_score(hit.score, naive_score(set.options().distance, query, rows.at(hit.row)), 1000));
        }
        found += truth.count(hit.row);
      }
      wanted += truth.size();
    }
    return static_cast<double>(found) / static_cast<double>(wanted);
  }
  Trace trace_of(const Search& search) { return set.read().search(search).value().trace; }

  VectorSet set;
  ClusteredVectors vectors;
  std::map<Row, Floats> rows;
};

TEST(VectorGraph, finds_nearly_all_that_an_exact_search_finds) {
  for (const Distance distance : kDistances) {
    const SetOptions options = small_graphs(distance);
    SCOPED_TRACE(static_cast<int>(distance));
    GraphModel model(options, test_seed("VectorGraph.recall"));
    model.add(5000);
    finish_work(model.set);
    EXPECT_EQ(model.set.stats().graph_nodes, 5000U);
    EXPECT_GE(model.recall(), 0.97);
    const Floats query = model.vectors.next();
    const Trace trace = model.trace_of({.query = query, .mode = Mode::kApproximate});
    EXPECT_EQ(trace.way, Trace::Way::kGraph);
    EXPECT_LT(trace.compared, 2500U);
  }
}

TEST(VectorGraph, finds_rows_at_once_that_are_not_in_it_yet) {
  const SetOptions options = small_graphs();
  GraphModel model(options, test_seed("VectorGraph.waiting"));
  model.add(1000);
  finish_work(model.set);
  for (int i = 0; i < 20; ++i) {
    const Floats vector = model.vectors.next();
    const Row row = model.set.add(vector).value();
    const Found found = model.set.read().search({.query = vector, .top_k = 1, .mode = Mode::kApproximate}).value();
    ASSERT_EQ(found.hits.size(), 1U);
    EXPECT_EQ(found.hits[0], (Hit{row, 0.0F}));
    EXPECT_EQ(found.trace.waiting, static_cast<std::size_t>(i) + 1);
  }
}

TEST(VectorGraph, never_returns_what_is_gone_and_keeps_its_recall) {
  const SetOptions options = small_graphs();
  GraphModel model(options, test_seed("VectorGraph.removal"));
  model.add(4000);
  finish_work(model.set);
  for (Row round = 0; round < 12; ++round) {
    model.remove(12, round);
    model.add(333);
    EXPECT_GE(model.recall(), 0.95) << "with waiting rows in round " << round;
    finish_work(model.set);
    EXPECT_GE(model.recall(), 0.95) << "in round " << round;
  }
  const Stats stats = model.set.stats();
  EXPECT_EQ(stats.rows, model.rows.size());
  EXPECT_LE(stats.graph_dead * 5, stats.graph_nodes);
  // Rows were used again: nobody would have needed more than those that are live and those that wait for a repair.
  EXPECT_LE(model.rows.rbegin()->first, 6000U);
}

TEST(VectorGraph, is_repaired_in_small_steps) {
  const SetOptions options = small_graphs();
  GraphModel model(options, test_seed("VectorGraph.steps"));
  model.add(3000);
  finish_work(model.set);
  model.remove(4, 1);
  int steps = 0;
  while (model.set.work(1)) {
    ++steps;
    if (steps % 100 == 0) {
      EXPECT_GE(model.recall(), 0.95);
    }
  }
  EXPECT_GT(steps, 100);
  EXPECT_EQ(model.set.stats().graph_dead, 0U);
  EXPECT_EQ(model.set.stats().graph_nodes, model.rows.size());
}

TEST(VectorGraph, goes_when_the_set_has_become_small) {
  const SetOptions options = small_graphs();
  GraphModel model(options, test_seed("VectorGraph.small"));
  model.add(600);
  finish_work(model.set);
  EXPECT_TRUE(model.set.stats().has_graph);
  for (const Row remainder : {1U, 2U, 3U}) model.remove(4, remainder);
  finish_work(model.set);
  EXPECT_FALSE(model.set.stats().has_graph);
  EXPECT_EQ(model.recall(), 1.0);
}

TEST(VectorGraph, applies_filters_inside_and_never_returns_fewer_than_match) {
  const SetOptions options = small_graphs();
  GraphModel model(options, test_seed("VectorGraph.filter"));
  model.add(5000);
  finish_work(model.set);
  for (const Row divisor : {2U, 10U, 100U, 700U}) {
    const Filter filter{.accepts = [divisor](Row row) { return row % divisor == 0; }, .expected = 5000 / divisor};
    EXPECT_GE(model.recall(filter), 0.95);
  }
  // Only rows far from the query match, so that a walk sees none of them.
  const Floats query = model.vectors.next();
  const Found all = model.set.read().search({.query = query, .top_k = 5000, .mode = Mode::kExact}).value();
  std::set<Row> far;
  for (std::size_t i = 4980; i < 5000; ++i) far.insert(all.hits[i].row);
  const Found found = model.set.read()
                          .search({.query = query,
                                   .mode = Mode::kApproximate,
                                   .filter = {.accepts = [&](Row row) { return far.contains(row); }}})
                          .value();
  ASSERT_EQ(found.hits.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(found.hits[i].score, all.hits[4980 + i].score);
}

TEST(VectorGraph, is_followed_when_a_scan_of_what_matches_costs_more) {
  const SetOptions options = small_graphs();
  GraphModel model(options, test_seed("VectorGraph.choice"));
  model.add(3000);
  finish_work(model.set);
  const Floats query = model.vectors.next();
  const auto way_of = [&](std::size_t expected) {
    const Filter filter{.accepts = [expected](Row row) { return row % 3000 < expected; }, .expected = expected};
    return model.trace_of({.query = query, .top_k = 10, .filter = filter, .width = 10}).way;
  };
  // A scan compares as many rows as match; a walk of this width some 250, twice as many when half of the rows match,
  // and each of them costs as much as four.
  EXPECT_EQ(model.trace_of({.query = query, .top_k = 10, .width = 10}).way, Trace::Way::kGraph);
  EXPECT_NE(way_of(1800), Trace::Way::kScan);
  EXPECT_EQ(way_of(1700), Trace::Way::kScan);
  EXPECT_EQ(way_of(1000), Trace::Way::kScan);
}

TEST(VectorGraph, leads_a_narrow_walk_to_its_goal) {
  const SetOptions options = small_graphs();
  GraphModel model(options, test_seed("VectorGraph.narrow"));
  model.add(2000);
  finish_work(model.set);
  std::size_t found = 0;
  for (const auto& [row, vector] : model.rows) {
    const Search search{.query = vector, .top_k = 1, .mode = Mode::kApproximate, .width = 1};
    found += static_cast<std::size_t>(model.set.read().search(search).value().hits.at(0).row == row);
  }
  EXPECT_GE(found, 1600U);
}

TEST(VectorGraph, is_the_same_for_the_same_seed) {
  const std::uint64_t seed = test_seed("VectorGraph.seed");
  const auto bytes_of = [&](std::uint64_t graph_seed) {
    SetOptions options = small_graphs();
    options.seed = graph_seed;
    GraphModel model(options, seed);
    model.add(1000);
    finish_work(model.set);
    model.remove(4, 0);
    finish_work(model.set);
    return model.set.save_graph();
  };
  EXPECT_EQ(bytes_of(1), bytes_of(1));
  EXPECT_NE(bytes_of(1), bytes_of(2));
}

TEST(VectorGraph, tells_its_owner_once_that_work_is_due) {
  int told = 0;
  SetOptions options = small_graphs();
  options.work_due = [&](VectorSet&) { ++told; };
  GraphModel model(options, 1);
  model.add(499);
  EXPECT_EQ(told, 0);
  model.add(100);
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(model.set.work(10));
  model.add(1);
  EXPECT_EQ(told, 1);
  finish_work(model.set);
  EXPECT_FALSE(model.set.work(10));
  model.add(1);
  EXPECT_EQ(told, 2);
}

TEST(VectorGraph, handles_vectors_that_overflow) {
  for (const Distance distance : kDistances) {
    const SetOptions options = small_graphs(distance);
    VectorSet set(options);
    ClusteredVectors vectors(kDimensions, test_seed("VectorGraph.overflow"));
    for (int i = 0; i < 700; ++i) {
      Floats vector = vectors.next();
      for (float& number : vector) number = i % 7 == 0 ? 0 : number * (i % 3 == 0 ? 1e37F : i % 3 == 1 ? 1e-40F : 1.0F);
      set.add(vector).value();
    }
    finish_work(set);
    const Floats query = vectors.next();
    EXPECT_EQ(set.read().search({.query = query, .mode = Mode::kApproximate}).value().hits.size(), 10U);
  }
}

// ---- Saved graphs ----

TEST(SavedGraph, serves_a_set_with_the_same_vectors_in_other_rows) {
  const SetOptions options = small_graphs(Distance::kCosine);
  GraphModel model(options, test_seed("SavedGraph"));
  model.add(2000);
  finish_work(model.set);
  const std::string bytes = model.set.save_graph();
  GraphModel other(options, 1);
  for (auto at = model.rows.rbegin(); at != model.rows.rend(); ++at)
    other.rows[other.set.add(at->second).value()] = at->second;
  EXPECT_THAT(other.set.load_graph(bytes), holds(2000U));
  EXPECT_FALSE(other.set.work(1));
  EXPECT_GE(other.recall(), 0.97);
}

TEST(SavedGraph, leads_around_what_has_gone_and_leaves_what_is_new_to_the_worker) {
  const SetOptions options = small_graphs();
  GraphModel model(options, test_seed("SavedGraph.changed"));
  model.add(2000);
  finish_work(model.set);
  const std::string bytes = model.set.save_graph();
  GraphModel other(options, 1);
  for (const auto& [row, vector] : model.rows)
    if (row % 8 != 0) other.rows[other.set.add(vector).value()] = vector;
  other.add(100);
  EXPECT_THAT(other.set.load_graph(bytes), holds(1750U));
  EXPECT_GE(other.recall(), 0.95);
  finish_work(other.set);
  EXPECT_EQ(other.set.stats().graph_nodes, 1850U);
  EXPECT_GE(other.recall(), 0.95);
}

TEST(SavedGraph, is_not_used_for_other_vectors) {
  const SetOptions options = small_graphs();
  GraphModel model(options, 1);
  model.add(1000);
  finish_work(model.set);
  GraphModel other(options, 2);
  other.add(1000);
  EXPECT_THAT(other.set.load_graph(model.set.save_graph()), holds(0U));
  EXPECT_FALSE(other.set.stats().has_graph);
}

TEST(SavedGraph, is_refused_when_any_byte_is_damaged_or_missing) {
  const SetOptions options = small_graphs();
  GraphModel model(options, test_seed("SavedGraph.damaged"));
  model.add(600);
  finish_work(model.set);
  const std::string bytes = model.set.save_graph();
  GraphModel other(options, 1);
  for (const auto& [row, vector] : model.rows) other.set.add(vector).value();
  for (std::size_t at = 0; at < bytes.size(); at += 97) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    ASSERT_THAT(other.set.load_graph(damaged), fails_with(Code::kCorruption)) << at;
    ASSERT_THAT(other.set.load_graph(bytes.substr(0, at)), fails_with(Code::kCorruption)) << at;
  }
  EXPECT_THAT(other.set.load_graph(bytes), holds(600U));
}

// ---- Threads ----

TEST(VectorGraph, serves_searches_while_rows_come_and_go_and_the_graph_is_changed) {
  constexpr int kSteps = 1500;
  const SetOptions options = small_graphs();
  VectorSet set(options);
  std::atomic<bool> ended = false;
  // The first number of a vector says which thread wrote it, the second counts.
  std::vector<std::atomic<std::uint64_t>> meaning(1 << 16);
  const auto write = [&](std::uint64_t thread) {
    ClusteredVectors vectors(kDimensions, thread);
    std::mt19937_64 random(thread);
    std::vector<Row> mine;
    for (std::uint64_t i = 0; i < kSteps; ++i) {
      Floats vector = vectors.next();
      vector[0] = static_cast<float>(thread);
      vector[1] = static_cast<float>(i);
      const Row row = set.stage(vector).value();
      meaning[row].store(thread << 32 | i, std::memory_order_relaxed);
      set.publish(row);
      mine.push_back(row);
      if (mine.size() > 600 || random() % 3 == 0) {
        std::swap(mine[random() % mine.size()], mine.back());
        set.remove(mine.back());
        mine.pop_back();
      }
    }
  };
  const auto search = [&](std::uint64_t thread) {
    ClusteredVectors vectors(kDimensions, thread);
    for (std::uint64_t i = 0; !ended; ++i) {
      const VectorSet::Reading reading = set.read();
      const Floats query = vectors.next();
      const auto mode = static_cast<Mode>(i % 3);
      const Found found = reading.search({.query = query, .mode = mode}).value();
      for (const Hit& hit : found.hits) {
        const std::uint64_t means = meaning[hit.row].load(std::memory_order_relaxed);
        EXPECT_EQ(reading.vector(hit.row)[0], static_cast<float>(means >> 32));
        EXPECT_EQ(reading.vector(hit.row)[1], static_cast<float>(means & 0xffffffff));
        EXPECT_TRUE(is_same_score(hit.score, naive_score(Distance::kEuclidean, query, reading.vector(hit.row)), 1000));
      }
    }
  };
  std::vector<std::thread> writers;
  std::vector<std::thread> others;
  for (std::uint64_t i = 1; i <= 2; ++i) writers.emplace_back(write, i);
  for (std::uint64_t i = 1; i <= 2; ++i) others.emplace_back(search, i + 100);
  others.emplace_back([&] {
    while (!ended) set.work(10);
  });
  for (std::thread& thread : writers) thread.join();
  ended = true;
  for (std::thread& thread : others) thread.join();
  finish_work(set);
  const Stats stats = set.stats();
  EXPECT_EQ(stats.graph_nodes - stats.graph_dead, stats.has_graph ? stats.rows : 0U);
}

}  // namespace
}  // namespace dolmen::vector
