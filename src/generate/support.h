#pragma once

#include <span>
#include <string_view>

namespace dolmen::generate {

/// A file that generated code needs beside it. Those of src/generate/support are part of the program
/// (cmake/embed.cmake).
struct SupportFile {
  std::string_view name;
  std::string_view text;
};

extern const std::span<const SupportFile> kSupportFiles;

}  // namespace dolmen::generate
