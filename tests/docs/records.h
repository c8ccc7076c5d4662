#pragma once

#include <dolmen/dolmen.h>
#include <set>

#include "tests/docs/fresh_folder.h"

/// What docs/records.md expects: a type of the program's own.
struct Money {
  dolmen::Number cents;
};

namespace given {

inline void set_up() {}

}  // namespace given
