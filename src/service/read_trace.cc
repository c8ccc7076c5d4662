#include "service/read_trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace dolmen {
namespace {

constexpr std::array<std::string_view, 8> kPhaseNames{"parse", "prepare", "wait",    "read",
                                                      "fetch", "filter",  "project", "encode"};

/// A partition is hot when it has more than half of what is read in at least so many partitions.
constexpr std::size_t kHotAmongMin = 4;

std::chrono::nanoseconds steady_ticks() { return std::chrono::steady_clock::now().time_since_epoch(); }

std::string place_of(const ReadPart& part) {
  return part.index.empty() ? fmt::format("table {}", part.table)
                            : fmt::format("index {} of table {}", part.index, part.table);
}

}  // namespace

ReadTrace::ReadTrace(Ticks ticks) : ticks_(ticks ? std::move(ticks) : steady_ticks) {}

void ReadTrace::Part::read(const Row& row, const std::function<std::string()>& label) {
  ++counted_.items_read;
  counted_.bytes_read += row.bytes;
  const std::uint64_t bytes = partitions_[row.partition] += row.bytes;
  if (largest_ == row.partition || (largest_ && bytes <= partitions_[*largest_])) return;
  largest_ = row.partition;
  largest_label_ = label();
}

void ReadTrace::Part::fetched(std::uint64_t bytes) {
  ++counted_.items_fetched;
  counted_.bytes_fetched += bytes;
}

void ReadTrace::Part::returned(std::uint64_t bytes) {
  ++counted_.items_returned;
  counted_.bytes_returned += bytes;
}

void ReadTrace::add_time() {
  const std::chrono::nanoseconds now = ticks_();
  if (phase_) times_[static_cast<std::size_t>(*phase_)] += now - entered_;
  entered_ = now;
}

void ReadTrace::enter(Phase phase) {
  if (phase_ == phase) return;
  add_time();
  phase_ = phase;
}

ReadTrace::Part& ReadTrace::part(const std::string& table, const std::string& index) {
  const auto found = std::ranges::find_if(
      parts_, [&](const Part& part) { return part.counted_.table == table && part.counted_.index == index; });
  return found != parts_.end() ? *found : parts_.emplace_back(table, index);
}

void ReadTrace::begin_again() {
  parts_.clear();
  enter(Phase::kWait);
}

void ReadTrace::warn(const Part& part, Explanation& explanation) const {
  const ReadPart& counted = part.counted_;
  auto& warnings = explanation.warnings;
  if (part.way_ == Part::Way::kScan)
    warnings.push_back({"scan", fmt::format("a scan reads all of {}; a query reads one partition", place_of(counted))});
  const std::uint64_t discarded = counted.items_read - std::min(counted.items_read, counted.items_returned);
  if (part.way_ != Part::Way::kByKey && discarded * 2 > counted.items_read)
    warnings.push_back(
        {"filter", fmt::format("the filter discarded {} of {} items, whose reading is paid for; a key or "
                               "an index could leave them out",
                               discarded, counted.items_read)});
  if (part.partitions_.size() >= kHotAmongMin) {
    const std::uint64_t bytes = part.partitions_.at(*part.largest_);
    if (bytes * 2 > counted.bytes_read)
      warnings.push_back(
          {"hot-partition",
           fmt::format("partition {} of {} has {} of the {} bytes that were read in {} partitions", part.largest_label_,
                       place_of(counted), bytes, counted.bytes_read, part.partitions_.size())});
  }
  if (counted.items_fetched > 0)
    warnings.push_back(
        {"fetch", fmt::format("{} does not carry all that was asked for: {} items were also read from the "
                              "table; project their attributes into the index, or ask for less",
                              place_of(counted), counted.items_fetched)});
}

std::optional<Explanation> ReadTrace::finish() {
  if (phase_) add_time();
  phase_.reset();
  if (answer_) return std::move(answer_);
  if (parts_.empty()) return std::nullopt;
  Explanation explanation{.operation = operation_};
  for (Part& part : parts_) {
    part.counted_.partitions_read = part.partitions_.size();
    explanation.parts.push_back(part.counted_);
    warn(part, explanation);
  }
  for (std::size_t i = 0; i < kPhases; ++i)
    if (times_[i].count() > 0) explanation.phases.push_back({std::string(kPhaseNames[i]), times_[i]});
  return explanation;
}

}  // namespace dolmen
