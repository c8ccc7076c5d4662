#pragma once

#include <string>
#include <vector>

#include "config/node.h"
#include "dolmen/error.h"

namespace dolmen::cli {

/// Says what went wrong: to the standard error for a person, each detail on a line of its own; with `json`, to the
/// standard output for a program, as {"error": CODE, "message": TEXT, "details": [{path, rule, message}]}. Returns the
/// exit code: kUsageError for kInvalidArgument, and else kFailed.
int report(const Error& error, bool json);

/// Every problem of a file with its place, one below the other.
std::string problems_text(const std::vector<config::Problem>& problems);

}  // namespace dolmen::cli
