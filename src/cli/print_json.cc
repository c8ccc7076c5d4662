#include "cli/print_json.h"

#include <cstdio>
#include <fmt/format.h>

namespace dolmen::cli {

bool print_json(const LogicalValue& value) {
  const Result<std::string> json = canonical_json(value);
  if (json)
    fmt::print("{}\n", *json);
  else
    fmt::print(stderr, "dolmen: {}\n", json.error().message());
  return json.has_value();
}

}  // namespace dolmen::cli
