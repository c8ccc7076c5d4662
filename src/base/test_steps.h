#pragma once

#include <string>
#include <vector>

#include "base/fail.h"
#include "base/file_writer.h"

namespace dolmen {

/// Watches a FileWriter: notes each step as "sync keys.tmp", with the last name of its path and ".tmp" for the name of
/// every temporary file; and fails the one whose number it was given.
class WatchedSteps {
 public:
  static constexpr int kNone = -1;

  /// Must not outlive this.
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
