#include "entity/vector_index_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/limits.h"
#include "entity/indexes.h"
#include "service/table_rules.h"

namespace dolmen::entity {

namespace {

using config::child_path;

class VectorIndexCheck {
 public:
  explicit VectorIndexCheck(const EntityConfig& config) : config_(config) {
    for (const GeneratedProperty& property : config.sharded) sharded_.push_back(property.name);
    for (const GeneratedProperty& property : config.unsharded) unsharded_.push_back(property.name);
  }

  std::vector<CrossProblem> run() && {
    if (config_.vector_indexes.size() > limits::kVectorIndexes)
      add("vectorIndexes", "table",
          fmt::format("there are {} vector indexes; a table has at most {}", config_.vector_indexes.size(),
                      limits::kVectorIndexes));
    for (const EntityVectorIndex& index : config_.vector_indexes) {
      const std::string path = child_path("vectorIndexes", index.name);
      check_name(path, index.name);
      check_vector(path, index);
      check_hash_key(path, index);
      for (const std::string& filter : index.filters) check_filter(path, index, filter);
      check_projections(path, index);
    }
    return std::move(problems_);
  }

 private:
  void add(std::string path, std::string rule, std::string message) {
    std::string place = path;
    problems_.push_back({{{}, std::move(path), std::move(rule), std::move(message)}, std::move(place)});
  }

  [[nodiscard]] bool is_key(const std::string& name) const {
    return name == config_.hash_key || name == config_.range_key || contains(sharded_, name) ||
           contains(unsharded_, name);
  }

  [[nodiscard]] const PropertyTranscode* transcode_of(const std::string& property) const {
    const auto found = std::ranges::find(config_.property_transcodes, property, &PropertyTranscode::property);
    return found == config_.property_transcodes.end() ? nullptr : &*found;
  }

  void check_name(const std::string& path, const std::string& name) {
    const bool is_good = name.size() >= limits::kTableNameMin && name.size() <= limits::kTableNameMax &&
                         std::ranges::all_of(name, is_name_character);
    if (!is_good)
      add(path, "table",
          fmt::format("\"{}\" cannot be the name of an index: it needs {} to {} of the characters a-z, A-Z, 0-9, _, - "
                      "and .",
                      name, limits::kTableNameMin, limits::kTableNameMax));
    if (config_.find_index(name) != nullptr)
      add(path, "unique", fmt::format("there is an index \"{}\" already; rename one of them", name));
  }

  void check_vector(const std::string& path, const EntityVectorIndex& index) {
    const std::string place = child_path(path, "vectorProperty");
    if (is_key(index.vector_property) || transcode_of(index.vector_property) != nullptr)
      add(place, "reference",
          fmt::format("the vector of index \"{}\" cannot be \"{}\", of which keys are made", index.name,
                      index.vector_property));
    for (const EntityVectorIndex& other : config_.vector_indexes)
      if (other.vector_property == index.vector_property && other.dimensions < index.dimensions)
        add(child_path(path, "dimensions"), "table",
            fmt::format("\"{}\" has {} dimensions here and {} in index \"{}\"; make them the same",
                        index.vector_property, index.dimensions, other.dimensions, other.name));
  }

  void check_hash_key(const std::string& path, const EntityVectorIndex& index) {
    if (index.hash_key == config_.hash_key || contains(sharded_, index.hash_key)) return;
    add(child_path(path, "hashKey"), "reference",
        fmt::format("the hash key of vector index \"{}\" must be {} or a sharded generated property ({}), not \"{}\"",
                    index.name, config_.hash_key,
                    sharded_.empty() ? "none is declared" : fmt::format("{}", fmt::join(sharded_, ", ")),
                    index.hash_key));
  }

  void check_filter(const std::string& path, const EntityVectorIndex& index, const std::string& filter) {
    const std::string place = child_path(path, "filters");
    const PropertyTranscode* transcode = transcode_of(filter);
    if (transcode == nullptr)
      add(place, "reference",
          fmt::format("filter \"{}\" of vector index \"{}\" has no transcode; add it to propertyTranscodes", filter,
                      index.name));
    else if (transcode->transcode == "boolean" || transcode->transcode == "bigint20")
      add(place, "table",
          fmt::format("vector index \"{}\" cannot have \"{}\" as a filter: the table declares a string, which values "
                      "of {} are not",
                      index.name, filter, transcode->transcode));
  }

  /// The vector and each filter count as one; keys are always there.
  void check_projections(const std::string& path, const EntityVectorIndex& index) {
    std::set<std::string_view> carried(index.filters.begin(), index.filters.end());
    carried.insert(index.vector_property);
    if (index.projections) {
      for (const std::string& projection : *index.projections) {
        carried.insert(projection);
        if (projection == config_.hash_key || projection == config_.range_key || projection == index.hash_key)
          add(child_path(path, "projections"), "projection",
              fmt::format("index projection is a key: \"{}\", which every index has by itself", projection));
      }
    }
    if (carried.size() > limits::kVectorProjectedAttributes)
      add(path, "table",
          fmt::format("vector index \"{}\" carries {} properties, its vector and its filters among them; AWS takes at "
                      "most {}",
                      index.name, carried.size(), limits::kVectorProjectedAttributes));
  }

  const EntityConfig& config_;
  Tokens sharded_;
  Tokens unsharded_;
  std::vector<CrossProblem> problems_;
};

}  // namespace

std::vector<CrossProblem> vector_index_problems(const EntityConfig& config) { return VectorIndexCheck(config).run(); }

}  // namespace dolmen::entity
