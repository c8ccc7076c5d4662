#pragma once

#include <dolmen/dolmen.h>
#include <dolmen/testing.h>
#include <string>

#include "tests/docs/fresh_folder.h"

/// What docs/cookbook.md expects: nothing.
namespace given {

inline void set_up() {}

}  // namespace given
