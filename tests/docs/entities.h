#pragma once

#include <cstdint>
#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <memory>
#include <string>
#include <vector>

#include "tests/docs/fresh_folder.h"

/// What docs/entities.md expects: a store, the file entities.yml, and the page that the reader asks for.
namespace given {

inline std::unique_ptr<dolmen::Store> store;
inline const std::int64_t monday = 1'700'000'000'000;
inline const std::int64_t friday = 1'700'400'000'000;
inline const std::string token;

/// Of snippets that are only compiled.
extern dolmen::EntityClient client;

inline void render(const auto& /*items*/, const auto& /*page_token*/) {}

inline void set_up() {
  std::filesystem::copy(dolmen::docs::root / "examples/entities.yml", "entities.yml");
  store = dolmen::open("memory:").value();
}

}  // namespace given
