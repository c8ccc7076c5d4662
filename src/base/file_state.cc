#include "base/file_state.h"

#include <sys/stat.h>

namespace dolmen {

FileState FileState::of(const std::filesystem::path& file) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0) return {};
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {.changed_ns = found.st_ctim.tv_sec * kNanoseconds + found.st_ctim.tv_nsec,
          .inode = found.st_ino,
          .bytes = found.st_size};
}

}  // namespace dolmen
