#pragma once

#include <dolmen/dolmen.h>
#include <dolmen/relation/relations.h>

#include "tests/docs/fresh_folder.h"

/// What docs/relation.md expects: the file types.yml, and a function that shows the progress of a delete.
namespace given {

inline void show(const dolmen::DeleteProgress& /*progress*/) {}

inline void set_up() { std::filesystem::copy(dolmen::docs::root / "examples/company.yml", "types.yml"); }

}  // namespace given
