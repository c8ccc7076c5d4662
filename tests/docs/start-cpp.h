#pragma once

#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/tables.h>
#include <memory>

#include "tests/docs/fresh_folder.h"

/// What docs/start-cpp.md expects: the store, the table and the struct of its first program.
namespace given {

struct Note {
  std::string topic;
  std::int64_t written = 0;
  std::optional<std::string> text;
  int stars = 0;
};
DOLMEN_RECORD(Note, topic, written, text, (stars, defaulted));

inline std::unique_ptr<dolmen::Store> store;

inline void set_up() {
  store = dolmen::open("memory:").value();
  store
      ->create_table({.name = "notes",
                      .partition_key = {"topic", dolmen::KeyType::kString},
                      .sort_key = dolmen::KeyAttribute{"written", dolmen::KeyType::kNumber}})
      .value();
}

}  // namespace given
