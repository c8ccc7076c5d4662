#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "base/check.h"

namespace dolmen {

/// A directory that is removed with its owner.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = std::filesystem::temp_directory_path() / "dolmen-test-XXXXXX";
    DOLMEN_CHECK(::mkdtemp(name.data()) != nullptr, "a test can make a directory");
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// A path inside the directory. Creates nothing.
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// The number of files at any depth.
  [[nodiscard]] std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) count += entry.is_regular_file();
    return count;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace dolmen
