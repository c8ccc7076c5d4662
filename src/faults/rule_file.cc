// Rule files: which faults happen to which requests, in YAML.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>

#include "base/fail.h"
#include "base/number_text.h"
#include "config/read.h"
#include "faults/plan.h"

namespace dolmen::faults {
namespace {

using config::Node;

constexpr std::string_view kRule = "fault-rules";
constexpr std::size_t kRulesMax = 1000;

/// Reads a file and notes everything that is wrong.
class RuleReader {
 public:
  Plan read(const Node& root) {
    Plan plan;
    if (root.kind != Node::Kind::kMap) {
      note(root, "", "the file must have the entry \"rules\", a list of faults");
      return plan;
    }
    refuse_others(root, "", {"seed", "rules"});
    if (root.find("seed") != nullptr) plan.seed = count(root, "", "seed", 0);
    const Node* rules = root.find("rules");
    if (rules == nullptr || rules->kind != Node::Kind::kList) {
      note(rules == nullptr ? root : *rules, "rules", "must be a list of faults");
      return plan;
    }
    if (rules->elements.size() > kRulesMax) {
      note(*rules, "rules",
           fmt::format("has {} rules; no more than {} are possible", rules->elements.size(), kRulesMax));
      return plan;
    }
    for (std::size_t i = 0; i < rules->elements.size(); ++i)
      plan.rules.push_back(read_rule(rules->elements[i], config::child_path("rules", i)));
    return plan;
  }

  [[nodiscard]] const std::vector<config::Problem>& problems() const { return problems_; }

 private:
  void note(const Node& at, const std::string& path, std::string message) {
    problems_.push_back({at.position, path, std::string(kRule), std::move(message)});
  }

  void refuse_others(const Node& map, const std::string& path, std::initializer_list<std::string_view> known) {
    for (const Node::Entry& entry : map.entries) {
      if (std::ranges::find(known, entry.name) != known.end()) continue;
      const std::string_view nearest = config::nearest_name(entry.name, {known.begin(), known.size()}, 3);
      problems_.push_back({entry.name_position, config::child_path(path, entry.name), std::string(kRule),
                           nearest.empty() ? fmt::format("is not known here; known are {}", fmt::join(known, ", "))
                                           : fmt::format("is not known here (try \"{}\")", nearest)});
    }
  }

  std::uint64_t count(const Node& map, const std::string& path, std::string_view name, std::uint64_t otherwise) {
    const Node* found = map.find(name);
    if (found == nullptr) return otherwise;
    std::uint64_t number = 0;
    const char* const end = found->text.data() + found->text.size();
    const auto read = std::from_chars(found->text.data(), end, number);
    if (found->kind == Node::Kind::kNumber && read.ec == std::errc() && read.ptr == end) return number;
    note(*found, config::child_path(path, name), "must be a whole number from 0");
    return otherwise;
  }

  std::vector<std::string> texts(const Node& map, const std::string& path, std::string_view name) {
    std::vector<std::string> all;
    const Node* list = map.find(name);
    if (list == nullptr) return all;
    const std::string at = config::child_path(path, name);
    if (list->kind != Node::Kind::kList || list->elements.empty()) {
      note(*list, at, "must be a list of names");
      return all;
    }
    for (std::size_t i = 0; i < list->elements.size(); ++i) {
      const Node& element = list->elements[i];
      if (element.kind == Node::Kind::kString && !element.text.empty())
        all.push_back(element.text);
      else
        note(element, config::child_path(at, i), "must be a name");
    }
    return all;
  }

  Fault read_fault(const Node& map, const std::string& path) {
    const Node* found = map.find("fault");
    const std::optional<Fault> fault = found == nullptr ? std::nullopt : fault_of(found->text);
    if (fault && found->kind == Node::Kind::kString) return *fault;
    note(found == nullptr ? map : *found, config::child_path(path, "fault"),
         "must be throttle, internal-error, latency, conflict, in-progress, unprocessed, index-lag, stream-lag, "
         "cut-before or cut-after");
    return Fault::kThrottle;
  }

  FaultRule read_rule(const Node& map, const std::string& path) {
    FaultRule rule;
    if (map.kind != Node::Kind::kMap) {
      note(map, path, "must be a rule with the entry \"fault\"");
      return rule;
    }
    refuse_others(map, path,
                  {"fault", "probability", "operations", "tables", "skip", "times", "milliseconds", "writes"});
    rule.fault = read_fault(map, path);
    if (const Node* found = map.find("probability")) {
      const std::optional<double> number =
          found->kind == Node::Kind::kNumber ? parse_decimal(found->text) : std::nullopt;
      if (!number) note(*found, config::child_path(path, "probability"), "must be a number from 0 to 1");
      rule.probability = number.value_or(0);
    }
    rule.operations = texts(map, path, "operations");
    rule.tables = texts(map, path, "tables");
    rule.skip = count(map, path, "skip", rule.skip);
    rule.times = count(map, path, "times", rule.times);
    constexpr std::uint64_t kMost = 1'000'000'000;
    rule.latency = std::chrono::milliseconds(
        std::min(count(map, path, "milliseconds", static_cast<std::uint64_t>(rule.latency.count())), kMost));
    rule.writes = static_cast<std::uint32_t>(std::min(count(map, path, "writes", rule.writes), kMost));
    if (map.find("milliseconds") != nullptr && rule.fault != Fault::kLatency)
      note(*map.find("milliseconds"), config::child_path(path, "milliseconds"), "has a meaning only for latency");
    if (map.find("writes") != nullptr && rule.fault != Fault::kIndexLag)
      note(*map.find("writes"), config::child_path(path, "writes"), "has a meaning only for index-lag");
    if (const std::string problem = problem_of(rule); !problem.empty()) note(map, path, problem);
    return rule;
  }

  std::vector<config::Problem> problems_;
};

}  // namespace

Result<Plan> parse_rule_file(std::string_view text, std::string_view file_name) {
  const config::Reading reading = config::read_document(text, file_name);
  if (!reading.problems.empty() || !reading.root)
    return std::unexpected(config::error_of(Code::kInvalidArgument, file_name, reading.problems));
  RuleReader reader;
  Plan plan = reader.read(*reading.root);
  if (!reader.problems().empty())
    return std::unexpected(config::error_of(Code::kInvalidArgument, file_name, reader.problems()));
  return plan;
}

Result<Plan> read_rule_file(const std::filesystem::path& file) {
  DOLMEN_TRY(const std::string text, config::read_file(file));
  return parse_rule_file(text, file.string());
}

}  // namespace dolmen::faults
