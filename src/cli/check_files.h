#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"

namespace dolmen::cli {

struct CheckedFile {
  std::string file;
  std::vector<config::Problem> problems;
};

struct CheckReport {
  bool json = false;
  /// Where to say it. JSON is for programs, and goes to the standard output.
  std::FILE* output = stdout;
  /// Whether messages need the path to be understood.
  bool shows_paths = false;
  /// What the files hold, such as "3 models".
  std::string content;
};

/// Says everything that is wrong with files, with its place, and closes with a count. Returns the exit code: 1 when
/// anything is, or cannot be said.
int report_check(const std::vector<CheckedFile>& files, const CheckReport& report);

/// "1 model", "2 models".
std::string counted(std::size_t count, std::string_view one, std::string_view many);

}  // namespace dolmen::cli
