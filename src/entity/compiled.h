#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dolmen/entity/config.h"
#include "entity/codec.h"

namespace dolmen::entity {

/// Properties that keys are made of.
struct PropertyList {
  SortedNames sorted;
  /// Nothing for those that have none.
  std::vector<const Codec*> codecs;

  /// Where a property of the list is.
  [[nodiscard]] std::size_t place_of(std::string_view name) const;
};

struct CompiledGenerated {
  std::string name;
  bool sharded = false;
  std::vector<std::string> elements;
  /// What stands before the value of each element, such as "|userId#".
  std::vector<std::string> prefixes;
  std::size_t prefix_bytes = 0;
  /// The elements in the order in which items are read, and where each element is among them.
  PropertyList inputs;
  std::vector<std::size_t> places;
};

struct CompiledEntity {
  /// A key that an item of the entity gets.
  struct Key {
    /// Where it is among the entity's properties.
    std::size_t place = 0;
    /// How many of the other keys come before it by their names.
    std::size_t rank = 0;
    /// Where the elements of a generated property are among the entity's properties.
    std::vector<std::size_t> inputs;
  };

  EntityDefinition definition;
  /// "user!": what its hash keys begin with.
  std::string hash_prefix;
  /// "userId#": what its range keys begin with.
  std::string range_prefix;
  /// All keys, and everything that they are made of.
  PropertyList properties;
  std::size_t timestamp = 0;
  std::size_t unique = 0;
  Key hash_key;
  Key range_key;
  /// Of the generated properties, in their order.
  std::vector<Key> generated;
  /// Where those properties are that are themselves the range key of an index, so that page tokens hold them.
  std::vector<std::size_t> index_ranges;
};

struct CompiledIndex {
  EntityIndex definition;
  /// The global keys and its own, each once.
  std::vector<std::string> components;
};

/// A checked config with what every key needs at hand. Does not change, so any thread may use it.
class CompiledConfig {
 public:
  /// `config` must have been checked with the same options.
  CompiledConfig(EntityConfig config, EntityOptions options);
  // Parts of it know where others are.
  CompiledConfig(const CompiledConfig&) = delete;
  CompiledConfig& operator=(const CompiledConfig&) = delete;

  [[nodiscard]] const EntityConfig& config() const noexcept { return config_; }
  [[nodiscard]] const EntityOptions& options() const noexcept { return options_; }
  /// Sharded ones first, as they are listed.
  [[nodiscard]] const std::vector<CompiledGenerated>& generated() const noexcept { return generated_; }

  /// Fails with kInvalidArgument, "invalid entity token" and "invalid index token".
  [[nodiscard]] Result<const CompiledEntity*> entity(std::string_view token) const;
  [[nodiscard]] Result<const CompiledIndex*> index(std::string_view token) const;
  /// Nothing when there is none.
  [[nodiscard]] const CompiledGenerated* find_generated(std::string_view token) const;
  [[nodiscard]] const Codec* find_codec(std::string_view property) const;
  /// False when nothing in the text is the first byte of a delimiter.
  [[nodiscard]] bool may_hold_delimiter(std::string_view text) const noexcept;
  /// Whether any property has them.
  [[nodiscard]] bool has_big_integers() const noexcept { return has_big_integers_; }
  [[nodiscard]] bool is_global_key(std::string_view token) const {
    return token == config_.hash_key || token == config_.range_key;
  }

  /// Adds an entity that no config has. For running recorded vectors only.
  void add_entity(const EntityDefinition& definition);

 private:
  [[nodiscard]] PropertyList properties_of(std::vector<std::string> names) const;
  [[nodiscard]] CompiledGenerated compile(const GeneratedProperty& property, bool sharded) const;

  EntityConfig config_;
  EntityOptions options_;
  std::map<std::string, CompiledEntity, std::less<>> entities_;
  std::map<std::string, CompiledIndex, std::less<>> indexes_;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept;
  };

  std::unordered_map<std::string, Codec, Hash, std::equal_to<>> codecs_;
  std::vector<CompiledGenerated> generated_;
  bool has_big_integers_ = false;
  /// The first byte of each delimiter, eight times.
  std::array<std::uint64_t, 3> delimiter_begins_{};
};

}  // namespace dolmen::entity
