#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verbs of `dolmen entity` that work on a store: get, put, update, remove, query and migrate.
void add_entity_store(const Verb& entity);

}  // namespace dolmen::cli
