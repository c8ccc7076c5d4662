#include "cli/config_files.h"

#include <algorithm>

#include "base/fail.h"

namespace dolmen::cli {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> config_files_in(const std::string& folder) {
  std::error_code failed;
  if (fs::is_regular_file(folder, failed)) return std::vector<fs::path>{folder};
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string extension = entry->path().extension().string();
    if (extension == ".yml" || extension == ".yaml" || extension == ".json") files.push_back(entry->path());
  }
  if (failed) return fail(Code::kIo, "cannot read {}: {}", folder, failed.message());
  if (files.empty()) return fail(Code::kInvalidArgument, "{} holds no YAML or JSON files", folder);
  std::ranges::sort(files);
  return files;
}

}  // namespace dolmen::cli
