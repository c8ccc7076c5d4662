#include "base/metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/check.h"

namespace dolmen::metrics {
namespace {

constexpr std::size_t kNumbersPerLine = 64 / sizeof(std::uint64_t);

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\n') {
      out.append("\\n");
      continue;
    }
    if (c == '\\' || c == '"') out.push_back('\\');
    out.push_back(c);
  }
}

/// {operation="GetItem",le="0.1"}; nothing when there are no labels.
std::string labels_text(Report::Labels labels, std::string_view bound = {}) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view value) {
    text.append(text.empty() ? "{" : ",").append(name).append("=\"");
    append_escaped(text, value);
    text.push_back('"');
  };
  for (const auto& [name, value] : labels) add(name, value);
  if (!bound.empty()) add("le", bound);
  if (!text.empty()) text.push_back('}');
  return text;
}

std::string_view kind_name(Report::Kind kind) {
  switch (kind) {
    case Report::Kind::kCounter: return "counter";
    case Report::Kind::kGauge: return "gauge";
    case Report::Kind::kHistogram: return "histogram";
  }
  DOLMEN_UNREACHABLE("a kind outside the closed list");
}

}  // namespace

std::uint64_t Counter::value() const {
  std::uint64_t sum = 0;
  for (const Shard& shard : shards_) sum += shard.number.load(std::memory_order_relaxed);
  return sum;
}

Histogram::Histogram(std::span<const std::uint64_t> bounds, double per_unit)
    : bounds_(bounds.begin(), bounds.end()),
      per_unit_(per_unit),
      shard_size_((bounds.size() + 2 + kNumbersPerLine - 1) / kNumbersPerLine * kNumbersPerLine),
      numbers_(std::make_unique<std::atomic<std::uint64_t>[]>(shard_size_ * kShards)) {}

void Histogram::observe(std::uint64_t value) {
  std::atomic<std::uint64_t>* const shard = &numbers_[own_shard() * shard_size_];
  const auto bucket = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
  shard[0].fetch_add(value, std::memory_order_relaxed);
  shard[1 + bucket].fetch_add(1, std::memory_order_relaxed);
}

Histogram::Content Histogram::content() const {
  Content content{.up_to = std::vector<std::uint64_t>(bounds_.size() + 1)};
  for (std::size_t shard = 0; shard < kShards; ++shard) {
    const std::atomic<std::uint64_t>* const numbers = &numbers_[shard * shard_size_];
    content.sum += numbers[0].load(std::memory_order_relaxed);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < content.up_to.size(); ++i)
      content.up_to[i] += count += numbers[1 + i].load(std::memory_order_relaxed);
  }
  return content;
}

std::span<const std::uint64_t> latency_bounds() {
  constexpr std::uint64_t kMicrosecond = 1'000;
  static constexpr std::array<std::uint64_t, 16> kBounds{
      50 * kMicrosecond,      100 * kMicrosecond,       250 * kMicrosecond,       500 * kMicrosecond,
      1'000 * kMicrosecond,   2'500 * kMicrosecond,     5'000 * kMicrosecond,     10'000 * kMicrosecond,
      25'000 * kMicrosecond,  50'000 * kMicrosecond,    100'000 * kMicrosecond,   250'000 * kMicrosecond,
      500'000 * kMicrosecond, 1'000'000 * kMicrosecond, 2'500'000 * kMicrosecond, 10'000'000 * kMicrosecond};
  return kBounds;
}

std::string& Report::samples_of(Kind kind, std::string_view name, std::string_view help) {
  DOLMEN_CHECK(name.starts_with("dolmen_"), "the names of all metrics begin with dolmen_");
  auto found = families_.find(name);
  if (found == families_.end())
    found = families_.emplace(std::string(name), Family{.kind = kind, .help = std::string(help), .samples = {}}).first;
  DOLMEN_CHECK(found->second.kind == kind, "a metric has one kind");
  return found->second.samples;
}

void Report::counter(std::string_view name, std::string_view help, std::uint64_t value, Labels labels) {
  fmt::format_to(std::back_inserter(samples_of(Kind::kCounter, name, help)), "{}{} {}\n", name, labels_text(labels),
                 value);
}

void Report::gauge(std::string_view name, std::string_view help, double value, Labels labels) {
  fmt::format_to(std::back_inserter(samples_of(Kind::kGauge, name, help)), "{}{} {}\n", name, labels_text(labels),
                 value);
}

void Report::histogram(std::string_view name, std::string_view help, const Histogram& histogram, Labels labels) {
  this->histogram(name, help, histogram.content(), {histogram.bounds(), histogram.per_unit()}, labels);
}

void Report::histogram(std::string_view name, std::string_view help, const Histogram::Content& content,
                       const BoundsView& bounds, Labels labels) {
  auto out = std::back_inserter(samples_of(Kind::kHistogram, name, help));
  for (std::size_t i = 0; i < content.up_to.size(); ++i) {
    const std::string bound =
        i < bounds.bounds.size() ? fmt::format("{}", static_cast<double>(bounds.bounds[i]) / bounds.per_unit) : "+Inf";
    fmt::format_to(out, "{}_bucket{} {}\n", name, labels_text(labels, bound), content.up_to[i]);
  }
  fmt::format_to(out, "{}_sum{} {}\n", name, labels_text(labels), static_cast<double>(content.sum) / bounds.per_unit);
  fmt::format_to(out, "{}_count{} {}\n", name, labels_text(labels), content.up_to.back());
}

void Report::declare(Kind kind, std::string_view name, std::string_view help) { samples_of(kind, name, help); }

std::string Report::text() const {
  std::string text;
  for (const auto& [name, family] : families_)
    fmt::format_to(std::back_inserter(text), "# HELP {} {}\n# TYPE {} {}\n{}", name, family.help, name,
                   kind_name(family.kind), family.samples);
  return text;
}

std::string Registry::text() const {
  Report report;
  for (const Source& source : sources_) source(report);
  return report.text();
}

}  // namespace dolmen::metrics
