#pragma once

#include <string>
#include <vector>

#include "base/fail.h"
#include "base/file_writer.h"

namespace dolmen {

/// Watches a FileWriter: records each step, for example "sync keys.tmp", with the last name of its path, shortened to
/// one ".tmp" for temporary files; and fails the step with a given number.
class WatchedSteps {
 public:
  static constexpr int kNone = -1;

  /// The writer must not outlive this object.
  [[nodiscard]] FileWriter writer(int failing = kNone) {
    steps.clear();
    return FileWriter([this, failing](std::string_view step, const std::filesystem::path& path) -> Result<void> {
      const std::string name = path.filename();
      // A temporary file that is made for one attempt has a number in its name.
      const std::size_t end = name.ends_with(".tmp") ? name.find('.') : std::string::npos;
      steps.push_back(std::string(step) + " " + (end == std::string::npos ? name : name.substr(0, end) + ".tmp"));
      if (static_cast<int>(steps.size()) - 1 == failing) return fail(Code::kNoSpace, "step {} fails", failing);
      return {};
    });
  }

  std::vector<std::string> steps;
};

}  // namespace dolmen
