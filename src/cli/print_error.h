#pragma once

#include <string>
#include <vector>

#include "config/node.h"
#include "dolmen/error.h"

namespace dolmen::cli {

/// Tells on the standard error output what went wrong: each detail of an error that has some, as that of a file does.
void print_error(const Error& error);

/// Every problem of a file with its place, one below the other.
std::string problems_text(const std::vector<config::Problem>& problems);

}  // namespace dolmen::cli
