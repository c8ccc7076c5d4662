#pragma once

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
  /// Whether messages need the path to be understood.
  bool shows_paths = false;
  /// What the files hold, such as "3 models".
  std::string content;
};

/// Says everything that is wrong with files, with its place, and closes with a count. Returns the exit code: 1 when
/// anything is.
int report_check(const std::vector<CheckedFile>& files, const CheckReport& report);

/// "1 model", "2 models".
std::string counted(std::size_t count, std::string_view one, std::string_view many);

}  // namespace dolmen::cli
