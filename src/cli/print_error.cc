#include "cli/print_error.h"

#include <cstdio>
#include <fmt/format.h>

namespace dolmen::cli {

void print_error(const Error& error) {
  if (error.details().empty()) fmt::print(stderr, "dolmen: {}\n", error.message());
  for (const ErrorDetail& detail : error.details()) fmt::print(stderr, "dolmen: {}\n", detail.message);
}

std::string problems_text(const std::vector<config::Problem>& problems) {
  std::string text;
  for (const config::Problem& problem : problems)
    fmt::format_to(std::back_inserter(text), "{}{}:{}: {}", text.empty() ? "" : "\n      ", problem.position.line,
                   problem.position.column, problem.message);
  return text;
}

}  // namespace dolmen::cli
