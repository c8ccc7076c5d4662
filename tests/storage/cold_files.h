#pragma once

// Makes the kernel forget what it has read, for the tests of this room and of those above. Not part of the library.

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace dolmen::storage::test {

/// Why the pages of a file cannot be dropped, or not be told from others; nothing when they are gone.
inline std::optional<std::string> drop_pages(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "cannot open " + path.native();
  const std::size_t size = std::filesystem::file_size(path);
  char byte = 0;
  const iovec into{.iov_base = &byte, .iov_len = 1};
  const bool unable = ::preadv2(file, &into, 1, 0, RWF_NOWAIT) < 0 && errno != EAGAIN;
  ::fsync(file);  // what is not written yet stays
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  if (unable) return "the file system cannot read without waiting";
  if (mapped == MAP_FAILED) return "cannot look at the pages of " + path.native();
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((size + page - 1) / page);
  const bool looked = ::mincore(mapped, size, pages.data()) == 0;
  ::munmap(mapped, size);
  for (const unsigned char state : pages)
    if (!looked || (state & 1U) != 0) return "the kernel keeps the pages of files";
  return std::nullopt;
}

/// The same for all tables of the store in `directory`.
inline std::optional<std::string> drop_tables(const std::filesystem::path& directory) {
  std::optional<std::string> reason = "there is no table";
  for (const auto& entry : std::filesystem::directory_iterator(directory / "rocksdb")) {
    if (entry.path().extension() != ".sst") continue;
    reason = drop_pages(entry.path());
    if (reason) return reason;
  }
  return reason;
}

}  // namespace dolmen::storage::test

/// Ends the test where the files of the store cannot be made cold.
#define DOLMEN_COOL_OR_SKIP(directory) \
  if (const auto why = dolmen::storage::test::drop_tables(directory)) GTEST_SKIP() << "skipped: " << *why
