#include "entity/config_rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <set>

#include "entity/indexes.h"
#include "entity/table_rules.h"
#include "entity/transcodes.h"
#include "entity/vector_index_rules.h"

namespace dolmen::entity {

namespace {

using config::child_path;
using config::Problem;

Tokens names_of(const std::vector<GeneratedProperty>& properties) {
  Tokens names;
  for (const GeneratedProperty& property : properties) names.push_back(property.name);
  return names;
}

std::string listed(const Tokens& tokens) {
  return tokens.empty() ? "none is declared" : fmt::format("{}", fmt::join(tokens, ", "));
}

class CrossCheck {
 public:
  CrossCheck(const EntityConfig& config, const EntityOptions& options)
      : config_(config), options_(options), sharded_(names_of(config.sharded)), unsharded_(names_of(config.unsharded)) {
    for (const PropertyTranscode& property : config.property_transcodes) transcoded_.push_back(property.property);
  }

  std::vector<CrossProblem> run() && {
    check_delimiters();
    check_collisions();
    check_transcodes();
    check_elements("sharded", config_.sharded);
    check_elements("unsharded", config_.unsharded);
    for (const EntityIndex& index : config_.indexes) check_index(index);
    std::ranges::move(vector_index_problems(config_), std::back_inserter(problems_));
    for (const EntityDefinition& entity : config_.entities) check_entity(entity);
    if (options_.strict) check_strictly();
    return std::move(problems_);
  }

 private:
  void add(std::string path, std::string rule, std::string message) {
    std::string place = path;
    problems_.push_back({{{}, std::move(path), std::move(rule), std::move(message)}, std::move(place)});
  }

  void check_delimiters() {
    struct Delimiter {
      std::string_view name;
      std::string_view text;
    };
    const std::array<Delimiter, 3> all = {{{"generatedKeyDelimiter", config_.generated_key_delimiter},
                                           {"generatedValueDelimiter", config_.generated_value_delimiter},
                                           {"shardKeyDelimiter", config_.shard_key_delimiter}}};
    for (const Delimiter& outer : all)
      for (const Delimiter& inner : all)
        if (outer.name != inner.name && outer.text.find(inner.text) != std::string_view::npos)
          add(std::string(outer.name), "delimiter", fmt::format("{} contains {}", outer.name, inner.name));
  }

  /// Reports those of `tokens` that one of the other lists contains. `parent` is the path of the tokens.
  void check_collision(std::string_view what, std::string_view parent, const Tokens& tokens,
                       std::initializer_list<const Tokens*> others) {
    Tokens both;
    for (const std::string& token : tokens)
      if (std::ranges::any_of(others, [&](const Tokens* other) { return contains(*other, token); }))
        both.push_back(token);
    if (both.empty()) return;
    add("", "collision", fmt::format("{} key collision: {}", what, fmt::join(both, ",")));
    problems_.back().place = parent.empty() ? std::string(what) : child_path(parent, both.front());
  }

  void check_collisions() {
    const Tokens range_key{config_.range_key};
    check_collision("hashKey", "", {config_.hash_key}, {&range_key, &sharded_, &unsharded_, &transcoded_});
    check_collision("rangeKey", "", range_key, {&sharded_, &unsharded_, &transcoded_});
    check_collision("shardedKeys", "generatedProperties.sharded", sharded_, {&unsharded_, &transcoded_});
    check_collision("unshardedKeys", "generatedProperties.unsharded", unsharded_, {&transcoded_});
  }

  void check_transcodes() {
    for (const Transcode& transcode : options_.transcodes) {
      const std::string path = child_path("transcodes", transcode.name);
      if (!transcode.encode) add(child_path(path, "encode"), "type", "Expected function: a transcode must encode");
      if (!transcode.decode) add(child_path(path, "decode"), "type", "Expected function: a transcode must decode");
    }
    for (const auto& [property, transcode] : config_.property_transcodes) {
      const bool known =
          find_builtin_transcode(transcode) != nullptr ||
          std::ranges::find(options_.transcodes, transcode, &Transcode::name) != options_.transcodes.end();
      if (!known)
        add(child_path("propertyTranscodes", property), "reference",
            fmt::format("there is no transcode \"{}\" for property \"{}\"", transcode, property));
    }
  }

  void check_elements(std::string_view kind, const std::vector<GeneratedProperty>& properties) {
    const std::string path = child_path("generatedProperties", kind);
    for (const GeneratedProperty& property : properties)
      for (const std::string& element : property.elements)
        if (!contains(transcoded_, element))
          add(child_path(path, property.name), "reference",
              fmt::format("element \"{}\" of \"{}\" has no transcode; add it to propertyTranscodes", element,
                          property.name));
  }

  void check_index(const EntityIndex& index) {
    const std::string path = child_path("indexes", index.name);
    if (index.hash_key != config_.hash_key && !contains(sharded_, index.hash_key))
      add(child_path(path, "hashKey"), "reference",
          fmt::format("the hash key of index \"{}\" must be {} or a sharded generated property ({}), not \"{}\"",
                      index.name, config_.hash_key, listed(sharded_), index.hash_key));
    if (index.range_key != config_.range_key && !contains(unsharded_, index.range_key) &&
        !contains(transcoded_, index.range_key))
      add(child_path(path, "rangeKey"), "reference",
          fmt::format(
              "the range key of index \"{}\" must be {}, an unsharded generated property ({}) or a property with "
              "a transcode, not \"{}\"",
              index.name, config_.range_key, listed(unsharded_), index.range_key));
    if (!index.projections) return;
    for (const std::string& projection : *index.projections)
      if (projection == config_.hash_key || projection == config_.range_key || projection == index.hash_key ||
          projection == index.range_key || contains(sharded_, projection) || contains(unsharded_, projection))
        add(child_path(path, "projections"), "projection",
            fmt::format("index projection is a key: \"{}\", which every index has by itself", projection));
  }

  void check_entity(const EntityDefinition& entity) {
    const std::string path = child_path("entities", entity.name);
    const auto check = [&](std::string_view name, const std::string& property) {
      if (!contains(transcoded_, property))
        add(child_path(path, name), "reference",
            fmt::format("{} \"{}\" of entity \"{}\" has no transcode; add it to propertyTranscodes", name, property,
                        entity.name));
    };
    check("timestampProperty", entity.timestamp_property);
    check("uniqueProperty", entity.unique_property);
  }

  // ---- Keys that cannot be read back, and tables that cannot be made ----

  void check_name(const std::string& path, const std::string& name) {
    for (const std::string* delimiter :
         {&config_.generated_key_delimiter, &config_.generated_value_delimiter, &config_.shard_key_delimiter})
      if (!delimiter->empty() && name.find(*delimiter) != std::string::npos) {
        add(path, "strict",
            fmt::format("the name \"{}\" contains the delimiter \"{}\", so keys with it cannot be read back", name,
                        *delimiter));
        return;
      }
  }

  void check_strictly() {
    for (const EntityDefinition& entity : config_.entities)
      check_name(child_path("entities", entity.name), entity.name);
    for (const std::string& property : transcoded_) check_name(child_path("propertyTranscodes", property), property);
    for (const EntityIndex& index : config_.indexes)
      for (const auto& [property, transcode] : config_.property_transcodes)
        if (property == index.range_key && (transcode == "boolean" || transcode == "bigint20"))
          add(child_path(child_path("indexes", index.name), "rangeKey"), "strict",
              fmt::format(
                  "index \"{}\" cannot have \"{}\" as its range key: the table declares a string, which values of "
                  "{} are not",
                  index.name, property, transcode));
    std::ranges::move(table_problems(config_), std::back_inserter(problems_));
  }

  const EntityConfig& config_;
  const EntityOptions& options_;
  Tokens sharded_;
  Tokens unsharded_;
  Tokens transcoded_;
  std::vector<CrossProblem> problems_;
};

}  // namespace

std::vector<CrossProblem> cross_check(const EntityConfig& config, const EntityOptions& options) {
  return CrossCheck(config, options).run();
}

}  // namespace dolmen::entity
