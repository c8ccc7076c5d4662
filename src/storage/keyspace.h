#pragma once

#include <cstdint>
#include <string_view>

namespace dolmen::storage {

/// One of the ordered key spaces of a store, by its position in Options::keyspaces.
struct Keyspace {
  std::uint8_t index = 0;

  friend bool operator==(Keyspace, Keyspace) = default;
};

/// The keys with lower <= key < upper, in the order of their bytes. An empty `upper` means no upper bound.
/// Refers to the caller's bytes, which must stay valid during the call that it is passed to.
struct KeyRangeView {
  std::string_view lower;
  std::string_view upper;
};

}  // namespace dolmen::storage
