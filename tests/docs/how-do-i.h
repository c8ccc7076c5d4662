#pragma once

#include <chrono>
#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/model.h>
#include <dolmen/testing.h>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/docs/fresh_folder.h"

/// What docs/how-do-i.md expects after its first answer: a store with a table of notes.
namespace given {

struct Note {
  std::string topic;
  std::int64_t written = 0;
  std::optional<std::string> text;
  std::set<std::string> tags;
  int stars = 0;
};
DOLMEN_RECORD(Note, topic, written, text, tags, (stars, defaulted));

inline std::unique_ptr<dolmen::Store> store = dolmen::open("memory:").value();

inline dolmen::Table<Note> make_notes() {
  auto made = dolmen::Table<Note>::create_or_open(*store, "notes", dolmen::keys(&Note::topic, &Note::written)).value();
  made.put({.topic = "dolmen", .written = 1, .text = "stone table"}).value();
  return made;
}

inline dolmen::Table<Note> notes = make_notes();

inline void set_up() {
  auto fresh = dolmen::open("memory:").value();
  store.swap(fresh);
  notes = make_notes();
}

}  // namespace given
