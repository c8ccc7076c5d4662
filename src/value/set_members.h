#pragma once

#include <cstddef>
#include <span>

#include "value/encoded_writer.h"

namespace dolmen {

/// A member of a set, as written: where it begins with its length, where its bytes begin, which decide about the order,
/// and where it ends.
struct SetMember {
  std::size_t begin = 0;
  std::size_t content = 0;
  std::size_t end = 0;
};

/// Sorts the members that `out` has written one behind the other, in place. There must be at least one. False when two
/// are equal.
bool sort_members(EncodedWriter& out, std::span<SetMember> members);

}  // namespace dolmen
