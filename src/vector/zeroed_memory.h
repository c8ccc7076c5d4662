#pragma once

#include <cstddef>

namespace dolmen::vector {

/// Zeroed memory on a cache line's boundary. A large piece costs memory only as its pages are written, and asks for
/// huge pages: walks through a graph jump about in it. Null when there is none.
[[nodiscard]] std::byte* allocate_zeroed(std::size_t bytes);
/// `bytes` is what was asked for. Null is accepted.
void free_zeroed(std::byte* memory, std::size_t bytes);

}  // namespace dolmen::vector
