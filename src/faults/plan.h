#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/faults.h"

namespace dolmen::faults {

/// What is to go wrong, as people write it.
struct Plan {
  /// The lab's own when there is none.
  std::optional<std::uint64_t> seed = std::nullopt;
  /// The number that a request is taken for. Only in the form of one line.
  std::optional<std::uint64_t> number = std::nullopt;
  std::vector<FaultRule> rules = {};
};

/// What is wrong with a rule; empty when nothing is.
std::string problem_of(const FaultRule& rule);

/// The form of one line, for headers and addresses: faults with their probabilities, separated by commas
/// or ampersands:
///
///     seed=42, number=17, throttle=0.1, latency, latency-ms=20, index-lag, lag-writes=3
///
/// A fault without a probability always happens. "none" alone means that nothing happens. Fails with kInvalidArgument.
Result<Plan> parse_plan(std::string_view text);

/// A rule file (docs/testing.md). Fails with kInvalidArgument, with the place of everything that is wrong.
Result<Plan> parse_rule_file(std::string_view text, std::string_view file_name);
/// Fails with kIo, too.
Result<Plan> read_rule_file(const std::filesystem::path& file);

}  // namespace dolmen::faults
