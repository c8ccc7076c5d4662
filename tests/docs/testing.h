#pragma once

#include <chrono>
#include <dolmen/dolmen.h>
#include <dolmen/testing.h>
#include <memory>

#include "tests/docs/fresh_folder.h"

/// What docs/testing.md expects: a store with a table of notes.
namespace given {

inline std::unique_ptr<dolmen::Store> store;

inline void set_up() {
  store = dolmen::open("memory:").value();
  store->create_table({.name = "notes", .partition_key = {"topic"}}).value();
  store->put_item("notes", {{"topic", "dolmen"}}).value();
}

}  // namespace given
