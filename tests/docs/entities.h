#pragma once

#include <cstdint>
#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tests/docs/fresh_folder.h"

/// What docs/entities.md expects: a store, the files entities.yml and notes.yml, and the page that the reader asks for.
namespace given {

inline std::unique_ptr<dolmen::Store> store;
inline const std::int64_t monday = 1'700'000'000'000;
inline const std::int64_t friday = 1'700'400'000'000;
inline const std::string token;

/// Of snippets that are only compiled.
extern dolmen::EntityClient client;

inline void render(const auto& /*items*/, const auto& /*page_token*/) {}

/// The config that the page shows.
inline void save_notes_config() {
  std::ofstream("notes.yml") << R"(hashKey: pk
rangeKey: sk
entities:
  note:
    timestampProperty: created
    uniqueProperty: noteId
    shardBumps: [{ timestamp: 0, charBits: 2, chars: 1 }]
propertyTranscodes: { created: timestamp, language: string, noteId: string }
vectorIndexes:
  meaning: { vectorProperty: meaning, dimensions: 3, distance: COSINE, filters: [language] }
)";
}

inline void set_up() {
  std::filesystem::copy(dolmen::docs::root / "examples/entities.yml", "entities.yml");
  save_notes_config();
  store = dolmen::open("memory:").value();
}

}  // namespace given
