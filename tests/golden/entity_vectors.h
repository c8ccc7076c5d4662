#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "config/node.h"
#include "entity/compiled.h"
#include "js_value.h"

/// The kinds of vectors for entities, and how each is run.
namespace dolmen::golden {

struct EntityCase {
  const config::Node& node;
  /// Nothing for kinds that need none.
  const entity::CompiledConfig* config;
  JsValue args;

  [[nodiscard]] std::string text(std::string_view name) const { return args.at(name).text(); }
};

/// What a case gives.
using RunEntityCase = std::function<Result<JsValue>(const EntityCase&)>;

/// By the name of the kind.
using EntityKinds = std::map<std::string, RunEntityCase, std::less<>>;

void add_text_kinds(EntityKinds& kinds);
void add_key_kinds(EntityKinds& kinds);
void add_index_kinds(EntityKinds& kinds);
void add_query_kinds(EntityKinds& kinds);

/// The tree of a config with tags made into what they stand for. Transcodes that are functions, which no file can hold,
/// go into the options.
config::Node plain_config(const config::Node& tagged, EntityOptions& options);

/// Names that every object has in JavaScript. The package takes them for entities and drops entities with such a unique
/// value; Dolmen does neither, and the vectors are run as if they were.
bool is_inherited_name(std::string_view name);

}  // namespace dolmen::golden
