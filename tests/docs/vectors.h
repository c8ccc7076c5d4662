#pragma once

#include <array>
#include <cstdio>
#include <dolmen/dolmen.h>
#include <memory>
#include <string>
#include <vector>

#include "tests/docs/fresh_folder.h"

/// What docs/vectors.md expects: a store.
namespace given {

inline std::unique_ptr<dolmen::Store> store;

inline void set_up() { store = dolmen::open("memory:").value(); }

}  // namespace given
