#pragma once

#include <dolmen/dolmen.h>
#include <memory>
#include <utility>

#include "tests/docs/fresh_folder.h"

/// What docs/partiql.md expects: a store, and functions of the program's own.
namespace given {

inline std::unique_ptr<dolmen::Store> store;

inline void report(const dolmen::Error& /*error*/) {}
inline void show(const dolmen::Item& /*row*/) {}

inline void set_up() {
  store = dolmen::open("memory:").value();
  // The first snippet makes the table; the others go on with it.
  static bool is_first = true;
  if (std::exchange(is_first, false)) return;
  store
      ->create_table({.name = "notes",
                      .partition_key = {"topic", dolmen::KeyType::kString},
                      .sort_key = dolmen::KeyAttribute{"written", dolmen::KeyType::kNumber}})
      .value();
  store->execute("INSERT INTO notes VALUE {'topic': 'dolmen', 'written': 1}").value();
}

}  // namespace given
