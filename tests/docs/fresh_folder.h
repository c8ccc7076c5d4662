#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace dolmen::docs {

/// The project's root, where a test is started.
inline const std::filesystem::path root = std::filesystem::current_path();

/// Where the last snippet ran.
inline std::filesystem::path folder;

inline void leave_folder() {
  std::filesystem::current_path(root);
  if (!folder.empty()) std::filesystem::remove_all(folder);
}

/// Says which snippet runs, and enters an empty folder for it.
inline void begin(const char* snippet) {
  std::puts(snippet);
  std::fflush(stdout);
  leave_folder();
  std::string name = (std::filesystem::temp_directory_path() / "dolmen-snippet-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  folder = name;
  std::filesystem::current_path(folder);
}

/// Ends the program while the libraries of its stores still live; what is given is global.
[[noreturn]] inline void end() {
  leave_folder();
  std::fflush(stdout);
  std::_Exit(EXIT_SUCCESS);
}

}  // namespace dolmen::docs
