#pragma once

#include <dolmen/dolmen.h>
#include <memory>
#include <string>

#include "tests/docs/fresh_folder.h"

/// What docs/streams.md expects: a store, and functions of the program's own.
namespace given {

using namespace std::chrono_literals;
inline std::unique_ptr<dolmen::Store> store;

inline std::string load_position() { return {}; }
inline void save_position(const std::string& /*position*/) {}
inline void report(const dolmen::Error& /*error*/) {}
inline void index(const dolmen::Item& /*item*/) {}

inline void set_up() { store = dolmen::open("memory:").value(); }

}  // namespace given
