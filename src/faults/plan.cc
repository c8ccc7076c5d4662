#include "faults/plan.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/fail.h"
#include "base/number_text.h"
#include "service/operations.h"

namespace dolmen::faults {
namespace {

constexpr std::chrono::milliseconds kLatencyMax = std::chrono::minutes(10);
constexpr std::uint32_t kWritesMax = 64;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

Result<std::uint64_t> read_count(std::string_view name, std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size())
    return fail(Code::kInvalidArgument, "{}: \"{}\" is not a whole number from 0 to 18446744073709551615", name, text);
  return number;
}

/// The settings of a line, which apply to all of its rules.
struct LineSettings {
  std::chrono::milliseconds latency = FaultRule{}.latency;
  std::uint32_t writes = FaultRule{}.writes;
};

/// True when the name is that of a setting.
Result<bool> read_setting(std::string_view name, std::string_view value, Plan& plan, LineSettings& settings) {
  if (name != "seed" && name != "number" && name != "latency-ms" && name != "lag-writes") return false;
  DOLMEN_TRY(const std::uint64_t number, read_count(name, value));
  if (name == "seed") plan.seed = number;
  if (name == "number") plan.number = number;
  constexpr std::uint64_t kMost = 1'000'000'000;
  if (name == "latency-ms") settings.latency = std::chrono::milliseconds(std::min(number, kMost));
  if (name == "lag-writes") settings.writes = static_cast<std::uint32_t>(std::min(number, kMost));
  return true;
}

}  // namespace

std::string problem_of(const FaultRule& rule) {
  const std::string_view name = fault_name(rule.fault);
  if (!(rule.probability >= 0 && rule.probability <= 1))
    return fmt::format("{}: {} is not a probability from 0 to 1", name, rule.probability);
  if (rule.latency.count() < 0 || rule.latency > kLatencyMax)
    return fmt::format("{}: a latency of {} ms is not one from 0 to {}", name, rule.latency.count(),
                       kLatencyMax.count());
  if (rule.writes < 1 || rule.writes > kWritesMax)
    return fmt::format("{}: a lag of {} writes is not one from 1 to {}", name, rule.writes, kWritesMax);
  for (const std::string& operation : rule.operations) {
    bool known = false;
    for (const OperationInfo& info : Operations::kInfos) known = known || info.name == operation;
    if (!known) return fmt::format("{}: \"{}\" is not an operation, such as PutItem", name, operation);
  }
  return "";
}

Result<Plan> parse_plan(std::string_view text) {
  Plan plan;
  LineSettings settings;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find_first_of(",&"), text.size());
    const std::string_view entry = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = std::min(entry.find('='), entry.size());
    const std::string_view name = trimmed(entry.substr(0, equals));
    const std::string_view value = trimmed(entry.substr(std::min(equals + 1, entry.size())));
    if (name == "none" && equals == entry.size()) continue;
    DOLMEN_TRY(const bool setting, read_setting(name, value, plan, settings));
    if (setting) continue;
    const std::optional<Fault> fault = fault_of(name);
    if (!fault)
      return fail(Code::kInvalidArgument,
                  "\"{}\" is not a fault; known are throttle, internal-error, latency, conflict, in-progress, "
                  "unprocessed, index-lag, stream-lag, cut-before, cut-after, none, and seed, number, latency-ms, "
                  "lag-writes",
                  name);
    FaultRule rule{.fault = *fault};
    if (equals < entry.size()) {
      const std::optional<double> probability = parse_decimal(value);
      if (!probability) return fail(Code::kInvalidArgument, "{}: \"{}\" is not a probability from 0 to 1", name, value);
      rule.probability = *probability;
    }
    plan.rules.push_back(std::move(rule));
  }
  for (FaultRule& rule : plan.rules) {
    rule.latency = settings.latency;
    rule.writes = settings.writes;
    if (const std::string problem = problem_of(rule); !problem.empty())
      return fail(Code::kInvalidArgument, "{}", problem);
  }
  return plan;
}

}  // namespace dolmen::faults
