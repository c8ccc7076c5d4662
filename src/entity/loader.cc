#include "entity/loader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "base/limits.h"
#include "base/number_text.h"
#include "config/read.h"
#include "entity/config_rules.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

using config::child_path;
using config::Node;
using config::Position;
using config::Problem;
using NodeKind = Node::Kind;

constexpr std::int64_t kLargestInteger = 9'007'199'254'740'991;

struct Range {
  std::int64_t least;
  std::int64_t most = kLargestInteger;
};

/// A delimiter has at least one character that is not a letter, digit or underscore of ASCII.
bool has_delimiting_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
  });
}

/// Makes a config from the tree of a file, and records every part that has the wrong shape.
class Loader {
 public:
  Loader(const Node& root, const EntityOptions& options) : root_(root), options_(options) {}

  LoadedConfig load() && {
    if (root_.kind != NodeKind::kMap) {
      wrong_kind(root_, "", "an entity config", "a map");
      return {std::move(config_), std::move(problems_)};
    }
    allow_only(
        root_, "",
        {"entities", "generatedProperties", "hashKey", "rangeKey", "indexes", "vectorIndexes", "generatedKeyDelimiter",
         "generatedValueDelimiter", "shardKeyDelimiter", "propertyTranscodes", "throttle", "transcodes"});
    for_each_entry(root_, "", "entities", [&](const Node::Entry& entry, const std::string& path) {
      config_.entities.push_back(load_entity(entry, path));
    });
    if (const Node* generated = map_field(root_, "", "generatedProperties")) {
      load_generated(*generated, "sharded", config_.sharded);
      load_generated(*generated, "unsharded", config_.unsharded);
    }
    config_.hash_key = text(root_, "", "hashKey");
    config_.range_key = text(root_, "", "rangeKey");
    for_each_entry(root_, "", "indexes", [&](const Node::Entry& entry, const std::string& path) {
      config_.indexes.push_back(load_index(entry, path));
    });
    for_each_entry(root_, "", "vectorIndexes", [&](const Node::Entry& entry, const std::string& path) {
      config_.vector_indexes.push_back(load_vector_index(entry, path));
    });
    load_delimiter("generatedKeyDelimiter", config_.generated_key_delimiter);
    load_delimiter("generatedValueDelimiter", config_.generated_value_delimiter);
    load_delimiter("shardKeyDelimiter", config_.shard_key_delimiter);
    for_each_entry(root_, "", "propertyTranscodes", [&](const Node::Entry& entry, const std::string& path) {
      config_.property_transcodes.push_back({entry.name, text_of(entry.value, path, entry.name)});
    });
    config_.throttle = integer(root_, "", "throttle", {.least = 1}, config_.throttle);
    refuse_transcodes();
    return finish();
  }

 private:
  LoadedConfig finish() {
    sort_like_objects();
    if (!senseless_) {
      for (auto& [problem, place] : cross_check(config_, options_)) {
        problem.position = position_of(root_, place);
        problems_.push_back(std::move(problem));
      }
    }
    return {std::move(config_), std::move(problems_)};
  }

  /// The order in which other languages list the members of an object decides what comes first.
  void sort_like_objects() {
    std::ranges::stable_sort(config_.entities, listed_before, &EntityDefinition::name);
    std::ranges::stable_sort(config_.indexes, listed_before, &EntityIndex::name);
    std::ranges::stable_sort(config_.vector_indexes, listed_before, &EntityVectorIndex::name);
    std::ranges::stable_sort(config_.sharded, listed_before, &GeneratedProperty::name);
    std::ranges::stable_sort(config_.unsharded, listed_before, &GeneratedProperty::name);
    std::ranges::stable_sort(config_.property_transcodes, listed_before, &PropertyTranscode::property);
  }

  // ---- Mistakes ----

  void add(Position position, std::string path, std::string rule, std::string message) {
    problems_.push_back({position, std::move(path), std::move(rule), std::move(message)});
  }

  void wrong_kind(const Node& node, const std::string& path, std::string_view name, std::string_view wanted) {
    senseless_ = true;
    add(node.position, path, "shape", fmt::format("{} must be {}, not a {}", name, wanted, kind_name(node.kind)));
  }

  void missing(const Node& map, const std::string& path, std::string_view name) {
    senseless_ = true;
    add(map.position, child_path(path, name), "required", fmt::format("{} is missing; add it", name));
  }

  void allow_only(const Node& map, const std::string& path, const std::set<std::string_view>& known) {
    std::vector<std::string> unknown;
    Position position = map.position;
    for (const Node::Entry& entry : map.entries) {
      if (known.contains(entry.name)) continue;
      if (unknown.empty()) position = entry.name_position;
      unknown.push_back(fmt::format("\"{}\"", entry.name));
    }
    if (!unknown.empty())
      add(position, path, "unknown",
          fmt::format("{} {} not allowed here; use {}", fmt::join(unknown, ", "), unknown.size() == 1 ? "is" : "are",
                      fmt::join(known, ", ")));
  }

  // ---- Fields ----

  /// Null when the field is absent or not a map; the latter is recorded as a mistake.
  const Node* map_field(const Node& map, const std::string& path, std::string_view name) {
    const Node* node = map.find(name);
    if (node == nullptr || node->kind == NodeKind::kMap) return node;
    wrong_kind(*node, child_path(path, name), name, "a map");
    return nullptr;
  }

  template <class Visit>
  void for_each_entry(const Node& map, const std::string& path, std::string_view name, Visit visit) {
    const Node* node = map_field(map, path, name);
    if (node == nullptr) return;
    for (const Node::Entry& entry : node->entries) visit(entry, child_path(child_path(path, name), entry.name));
  }

  std::string text_of(const Node& node, const std::string& path, std::string_view name) {
    if (node.kind == NodeKind::kString) return node.text;
    wrong_kind(node, path, name, "a string (put it in quotes)");
    return {};
  }

  std::string text(const Node& map, const std::string& path, std::string_view name) {
    const Node* node = map.find(name);
    if (node != nullptr) return text_of(*node, child_path(path, name), name);
    missing(map, path, name);
    return {};
  }

  void refuse_empty(const Node& node, const std::string& path, std::string_view name) {
    if (node.kind == NodeKind::kString && node.text.empty())
      add(node.position, path, "empty", fmt::format("{} must have at least one character", name));
  }

  std::string name_text(const Node& map, const std::string& path, std::string_view name) {
    if (const Node* node = map.find(name)) refuse_empty(*node, child_path(path, name), name);
    return text(map, path, name);
  }

  std::vector<std::string> name_list(const Node& node, const std::string& path, std::string_view name) {
    std::vector<std::string> names;
    if (node.kind != NodeKind::kList) {
      wrong_kind(node, path, name, "a list");
      return names;
    }
    std::set<std::string_view> seen;
    std::set<std::string_view> repeated;
    for (std::size_t i = 0; i < node.elements.size(); ++i) {
      const Node& element = node.elements[i];
      refuse_empty(element, child_path(path, i), "a name");
      names.push_back(text_of(element, child_path(path, i), "a name"));
      if (element.kind == NodeKind::kString && !seen.insert(element.text).second &&
          repeated.insert(element.text).second)
        add(element.position, path, "unique", fmt::format("duplicate array element: \"{}\"", element.text));
    }
    return names;
  }

  /// `fallback` when the field is absent or wrong; the latter is recorded as a mistake.
  std::int64_t integer(const Node& map, const std::string& path, std::string_view name, Range range,
                       std::int64_t fallback) {
    const Node* node = map.find(name);
    if (node == nullptr) return fallback;
    const std::string number_path = child_path(path, name);
    const std::optional<double> number = node->kind == NodeKind::kNumber ? parse_decimal(node->text) : std::nullopt;
    if (!number) {
      wrong_kind(*node, number_path, name, "a number");
      return fallback;
    }
    const double value = *number;
    if (value != std::trunc(value) || std::isinf(value)) {
      add(node->position, number_path, "integer", fmt::format("{} must be a whole number, not {}", name, node->text));
      return fallback;
    }
    if (value < static_cast<double>(range.least) || value > static_cast<double>(range.most)) {
      add(node->position, number_path, "range",
          fmt::format("{} must be from {} to {}, not {}", name, range.least, range.most, node->text));
      return fallback;
    }
    return static_cast<std::int64_t>(value);
  }

  // ---- Parts ----

  EntityDefinition load_entity(const Node::Entry& entry, const std::string& path) {
    EntityDefinition entity{.name = entry.name, .timestamp_property = {}, .unique_property = {}};
    const Node& node = entry.value;
    if (node.kind != NodeKind::kMap) {
      wrong_kind(node, path, "an entity", "a map");
      return entity;
    }
    allow_only(node, path, {"timestampProperty", "uniqueProperty", "shardBumps", "defaultLimit", "defaultPageSize"});
    entity.default_limit = integer(node, path, "defaultLimit", {.least = 1}, entity.default_limit);
    entity.default_page_size = integer(node, path, "defaultPageSize", {.least = 1}, entity.default_page_size);
    entity.shard_bumps = load_bumps(node, path);
    entity.timestamp_property = name_text(node, path, "timestampProperty");
    entity.unique_property = name_text(node, path, "uniqueProperty");
    return entity;
  }

  ShardBump load_bump(const Node& node, const std::string& path) {
    ShardBump bump;
    if (node.kind != NodeKind::kMap) {
      wrong_kind(node, path, "a shard bump", "a map");
      return bump;
    }
    allow_only(node, path, {"timestamp", "charBits", "chars"});
    for (const std::string_view name : {"timestamp", "charBits", "chars"})
      if (node.find(name) == nullptr) missing(node, path, name);
    bump.timestamp = integer(node, path, "timestamp", {.least = 0}, 0);
    bump.char_bits = static_cast<int>(integer(node, path, "charBits", {.least = 1, .most = 5}, 1));
    bump.chars = static_cast<int>(integer(node, path, "chars", {.least = 0, .most = 40}, 0));
    return bump;
  }

  std::vector<ShardBump> load_bumps(const Node& entity, const std::string& entity_path) {
    const Node* node = entity.find("shardBumps");
    if (node == nullptr) return {ShardBump{}};
    const std::string path = child_path(entity_path, "shardBumps");
    if (node->kind != NodeKind::kList) {
      wrong_kind(*node, path, "shardBumps", "a list");
      return {};
    }
    const std::size_t before = problems_.size();
    if (node->elements.empty()) add(node->position, path, "empty", "shardBumps is empty; add a bump or remove it");
    std::vector<std::pair<ShardBump, Position>> bumps;
    for (std::size_t i = 0; i < node->elements.size(); ++i)
      bumps.emplace_back(load_bump(node->elements[i], child_path(path, i)), node->elements[i].position);
    if (problems_.size() == before) refuse_repeated_times(bumps, path);
    if (problems_.size() > before) {
      senseless_ = true;
      return {};
    }
    return ordered(std::move(bumps), path);
  }

  void refuse_repeated_times(const std::vector<std::pair<ShardBump, Position>>& bumps, const std::string& path) {
    std::set<std::int64_t> seen;
    std::set<std::int64_t> repeated;
    for (const auto& [bump, position] : bumps)
      if (!seen.insert(bump.timestamp).second && repeated.insert(bump.timestamp).second)
        add(position, child_path(path, "timestamp"), "unique",
            fmt::format("duplicate array element: two shard bumps have the timestamp {}", bump.timestamp));
  }

  /// By time, and from 0 on.
  std::vector<ShardBump> ordered(std::vector<std::pair<ShardBump, Position>> bumps, const std::string& path) {
    std::ranges::sort(bumps, {}, [](const auto& bump) { return bump.first.timestamp; });
    if (bumps.front().first.timestamp != 0) bumps.insert(bumps.begin(), {ShardBump{}, bumps.front().second});
    std::vector<ShardBump> result;
    for (std::size_t i = 0; i < bumps.size(); ++i) {
      const auto& [bump, position] = bumps[i];
      if (i > 0 && bump.chars <= result.back().chars)
        add(position, child_path(path, i), "growth",
            fmt::format("shardBump chars do not monotonically increase at timestamp {}: {} after {}", bump.timestamp,
                        bump.chars, result.back().chars));
      result.push_back(bump);
    }
    return result;
  }

  void load_generated(const Node& generated, std::string_view kind, std::vector<GeneratedProperty>& properties) {
    for_each_entry(generated, "generatedProperties", kind, [&](const Node::Entry& entry, const std::string& path) {
      if (entry.value.kind == NodeKind::kList && entry.value.elements.empty())
        add(entry.value.position, path, "empty", fmt::format("{} must have at least one element", entry.name));
      properties.push_back({entry.name, name_list(entry.value, path, entry.name)});
    });
  }

  EntityIndex load_index(const Node::Entry& entry, const std::string& path) {
    EntityIndex index{.name = entry.name, .hash_key = {}, .range_key = {}};
    if (entry.value.kind != NodeKind::kMap) {
      wrong_kind(entry.value, path, "an index", "a map");
      return index;
    }
    index.hash_key = name_text(entry.value, path, "hashKey");
    index.range_key = name_text(entry.value, path, "rangeKey");
    if (const Node* projections = entry.value.find("projections"))
      index.projections = name_list(*projections, child_path(path, "projections"), "projections");
    return index;
  }

  EntityVectorIndex load_vector_index(const Node::Entry& entry, const std::string& path) {
    EntityVectorIndex index{.name = entry.name, .vector_property = {}};
    const Node& node = entry.value;
    if (node.kind != NodeKind::kMap) {
      wrong_kind(node, path, "a vector index", "a map");
      return index;
    }
    allow_only(node, path, {"vectorProperty", "dimensions", "distance", "hashKey", "filters", "projections"});
    index.vector_property = name_text(node, path, "vectorProperty");
    if (node.find("dimensions") == nullptr) missing(node, path, "dimensions");
    index.dimensions = integer(node, path, "dimensions", {.least = 1, .most = limits::kVectorDimensions}, 1);
    if (const Node* distance = node.find("distance")) index.distance = load_distance(*distance, path);
    index.hash_key = node.find("hashKey") == nullptr ? config_.hash_key : name_text(node, path, "hashKey");
    if (const Node* filters = node.find("filters"))
      index.filters = name_list(*filters, child_path(path, "filters"), "filters");
    if (const Node* projections = node.find("projections"))
      index.projections = name_list(*projections, child_path(path, "projections"), "projections");
    return index;
  }

  VectorDistance load_distance(const Node& node, const std::string& path) {
    const std::string name = text_of(node, child_path(path, "distance"), "distance");
    const std::optional<VectorDistance> distance = vector_distance_of(name);
    if (!distance && node.kind == NodeKind::kString)
      add(node.position, child_path(path, "distance"), "choice",
          fmt::format("distance \"{}\" is not known; use one of COSINE, DOT_PRODUCT, EUCLIDEAN", name));
    return distance.value_or(VectorDistance::kCosine);
  }

  void load_delimiter(std::string_view name, std::string& delimiter) {
    const Node* node = root_.find(name);
    if (node == nullptr) return;
    delimiter = text_of(*node, std::string(name), name);
    if (node->kind == NodeKind::kString && !has_delimiting_character(delimiter))
      add(node->position, std::string(name), "delimiter",
          fmt::format("{} \"{}\" needs a character that is not a letter, digit or underscore", name, delimiter));
  }

  /// Transcodes are functions, which a file cannot hold.
  void refuse_transcodes() {
    for_each_entry(root_, "", "transcodes", [&](const Node::Entry& entry, const std::string& path) {
      if (entry.value.kind != NodeKind::kMap) {
        wrong_kind(entry.value, path, "a transcode", "a map");
        return;
      }
      allow_only(entry.value, path, {"encode", "decode"});
      for (const std::string_view name : {"encode", "decode"}) {
        senseless_ = true;
        add(entry.value.position, child_path(path, name), "shape",
            fmt::format("{} of transcode \"{}\" is a function, which a file cannot hold; give it to the program that "
                        "loads the config (EntityOptions::transcodes)",
                        name, entry.name));
      }
    });
  }

  const Node& root_;
  const EntityOptions& options_;
  EntityConfig config_;
  std::vector<Problem> problems_;
  /// Something is missing or of another kind, so comparing the parts would only find what follows from it.
  bool senseless_ = false;
};

}  // namespace

LoadedConfig config_of(const Node& root, const EntityOptions& options) { return Loader(root, options).load(); }

LoadedConfig read_config(std::string_view text, std::string_view file_name, const EntityOptions& options) {
  config::Reading reading = config::read_document(text, file_name);
  if (!reading.problems.empty()) return {{}, std::move(reading.problems)};
  return config_of(*reading.root, options);
}

}  // namespace dolmen::entity
