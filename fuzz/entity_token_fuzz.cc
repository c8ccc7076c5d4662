// Page tokens of entities: with any token a query continues or is refused; an accepted token can be written again.
#include "base/check.h"
#include "dolmen/entity/manager.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

namespace {

const EntityManager& entities() {
  static const EntityManager kEntities =
      EntityManager::make(
          {.hash_key = "pk",
           .range_key = "sk",
           .entities = {{.name = "user",
                         .timestamp_property = "created",
                         .unique_property = "id",
                         .shard_bumps = {{.timestamp = 10, .char_bits = 1, .chars = 1}}}},
           .unsharded = {{"nameRK", {"name", "score"}}},
           .indexes = {{.name = "created", .hash_key = "pk", .range_key = "created"},
                       {.name = "name", .hash_key = "pk", .range_key = "nameRK"}},
           .property_transcodes = {{"created", "timestamp"}, {"id", "string"}, {"name", "string"}, {"score", "fix6"}}})
          .value();
  return kEntities;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  if (const auto texts = read_entity_page_token(input))
    DOLMEN_CHECK(read_entity_page_token(write_entity_page_token(*texts)) == *texts, "a token reads as another");
  EntityQueryOptions options{.entity = "user", .page_token = std::string(input), .timestamp_to = 20};
  for (const char* index : {"created", "name"})
    options.shard_queries[index] = [](const ShardRequest&, ShardDone done) { done(ShardPage{}); };
  const auto result = entities().query(options);
  DOLMEN_CHECK(result || result.error().code() == Code::kInvalidPageToken, "a damaged token has one code");
  (void)entities().decode_generated_property(input);
  (void)parse_entity_config(input, "config.yml");
  return 0;
}
