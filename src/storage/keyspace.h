#pragma once

#include <cstdint>
#include <string_view>

namespace dolmen::storage {

/// One of the ordered key spaces of a store, by its position in Options::keyspaces.
struct Keyspace {
  std::uint8_t index = 0;

  friend bool operator==(Keyspace, Keyspace) = default;
};

/// The keys with lower <= key < upper, in the order of their bytes. An empty `upper` is no bound at all.
/// Sees the caller's bytes; they must live as long as the call it is passed to.
struct KeyRangeView {
  std::string_view lower;
  std::string_view upper;
};

}  // namespace dolmen::storage
