#pragma once

#include <dolmen/dolmen.h>
#include <memory>

#include "tests/docs/fresh_folder.h"

/// What docs/backups.md expects: a store with a table, and a moment at which it was there.
namespace given {

inline std::unique_ptr<dolmen::Store> store;
inline dolmen::TableTime then;

inline void set_up() {
  store = dolmen::open("memory:").value();
  store->create_table({.name = "orders", .partition_key = {"id"}}).value();
  store->update_continuous_backups("orders", {.enabled = true}).value();
  then = *store->describe_continuous_backups("orders").value().point_in_time.latest;
}

}  // namespace given
