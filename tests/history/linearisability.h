#pragma once

#include <optional>
#include <string>

#include "history.h"

namespace dolmen::history {

/// What is wrong with the operations on one object; nothing when they are linearisable: when there is an order of them
/// in which each gives the answer that it gave, and in which no operation stands before one that had ended when it
/// began. An operation of unknown outcome may stand anywhere after its beginning, or nowhere.
///
/// The search is that of Wing and Gong with the memory of Lowe. It takes time in proportion to the operations as long
/// as few of them overlap; what it remembers is a hash of 128 bits for each set of operations and state.
std::optional<std::string> find_not_linearisable(const Object& object);

}  // namespace dolmen::history
