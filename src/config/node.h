#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Files that people write: YAML and JSON as one kind of tree that knows where everything stands.
namespace dolmen::config {

/// Both count from 1; columns count characters.
struct Position {
  int line = 1;
  int column = 1;

  friend bool operator==(const Position&, const Position&) = default;
};

/// One mistake in a file: where it stands, which value it concerns ("models[0].keys"), which rule it breaks, and what
/// to change.
struct Problem {
  Position position;
  std::string path;
  std::string rule;
  std::string message;
};

/// One value of a file.
struct Node {
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kList, kMap };
  struct Entry;

  Kind kind = Kind::kNull;
  Position position;
  bool boolean = false;
  /// A string, or a number as JSON writes it.
  std::string text;
  /// Of a list.
  std::vector<Node> elements;
  /// Of a map, in the order of the file. No name occurs twice.
  std::vector<Entry> entries;

  /// The value of a map's entry; nothing when it has no such entry, or when this is not a map.
  [[nodiscard]] const Node* find(std::string_view name) const;
};

struct Node::Entry {
  std::string name;
  Position name_position;
  Node value;
};

/// "null", "boolean", "number", "string", "list" or "map".
std::string_view kind_name(Node::Kind kind);

/// Where the value at a path such as "models[0].keys.sort" stands; where it would stand when it is missing, which is at
/// the innermost value of the path that exists.
Position position_of(const Node& root, std::string_view path);

/// The name of an entry that was probably meant to be `name`, when the map has one that is nearly the same.
std::string_view similar_name(const Node& map, std::string_view name);

/// The one of `known` that is nearest to `name`, whatever the capitals, and no more than `distance_max` characters from
/// it. Empty when there is none.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known, std::size_t distance_max);

/// "path.name", or only the name at the root.
std::string child_path(std::string_view path, std::string_view name);
std::string child_path(std::string_view path, std::size_t index);

}  // namespace dolmen::config
