#pragma once

#include <cstddef>
#include <string_view>

namespace dolmen::reference {

/// Decisions taken from a string of bytes: the same bytes always give the same decisions, and a fuzzer that changes a
/// byte changes a decision. When the bytes are used up, every decision is the first choice.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}

  /// A number below `limit`, which is at most 256.
  std::size_t below(std::size_t limit) {
    if (rest_.empty()) return 0;
    const std::size_t byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte % limit;
  }

  /// True once in `n` times.
  bool once_in(std::size_t n) { return below(n) == n - 1; }

  template <class T, std::size_t kCount>
  const T& one_of(const T (&list)[kCount]) {
    return list[below(kCount)];
  }

 private:
  std::string_view rest_;
};

}  // namespace dolmen::reference
