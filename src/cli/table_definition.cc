#include "cli/table_definition.h"

#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "base/limits.h"
#include "cli/vector_definition.h"

namespace dolmen::cli {
namespace {

std::vector<std::string> comma_separated(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, comma - start));
    if (comma == text.size()) return parts;
    start = comma + 1;
  }
}

std::optional<KeyType> key_type_of(std::string_view name) {
  for (const KeyType type : {KeyType::kString, KeyType::kNumber, KeyType::kBinary})
    if (key_type_name(type) == name) return type;
  return std::nullopt;
}

/// The type of an attribute that a key of the table has already.
std::optional<KeyType> known_type(const TableDefinition& table, const std::string& attribute) {
  if (table.partition_key.name == attribute) return table.partition_key.type;
  if (table.sort_key && table.sort_key->name == attribute) return table.sort_key->type;
  return std::nullopt;
}

Result<KeyAttribute> parse_key(const std::string& text, const TableDefinition* table) {
  const std::size_t colon = text.rfind(':');
  const std::string name = text.substr(0, colon);
  if (name.empty()) return fail(Code::kInvalidArgument, "\"{}\" is not NAME or NAME:TYPE", text);
  if (colon == std::string::npos) {
    const std::optional<KeyType> known = table == nullptr ? std::nullopt : known_type(*table, name);
    return KeyAttribute{.name = name, .type = known.value_or(KeyType::kString)};
  }
  const std::optional<KeyType> type = key_type_of(text.substr(colon + 1));
  if (!type)
    return fail(Code::kInvalidArgument, "\"{}\": the type of a key is S, N or B, not \"{}\"", text,
                text.substr(colon + 1));
  return KeyAttribute{.name = name, .type = *type};
}

Result<std::vector<KeyAttribute>> keys_in(const std::string& text, const TableDefinition* table) {
  std::vector<KeyAttribute> keys;
  for (const std::string& part : comma_separated(text)) {
    DOLMEN_TRY(keys.emplace_back(), parse_key(part, table));
  }
  return keys;
}

Result<IndexDefinition> parse_index(const std::string& text, const TableDefinition& table, bool local) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    return fail(Code::kInvalidArgument, "{}: \"{}\" is not NAME:{}", local ? "--local-index" : "--index", text,
                local ? "SORT" : "PARTITION[,SORT]");
  IndexDefinition index{.name = text.substr(0, colon), .partition_keys = {}};
  DOLMEN_TRY(std::vector<KeyAttribute> keys, keys_in(text.substr(colon + 1), &table));
  if (keys.size() > (local ? 1U : 2U))
    return fail(Code::kInvalidArgument, "{}: \"{}\" has too many keys; it takes {}",
                local ? "--local-index" : "--index", text, local ? "a sort key" : "a partition key and a sort key");
  index.partition_keys = {local ? table.partition_key : keys.front()};
  if (local) index.sort_keys = {keys.front()};
  if (!local && keys.size() == 2) index.sort_keys = {keys[1]};
  return index;
}

Result<void> project(TableDefinition& table, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string what = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto project_in = [&](auto& indexes) {
    for (auto& index : indexes) {
      if (index.name != name || what.empty()) continue;
      index.projection = what == "all"    ? ProjectionType::kAll
                         : what == "keys" ? ProjectionType::kKeysOnly
                                          : ProjectionType::kInclude;
      if (index.projection == ProjectionType::kInclude) index.included_attributes = comma_separated(what);
      return true;
    }
    return false;
  };
  if (project_in(table.global_indexes) || project_in(table.local_indexes) || project_in(table.vector_indexes))
    return {};
  return fail(Code::kInvalidArgument,
              "--project: \"{}\" is not INDEX=all, INDEX=keys or INDEX=ATTRIBUTE,… of an index that is given here",
              text);
}

}  // namespace

Result<std::vector<KeyAttribute>> parse_keys(const std::string& text) { return keys_in(text, nullptr); }

Result<void> add_keys(TableDefinition& table, const std::string& text) {
  const Result<std::vector<KeyAttribute>> keys = parse_keys(text);
  if (!keys) return fail(Code::kInvalidArgument, "--key: {}", keys.error().message());
  if (keys->size() > 2)
    return fail(Code::kInvalidArgument,
                "--key: \"{}\" has {} attributes; a table has a partition key and at most one "
                "sort key",
                text, keys->size());
  table.partition_key = keys->front();
  if (keys->size() == 2) table.sort_key = keys->back();
  return {};
}

Result<void> add_indexes(TableDefinition& table, const IndexFlags& flags) {
  for (const std::string& text : flags.global) {
    DOLMEN_TRY(table.global_indexes.emplace_back(), parse_index(text, table, false));
  }
  for (const std::string& text : flags.local) {
    DOLMEN_TRY(table.local_indexes.emplace_back(), parse_index(text, table, true));
  }
  for (const std::string& text : flags.vectors) {
    DOLMEN_TRY(table.vector_indexes.emplace_back(), parse_vector_index(text));
  }
  for (const std::string& text : flags.projections) DOLMEN_TRY_VOID(project(table, text));
  return {};
}

Result<StreamView> parse_stream_view(const std::string& text) {
  std::string name = text;
  for (char& c : name) c = c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (const std::optional<StreamView> view = stream_view_of(name)) return *view;
  return fail(Code::kInvalidArgument, "--stream: \"{}\" is not keys-only, new-image, old-image or new-and-old-images",
              text);
}

}  // namespace dolmen::cli
