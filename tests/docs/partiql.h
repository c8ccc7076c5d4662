#pragma once

#include <dolmen/dolmen.h>
#include <memory>

#include "tests/docs/fresh_folder.h"

/// What docs/partiql.md expects: a store, and functions of the program's own.
namespace given {

inline std::unique_ptr<dolmen::Store> store;

inline void report(const dolmen::Error& /*error*/) {}
inline void show(const dolmen::Item& /*row*/) {}

inline void set_up() { store = dolmen::open("memory:").value(); }

}  // namespace given
