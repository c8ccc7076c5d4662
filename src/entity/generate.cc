#include "entity/generate.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/cpp_text.h"
#include "base/fail.h"

namespace dolmen::entity {

namespace {

/// The name with an underscore for what C++ does not take. Two underscores in a row belong to the compiler.
std::string identifier(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) {
      text += c;
    } else if (!text.ends_with('_')) {
      text += '_';
    }
  }
  if (text.empty() || (text[0] >= '0' && text[0] <= '9') || text[0] == '_') text.insert(0, "n");
  return text;
}

std::string group(std::string_view name, std::string_view type, const std::vector<std::string>& tokens) {
  std::string text = fmt::format("\nnamespace {} {{\n", name);
  CppScope scope;
  for (const std::string& token : tokens)
    text +=
        fmt::format("inline constexpr dolmen::{} {}{{{}}};\n", type, scope.take(identifier(token)), cpp_literal(token));
  return text + fmt::format("}}  // namespace {}\n", name);
}

}  // namespace

Result<std::string> generate_header(const EntityConfig& config, const std::string& namespace_name,
                                    const std::string& source) {
  std::vector<std::string> entities;
  std::vector<std::string> indexes;
  std::vector<std::string> properties;
  std::vector<std::string> keys{config.hash_key, config.range_key};
  for (const EntityDefinition& entity : config.entities) entities.push_back(entity.name);
  for (const EntityIndex& index : config.indexes) indexes.push_back(index.name);
  for (const PropertyTranscode& property : config.property_transcodes) properties.push_back(property.property);
  for (const GeneratedProperty& property : config.sharded) keys.push_back(property.name);
  for (const GeneratedProperty& property : config.unsharded) keys.push_back(property.name);
  for (const std::vector<std::string>* names : {&entities, &indexes, &properties, &keys})
    if (std::ranges::any_of(*names, [](const std::string& name) { return name.find('\0') != std::string::npos; }))
      return fail(Code::kInvalidArgument, "a name in {} has a NUL in it, which C++ cannot name", source);
  return fmt::format(
      "// Made by 'dolmen entity generate' from {}. Do not change it here.\n#pragma once\n\n"
      "#include <dolmen/entity/tokens.h>\n\nnamespace {} {{\n{}{}{}{}\n}}  // namespace {}\n",
      cpp_comment(source), namespace_name, group("entity", "EntityName", entities),
      group("index", "IndexName", indexes), group("property", "PropertyName", properties),
      group("key", "KeyName", keys), namespace_name);
}

}  // namespace dolmen::entity
