#pragma once

#include <cstdint>

namespace dolmen::storage {

/// Counts how many versions of rows the iterators of this thread pass during its lifetime: the older ones, and each row
/// itself when the iterator goes on from it.
class VersionCount {
 public:
  VersionCount();
  ~VersionCount();
  VersionCount(const VersionCount&) = delete;
  VersionCount& operator=(const VersionCount&) = delete;

  [[nodiscard]] std::uint64_t passed() const;

 private:
  const int level_before_;
  const std::uint64_t passed_before_;
};

}  // namespace dolmen::storage
