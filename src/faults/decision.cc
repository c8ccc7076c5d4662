#include "faults/decision.h"

#include <array>
#include <fmt/format.h>

namespace dolmen {
namespace {

constexpr std::array<std::string_view, 10> kFaultNames{"throttle",    "internal-error", "latency",   "conflict",
                                                       "in-progress", "unprocessed",    "index-lag", "stream-lag",
                                                       "cut-before",  "cut-after"};

}  // namespace

std::string_view fault_name(Fault fault) { return kFaultNames[static_cast<std::size_t>(fault)]; }

std::optional<Fault> fault_of(std::string_view name) {
  for (std::size_t i = 0; i < kFaultNames.size(); ++i)
    if (kFaultNames[i] == name) return static_cast<Fault>(i);
  return std::nullopt;
}

namespace faults {

bool is_possible(Fault fault, const Subject& subject) {
  const OperationFamily family = subject.operation.family;
  const bool writes_item = family == OperationFamily::kItems && !subject.operation.reads();
  const bool has_data = family == OperationFamily::kItems || family == OperationFamily::kReads ||
                        family == OperationFamily::kVectors || family == OperationFamily::kBatches ||
                        family == OperationFamily::kTransactions;
  switch (fault) {
    case Fault::kThrottle: return has_data || subject.operation.name == "GetRecords";
    case Fault::kConflict: return writes_item || family == OperationFamily::kTransactions;
    case Fault::kInProgress: return subject.has_token;
    case Fault::kUnprocessed: return family == OperationFamily::kBatches;
    case Fault::kIndexLag: return subject.reads_index;
    case Fault::kStreamLag: return subject.operation.name == "GetRecords";
    case Fault::kInternalError:
    case Fault::kLatency:
    case Fault::kCutBefore:
    case Fault::kCutAfter: return true;
  }
  return false;
}

std::string to_text(const Decision& decision) {
  std::string text = fmt::format("seed={}, number={}", decision.seed, decision.number);
  if (decision.latency.count() > 0) text += fmt::format(", latency-ms={}", decision.latency.count());
  if (decision.fault || decision.latency.count() == 0)
    text += fmt::format(", {}", decision.fault ? fault_name(*decision.fault) : "none");
  return text;
}

double draw(std::uint64_t seed, std::uint64_t number, Fault fault, std::size_t part) {
  // SplitMix64 over each of the four in turn.
  std::uint64_t state = 0;
  for (const std::uint64_t more : {seed, number, static_cast<std::uint64_t>(fault), std::uint64_t{part}}) {
    state += more + 0x9E3779B97F4A7C15ULL;
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EBULL;
    state ^= state >> 31;
  }
  return static_cast<double>(state >> 11) * 0x1p-53;
}

}  // namespace faults
}  // namespace dolmen
