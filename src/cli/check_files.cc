#include "cli/check_files.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/print_json.h"

namespace dolmen::cli {

namespace {

using config::Problem;

/// One line for each problem, with the messages under each other.
void print_problems(const CheckedFile& checked, const CheckReport& report) {
  std::size_t width = 0;
  std::vector<std::string> places;
  for (const Problem& problem : checked.problems) {
    places.push_back(fmt::format("{}:{}:{}:", checked.file, problem.position.line, problem.position.column));
    width = std::max(width, places.back().size());
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Problem& problem = checked.problems[i];
    const bool has_path = report.shows_paths && !problem.path.empty();
    fmt::print(report.output, "{:<{}} error: {}{}{}\n", places[i], width, has_path ? problem.path : "",
               has_path ? ": " : "", problem.message);
  }
}

LogicalItem describe(const Problem& problem) {
  return {{"line", problem.position.line},
          {"column", problem.position.column},
          {"path", problem.path},
          {"rule", problem.rule},
          {"message", problem.message}};
}

LogicalItem describe(const CheckedFile& checked) {
  LogicalValue::List errors;
  for (const Problem& problem : checked.problems) errors.emplace_back(describe(problem));
  return {{"file", checked.file}, {"errors", std::move(errors)}};
}

}  // namespace

int report_check(const std::vector<CheckedFile>& files, const CheckReport& report) {
  std::size_t errors = 0;
  for (const CheckedFile& checked : files) errors += checked.problems.size();
  if (report.json) {
    LogicalValue::List described;
    for (const CheckedFile& checked : files) described.emplace_back(describe(checked));
    const bool printed = print_json(LogicalItem{{"errors", errors}, {"files", std::move(described)}});
    return errors > 0 || !printed ? 1 : 0;
  }
  for (const CheckedFile& checked : files) print_problems(checked, report);
  if (errors > 0)
    fmt::print(report.output, "{}\n", counted(errors, "error", "errors"));
  else
    fmt::print(report.output, "{} in {}, no errors\n", report.content, counted(files.size(), "file", "files"));
  return errors > 0 ? 1 : 0;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace dolmen::cli
