#include "entity/table_rules.h"

#include <algorithm>
#include <fmt/format.h>

#include "service/table_rules.h"

namespace dolmen::entity {

namespace {

using config::child_path;

constexpr std::size_t kGlobalIndexesMax = 20;
constexpr std::size_t kAttributeNameBytesMax = 255;
/// Of all indexes together.
constexpr std::size_t kProjectionsMax = 100;
constexpr std::size_t kIndexNameMin = 3;
constexpr std::size_t kIndexNameMax = 255;

class TableCheck {
 public:
  explicit TableCheck(const EntityConfig& config) : config_(config) {}

  std::vector<CrossProblem> run() && {
    check_attribute("hashKey", config_.hash_key);
    check_attribute("rangeKey", config_.range_key);
    for (const EntityDefinition& entity : config_.entities)
      if (entity.name.empty()) add("entities", "an entity has no name, so nothing stands before the shard in its keys");
    if (config_.indexes.size() > kGlobalIndexesMax)
      add("indexes",
          fmt::format("there are {} indexes; a table has at most {}", config_.indexes.size(), kGlobalIndexesMax));
    std::size_t projections = 0;
    for (const EntityIndex& index : config_.indexes) {
      check_index(index);
      if (index.projections) projections += index.projections->size();
    }
    if (projections > kProjectionsMax)
      add("indexes",
          fmt::format("the indexes have {} projections; together they can have {}", projections, kProjectionsMax));
    return std::move(problems_);
  }

 private:
  void add(std::string path, std::string message) {
    std::string place = path;
    problems_.push_back({{{}, std::move(path), "table", std::move(message)}, std::move(place)});
  }

  void check_attribute(const std::string& path, const std::string& name) {
    if (name.empty()) add(path, fmt::format("{} is empty; an attribute needs a name", path));
    if (name.size() > kAttributeNameBytesMax)
      add(path, fmt::format("the name of an attribute has at most {} bytes, and this one has {}",
                            kAttributeNameBytesMax, name.size()));
  }

  void check_index(const EntityIndex& index) {
    const std::string path = child_path("indexes", index.name);
    const bool is_good = index.name.size() >= kIndexNameMin && index.name.size() <= kIndexNameMax &&
                         std::ranges::all_of(index.name, is_name_character);
    if (!is_good)
      add(path, fmt::format("\"{}\" cannot be the name of an index: it needs {} to {} of the characters a-z, A-Z, 0-9, "
                            "_, - and .",
                            index.name, kIndexNameMin, kIndexNameMax));
    if (index.hash_key != config_.hash_key) check_attribute(child_path(path, "hashKey"), index.hash_key);
    if (index.range_key != config_.range_key) check_attribute(child_path(path, "rangeKey"), index.range_key);
    if (!index.projections) return;
    for (const std::string& projection : *index.projections)
      check_attribute(child_path(path, "projections"), projection);
  }

  const EntityConfig& config_;
  std::vector<CrossProblem> problems_;
};

}  // namespace

std::vector<CrossProblem> table_problems(const EntityConfig& config) { return TableCheck(config).run(); }

}  // namespace dolmen::entity
