#include "entity/generate.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace dolmen::entity {

namespace {

constexpr auto kReserved = std::to_array<std::string_view>(
    {"alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
     "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
     "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
     "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
     "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
     "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
     "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
     "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
     "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
     "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
     "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
     "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
     "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
     "xor_eq",      "dolmen",    "std",        "EOF",       "NULL",     "errno"});

/// A name that C++ takes, and that none of `used` is.
std::string identifier(const std::string& name, std::set<std::string>& used) {
  std::string text;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    // Two underscores in a row belong to the compiler.
    if (plain) {
      text += c;
    } else if (!text.ends_with('_')) {
      text += '_';
    }
  }
  if (text.empty() || (text[0] >= '0' && text[0] <= '9') || text[0] == '_') text.insert(0, "n");
  if (std::ranges::find(kReserved, text) != kReserved.end()) text += "_name";
  std::string unique = text;
  for (int i = 2; !used.insert(unique).second; ++i)
    unique = fmt::format("{}{}{}", text, text.ends_with('_') ? "" : "_", i);
  return unique;
}

std::string literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '?') {
      out += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string group(std::string_view name, std::string_view type, const std::vector<std::string>& tokens) {
  std::string text = fmt::format("\nnamespace {} {{\n", name);
  std::set<std::string> used;
  for (const std::string& token : tokens)
    text += fmt::format("inline constexpr dolmen::{} {}{{{}}};\n", type, identifier(token, used), literal(token));
  return text + fmt::format("}}  // namespace {}\n", name);
}

}  // namespace

std::string generate_header(const EntityConfig& config, const std::string& namespace_name, const std::string& source) {
  std::vector<std::string> entities;
  std::vector<std::string> indexes;
  std::vector<std::string> properties;
  std::vector<std::string> keys{config.hash_key, config.range_key};
  for (const EntityDefinition& entity : config.entities) entities.push_back(entity.name);
  for (const EntityIndex& index : config.indexes) indexes.push_back(index.name);
  for (const PropertyTranscode& property : config.property_transcodes) properties.push_back(property.property);
  for (const GeneratedProperty& property : config.sharded) keys.push_back(property.name);
  for (const GeneratedProperty& property : config.unsharded) keys.push_back(property.name);
  return fmt::format(
      "// Made by 'dolmen entity generate' from {}. Do not change it here.\n#pragma once\n\n"
      "#include <dolmen/entity_tokens.h>\n\nnamespace {} {{\n{}{}{}{}\n}}  // namespace {}\n",
      source, namespace_name, group("entity", "EntityName", entities), group("index", "IndexName", indexes),
      group("property", "PropertyName", properties), group("key", "KeyName", keys), namespace_name);
}

}  // namespace dolmen::entity
