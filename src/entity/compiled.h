#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dolmen/entity/config.h"
#include "entity/codec.h"
#include "entity/delimiter_bytes.h"

namespace dolmen::entity {

/// The properties from which keys are made.
struct PropertyList {
  SortedNames sorted;
  /// Null for properties without one.
  std::vector<const Codec*> codecs;

  /// The index of a property in the list.
  [[nodiscard]] std::size_t place_of(std::string_view name) const;
};

struct CompiledGenerated {
  std::string name;
  bool sharded = false;
  std::vector<std::string> elements;
  /// The text before the value of each element, for example "|userId#".
  std::vector<std::string> prefixes;
  std::size_t prefix_bytes = 0;
  /// The elements in the order in which items are read, and the position of each element among them.
  PropertyList inputs;
  std::vector<std::size_t> places;
};

struct CompiledEntity {
  /// A key that an item of the entity gets.
  struct Key {
    /// Its position among the entity's properties.
    std::size_t place = 0;
    /// How many of the other keys precede it in the order of names.
    std::size_t rank = 0;
    /// The positions of a generated property's elements among the entity's properties.
    std::vector<std::size_t> inputs;
  };

  EntityDefinition definition;
  /// The prefix of its hash keys: "user!".
  std::string hash_prefix;
  /// The prefix of its range keys: "userId#".
  std::string range_prefix;
  /// All keys and the properties from which they are made.
  PropertyList properties;
  std::size_t timestamp = 0;
  std::size_t unique = 0;
  Key hash_key;
  Key range_key;
  /// For the generated properties, in their order.
  std::vector<Key> generated;
  /// The positions of properties that are the range key of an index, so that page tokens hold them.
  std::vector<std::size_t> index_ranges;
};

struct CompiledIndex {
  EntityIndex definition;
  /// The global keys and the entity's own, each once.
  std::vector<std::string> components;
};

/// A checked config, prepared for making keys. Immutable and therefore thread-safe.
class CompiledConfig {
 public:
  /// `config` must have been checked with the same options.
  CompiledConfig(EntityConfig config, EntityOptions options);
  // Not movable, because its parts point to each other.
  CompiledConfig(const CompiledConfig&) = delete;
  CompiledConfig& operator=(const CompiledConfig&) = delete;

  [[nodiscard]] const EntityConfig& config() const noexcept { return config_; }
  [[nodiscard]] const EntityOptions& options() const noexcept { return options_; }
  /// Sharded properties first, in the order of the config.
  [[nodiscard]] const std::vector<CompiledGenerated>& generated() const noexcept { return generated_; }

  /// Fails with kInvalidArgument, "invalid entity token" and "invalid index token".
  [[nodiscard]] Result<const CompiledEntity*> entity(std::string_view token) const;
  [[nodiscard]] Result<const CompiledIndex*> index(std::string_view token) const;
  /// Null when it does not exist.
  [[nodiscard]] const CompiledGenerated* find_generated(std::string_view token) const;
  [[nodiscard]] const Codec* find_codec(std::string_view property) const;
  /// False when the text does not contain the first byte of any delimiter.
  [[nodiscard]] bool may_hold_delimiter(std::string_view text) const noexcept { return delimiter_bytes_.any_in(text); }
  /// Whether any property has big integers.
  [[nodiscard]] bool has_big_integers() const noexcept { return has_big_integers_; }
  [[nodiscard]] bool is_global_key(std::string_view token) const {
    return token == config_.hash_key || token == config_.range_key;
  }

  /// Adds an entity that is not part of the config. For running recorded vectors only.
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
  DelimiterBytes delimiter_bytes_;
};

}  // namespace dolmen::entity
