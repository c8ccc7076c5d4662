#pragma once

#include "tests/docs/fresh_folder.h"

/// What README.md expects: nothing.
namespace given {

inline void set_up() {}

}  // namespace given
