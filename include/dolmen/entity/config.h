#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/entity/log.h"
#include "dolmen/error.h"
#include "dolmen/table.h"

/// How entities of many kinds share one table: which of their properties keys are made of, how those are written, over
/// how many shards each kind is spread since when, and which indexes find them again.
namespace dolmen {

/// A whole number of any size, as decimal digits without leading zeros, with '-' before a negative one.
struct BigInteger {
  std::string digits = "0";

  friend bool operator==(const BigInteger&, const BigInteger&) = default;
};

/// A value as transcodes see it: missing, null, or a scalar.
using EntityValue = std::variant<std::monostate, std::nullptr_t, bool, double, BigInteger, std::string>;

/// How the values of a property are written as text inside of page tokens, and read again. Text that sorts like the
/// values makes good range keys.
struct Transcode {
  std::string name;
  std::function<Result<std::string>(const EntityValue&)> encode;
  std::function<Result<EntityValue>(std::string_view)> decode;
  /// How an attribute with such values is stored where it is the range key of an index.
  KeyType key_type = KeyType::kString;
};

/// bigint, bigint20, boolean, fix6, int, number, string and timestamp.
std::vector<Transcode> default_transcodes();

/// From `timestamp` on, entities are spread over 2^(char_bits * chars) shards.
struct ShardBump {
  std::int64_t timestamp = 0;
  /// Bits that one character of the suffix stands for: 1 to 5.
  int char_bits = 1;
  /// Characters of the suffix: 0 to 40.
  int chars = 0;

  friend bool operator==(const ShardBump&, const ShardBump&) = default;
};

/// One kind of entity. The name and a shard make the hash key, the unique property the range key.
struct EntityDefinition {
  std::string name;
  std::string timestamp_property;
  std::string unique_property;
  /// In any order; from 0 on there is one shard unless a bump says otherwise. `chars` must grow with time.
  std::vector<ShardBump> shard_bumps = {};
  std::int64_t default_limit = 10;
  std::int64_t default_page_size = 10;

  friend bool operator==(const EntityDefinition&, const EntityDefinition&) = default;
};

/// A property that is made of others: "a#1|b#2". A sharded one has the hash key before it, and exists only when all of
/// its elements do.
struct GeneratedProperty {
  std::string name;
  std::vector<std::string> elements;

  friend bool operator==(const GeneratedProperty&, const GeneratedProperty&) = default;
};

struct EntityIndex {
  std::string name;
  /// The global hash key, or a sharded generated property.
  std::string hash_key;
  /// The global range key, an unsharded generated property, or a property with a transcode.
  std::string range_key;
  /// Which other attributes the index holds: all when nothing is said, none when the list is empty.
  std::optional<std::vector<std::string>> projections = std::nullopt;

  friend bool operator==(const EntityIndex&, const EntityIndex&) = default;
};

/// An index that finds the entities whose vectors are nearest to another. Like the table it is divided by a hash key,
/// so that a search asks the shards of one kind of entity and no others.
struct EntityVectorIndex {
  std::string name;
  /// The property that holds the vectors: lists of numbers.
  std::string vector_property;
  /// How many numbers they have: 1 to 4096.
  std::int64_t dimensions = 0;
  VectorDistance distance = VectorDistance::kCosine;
  /// The global hash key, which it is when nothing is said, or a sharded generated property.
  std::string hash_key = {};
  /// Properties with a transcode, by which searches may choose.
  std::vector<std::string> filters = {};
  /// Which other attributes the index holds: all when nothing is said, none when the list is empty.
  std::optional<std::vector<std::string>> projections = std::nullopt;

  friend bool operator==(const EntityVectorIndex&, const EntityVectorIndex&) = default;
};

/// Which transcode a property has.
struct PropertyTranscode {
  std::string property;
  std::string transcode = "string";

  friend bool operator==(const PropertyTranscode&, const PropertyTranscode&) = default;
};

/// What a config file says. One that is written in C++ obeys the same rules (`check_entity_config`):
///
///     const EntityConfig config{.hash_key = "pk",
///                               .range_key = "sk",
///                               .entities = {{.name = "user", .timestamp_property = "created",
///                                             .unique_property = "userId"}},
///                               .indexes = {{.name = "created", .hash_key = "pk", .range_key = "created"}},
///                               .property_transcodes = {{"created", "timestamp"}, {"userId", "string"}}};
struct EntityConfig {
  std::string hash_key;
  std::string range_key;
  std::vector<EntityDefinition> entities = {};
  std::vector<GeneratedProperty> sharded = {};
  std::vector<GeneratedProperty> unsharded = {};
  std::vector<EntityIndex> indexes = {};
  std::vector<EntityVectorIndex> vector_indexes = {};
  std::vector<PropertyTranscode> property_transcodes = {};
  std::string generated_key_delimiter = "|";
  std::string generated_value_delimiter = "#";
  std::string shard_key_delimiter = "!";
  /// Queries of shards that are under way at the same time.
  std::int64_t throttle = 10;

  /// Nothing when there is none of that name.
  [[nodiscard]] const EntityDefinition* find_entity(std::string_view name) const;
  [[nodiscard]] const EntityIndex* find_index(std::string_view name) const;
  [[nodiscard]] const EntityVectorIndex* find_vector_index(std::string_view name) const;

  friend bool operator==(const EntityConfig&, const EntityConfig&) = default;
};

/// Choices of the program, as opposed to those of the data.
struct EntityOptions {
  /// Refuses what could not be read back from keys or page tokens: values that contain a delimiter, or do not fit their
  /// transcode; and configs whose names contain one, or that cannot become a table of DynamoDB.
  bool strict = true;
  /// Reads elements of generated properties also in the form in which they are written there, without their transcode.
  /// Without it, as in the published JavaScript package, indexes with int, fix6, boolean or bigint20 elements
  /// cannot be read page by page.
  bool read_raw_elements = true;
  /// Takes the shard from the hash modulo chars * radix, and not radix to the power of chars: for tables whose keys
  /// were written by version 6 of the JavaScript package.
  bool legacy_modulus = false;
  /// Queries exhausted shards again as long as others have more, as the JavaScript package does.
  bool requery_exhausted = false;
  /// The most shards that one query may read; more fail with kLimitExceeded.
  std::uint64_t hash_key_space_max = std::uint64_t{1} << 20U;
  /// In addition to the default ones, and instead of those with the same name.
  std::vector<Transcode> transcodes = {};
  /// Hears of everything that is done and that fails. Nobody by default: a library prints nothing by itself.
  EntityLogger logger = {};
  /// The present, at which the time window of a query without an end closes.
  Now now = {};
};

/// Reads a config file: JSON when its name ends in .json, else YAML. Fails with kInvalidEntityConfig, whose details are
/// all mistakes of the file with their paths; with kIo when it cannot be read.
Result<EntityConfig> load_entity_config(const std::filesystem::path& file, const EntityOptions& options = {});

/// The same for text in memory. `file_name` chooses the syntax and appears in messages.
Result<EntityConfig> parse_entity_config(std::string_view text, std::string_view file_name,
                                         const EntityOptions& options = {});

/// Checks a config by the rules that hold for files and puts it into the form that they give: shard bumps in order and
/// from 0 on. Fails with kInvalidEntityConfig and a detail for each broken rule.
Result<EntityConfig> check_entity_config(const EntityConfig& config, const EntityOptions& options = {});

}  // namespace dolmen
