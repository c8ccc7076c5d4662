#include "cli/print_error.h"

#include <cstdio>
#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/print_json.h"

namespace dolmen::cli {

namespace {

/// The message of a file's errors is the first of them.
bool lists_errors(const Error& error) {
  return !error.details().empty() && error.message().starts_with(error.details().front().message);
}

void print_error(const Error& error) {
  if (!lists_errors(error)) fmt::print(stderr, "dolmen: {}\n", error.message());
  for (const ErrorDetail& detail : error.details())
    if (lists_errors(error))
      fmt::print(stderr, "dolmen: {}\n", detail.message);
    else
      fmt::print(stderr, "  {}{}{}{}\n", detail.path, detail.path.empty() ? "" : ": ", detail.message,
                 detail.rule.empty() ? "" : " (" + detail.rule + ")");
}

LogicalItem error_object(const Error& error) {
  LogicalValue::List details;
  for (const ErrorDetail& detail : error.details())
    details.emplace_back(LogicalItem{{"path", detail.path}, {"rule", detail.rule}, {"message", detail.message}});
  return {{"error", code_name(error.code())}, {"message", error.message()}, {"details", std::move(details)}};
}

}  // namespace

int report(const Error& error, bool json) {
  if (json)
    print_json(error_object(error));
  else
    print_error(error);
  return error.code() == Code::kInvalidArgument ? kUsageError : kFailed;
}

std::string problems_text(const std::vector<config::Problem>& problems) {
  std::string text;
  for (const config::Problem& problem : problems)
    fmt::format_to(std::back_inserter(text), "{}{}:{}: {}", text.empty() ? "" : "\n      ", problem.position.line,
                   problem.position.column, problem.message);
  return text;
}

}  // namespace dolmen::cli
