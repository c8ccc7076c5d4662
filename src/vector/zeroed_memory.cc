#include "vector/zeroed_memory.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace dolmen::vector {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLargeBytes = std::size_t{4} << 20;

}  // namespace

std::byte* allocate_zeroed(std::size_t bytes) {
  if (bytes < kLargeBytes) {
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    void* const memory = std::aligned_alloc(kAlignment, rounded);
    if (memory != nullptr) std::memset(memory, 0, rounded);
    return static_cast<std::byte*>(memory);
  }
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
#ifdef MADV_HUGEPAGE
  static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
#endif
  return static_cast<std::byte*>(memory);
}

void free_zeroed(std::byte* memory, std::size_t bytes) {
  if (memory == nullptr) return;
  if (bytes < kLargeBytes)
    std::free(memory);
  else
    ::munmap(memory, bytes);
}

}  // namespace dolmen::vector
