#include "entity/hash_key_space.h"

#include <limits>

#include "base/fail.h"
#include "entity/keys.h"
#include "entity/refusal.h"

namespace dolmen::entity {

std::vector<ShardBump> bumps_in(const CompiledEntity& entity, const TimeWindow& window) {
  const std::vector<ShardBump>& all = entity.definition.shard_bumps;
  std::vector<ShardBump> bumps;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool ends_after = i + 1 == all.size() || static_cast<double>(all[i + 1].timestamp) > window.from;
    if (ends_after && static_cast<double>(all[i].timestamp) <= window.to) bumps.push_back(all[i]);
  }
  return bumps;
}

std::uint64_t shard_count(const std::vector<ShardBump>& bumps) {
  std::uint64_t count = 0;
  for (const ShardBump& bump : bumps) {
    const int bits = bump.char_bits * bump.chars;
    if (bits >= 63) return std::numeric_limits<std::uint64_t>::max();
    count += std::uint64_t{1} << static_cast<unsigned>(bits);
  }
  return count;
}

Result<std::vector<std::string>> hash_key_space(const CompiledConfig& config, const CompiledEntity& entity,
                                                std::string_view hash_key_token, const ElementSource& item,
                                                const std::vector<ShardBump>& bumps) {
  const CompiledGenerated* generated = nullptr;
  if (hash_key_token != config.config().hash_key) {
    generated = config.find_generated(hash_key_token);
    if (generated == nullptr)
      return refuse(Code::kInvalidArgument, "invalid generated property", hash_key_token,
                    "the config has no such property");
    if (!generated->sharded)
      return refuse(Code::kInvalidArgument, "generated property not sharded", hash_key_token,
                    "only sharded ones can be hash keys");
  }
  const std::uint64_t count = shard_count(bumps);
  if (count > config.options().hash_key_space_max)
    return fail(Code::kLimitExceeded, "{} has {} shards in this time, more than the {} that a query may ask",
                entity.definition.name, count, config.options().hash_key_space_max);

  // The part after the hash key is the same for all shards.
  std::string rest;
  if (generated != nullptr && count > 0) {
    DOLMEN_TRY(auto encoded, encode_generated(config, *generated, item, ""));
    if (!encoded)
      return refuse(Code::kInvalidEntity, "item does not support hash key space", hash_key_token,
                    "the item lacks an element of it");
    rest = std::move(*encoded);
  }
  std::vector<std::string> space;
  space.reserve(count);
  for (const ShardBump& bump : bumps) {
    const std::uint64_t shards = shard_count({bump});
    for (std::uint64_t shard = 0; shard < shards; ++shard) {
      std::string key = entity.hash_prefix;
      append_suffix(key, bump, shard);
      key += rest;
      space.push_back(std::move(key));
    }
  }
  return space;
}

}  // namespace dolmen::entity
