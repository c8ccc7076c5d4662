#include "base/metrics.h"

#include <gtest/gtest.h>
#include <thread>

namespace dolmen::metrics {
namespace {

TEST(Counter, adds_up_what_all_threads_count) {
  Counter counter;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 20; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < 1000; ++j) counter.add();
      });
  }
  counter.add(5);
  EXPECT_EQ(counter.value(), 20'005U);
}

TEST(Histogram, puts_a_value_at_a_bound_below_it) {
  constexpr std::uint64_t kBounds[] = {10, 20};
  Histogram histogram(kBounds);
  for (const std::uint64_t value : {0U, 10U, 11U, 20U, 21U, 1000U}) histogram.observe(value);
  const Histogram::Content content = histogram.content();
  EXPECT_EQ(content.up_to, (std::vector<std::uint64_t>{2, 4, 6}));
  EXPECT_EQ(content.sum, 1062U);
}

TEST(Report, is_the_text_format_of_prometheus) {
  constexpr std::uint64_t kBounds[] = {500'000'000, 2'000'000'000};
  Histogram histogram(kBounds, kNanosecondsPerSecond);
  histogram.observe(1'500'000'000);
  Report report;
  report.histogram("dolmen_time_seconds", "Time", histogram, {{"operation", "GetItem"}});
  report.counter("dolmen_requests_total", "Requests", 3, {{"code", "OK"}});
  report.gauge("dolmen_connections", "Connections", 2.5);
  report.counter("dolmen_requests_total", "Requests", 4, {{"code", "a\"b\\c\nd"}});
  report.declare(Report::Kind::kCounter, "dolmen_unused_total", "Nothing yet");
  EXPECT_EQ(report.text(),
            "# HELP dolmen_connections Connections\n"
            "# TYPE dolmen_connections gauge\n"
            "dolmen_connections 2.5\n"
            "# HELP dolmen_requests_total Requests\n"
            "# TYPE dolmen_requests_total counter\n"
            "dolmen_requests_total{code=\"OK\"} 3\n"
            "dolmen_requests_total{code=\"a\\\"b\\\\c\\nd\"} 4\n"
            "# HELP dolmen_time_seconds Time\n"
            "# TYPE dolmen_time_seconds histogram\n"
            "dolmen_time_seconds_bucket{operation=\"GetItem\",le=\"0.5\"} 0\n"
            "dolmen_time_seconds_bucket{operation=\"GetItem\",le=\"2\"} 1\n"
            "dolmen_time_seconds_bucket{operation=\"GetItem\",le=\"+Inf\"} 1\n"
            "dolmen_time_seconds_sum{operation=\"GetItem\"} 1.5\n"
            "dolmen_time_seconds_count{operation=\"GetItem\"} 1\n"
            "# HELP dolmen_unused_total Nothing yet\n"
            "# TYPE dolmen_unused_total counter\n");
}

TEST(Registry, asks_its_sources_each_time) {
  Registry registry;
  std::uint64_t asked = 0;
  registry.add([&](Report& report) { report.counter("dolmen_asked_total", "How often", ++asked); });
  EXPECT_NE(registry.text().find("dolmen_asked_total 1"), std::string::npos);
  EXPECT_NE(registry.text().find("dolmen_asked_total 2"), std::string::npos);
}

}  // namespace
}  // namespace dolmen::metrics
