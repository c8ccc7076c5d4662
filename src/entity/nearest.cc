#include "dolmen/entity/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <thread>

#include "dolmen/entity/client.h"
#include "entity/indexes.h"
#include "entity/refusal.h"
#include "entity/shard_run.h"
#include "service/write_gate.h"

namespace dolmen {

namespace {

using entity::ShardOutcomes;
using entity::ShardRun;

/// A search of all shards. Each shard gives its nearest entities, among which are the nearest of all.
class ShardSearch {
 public:
  static Result<std::shared_ptr<ShardSearch>> make(const EntityClient& client, EntityNameView entity,
                                                   IndexNameView name, std::span<const float> vector,
                                                   const EntitySearchOptions& options) {
    const EntityConfig& config = client.entities().config();
    const EntityVectorIndex* index = config.find_vector_index(name);
    if (index == nullptr)
      return entity::refuse(Code::kInvalidArgument, "invalid vector index", std::string_view(name),
                            fmt::format("the config has no vector index \"{}\"", std::string_view(name)));
    if (options.throttle && *options.throttle < 1)
      return entity::refuse(Code::kInvalidArgument, "invalid throttle", "throttle",
                            fmt::format("the throttle must be above 0, not {}", *options.throttle));
    auto search = std::make_shared<ShardSearch>(client, *index, vector, options);
    DOLMEN_TRY(search->hash_keys_,
               client.entities().hash_key_space(entity, index->hash_key, options.item, options.made));
    search->found_.resize(search->hash_keys_.size());
    return search;
  }

  ShardSearch(const EntityClient& client, const EntityVectorIndex& index, std::span<const float> vector,
              const EntitySearchOptions& options)
      : store_(&client.store()),
        table_(client.table()),
        range_key_(client.entities().config().range_key),
        index_(index),
        vector_(vector.begin(), vector.end()),
        options_(options),
        throttle_(options.throttle.value_or(client.entities().config().throttle)) {
    request_ = {.top_k = options.top_k};
    if (options.project.empty()) return;
    // The range key tells copies of an entity from other entities.
    std::vector<Path> paths;
    for (const std::string& attribute : options.project) paths.emplace_back(attribute);
    if (!entity::contains(options.project, range_key_)) paths.emplace_back(range_key_);
    request_.projection = paths;
  }

  [[nodiscard]] std::size_t shards() const { return hash_keys_.size(); }

  [[nodiscard]] ShardRun how() const {
    // A store in this process answers on the thread that asks, and a search is worth a thread.
    const bool is_embedded = store_->companions().find<WriteGates>() != nullptr;
    return {.throttle = static_cast<std::size_t>(throttle_),
            .threads = is_embedded ? std::max(std::thread::hardware_concurrency(), 1U) : 1,
            .calls_per_thread = 1,
            .stop_at_first_failure = true};
  }

  void ask(std::size_t shard, ShardDone done) {
    VectorSearchOptions request = request_;
    request.where = (key(index_.hash_key) == hash_keys_[shard]) && options_.where;
    store_->async_search_vectors(table_, index_.name, vector_, request,
                                 [this, shard, done = std::move(done)](Result<VectorHits> found) mutable {
                                   if (!found) return done(std::unexpected(std::move(found).error()));
                                   found_[shard] = std::move(found->hits);
                                   done(ShardPage{});
                                 });
  }

  /// The nearest of all shards, each entity once.
  [[nodiscard]] Result<std::vector<VectorHit>> nearest(const ShardOutcomes& outcomes) {
    for (const auto& outcome : outcomes)
      if (outcome && !*outcome) return std::unexpected(outcome->error());
    std::vector<VectorHit> all;
    for (std::vector<VectorHit>& hits : found_) std::ranges::move(hits, std::back_inserter(all));
    std::ranges::stable_sort(all, [&](const VectorHit& a, const VectorHit& b) {
      return index_.distance == VectorDistance::kDotProduct ? a.score > b.score : a.score < b.score;
    });
    std::set<std::string> seen;
    std::vector<VectorHit> nearest;
    for (VectorHit& hit : all) {
      if (nearest.size() == options_.top_k) break;
      const AttributeValue* range_key = hit.item.find(range_key_);
      if (range_key != nullptr && !seen.insert(range_key->string()).second) continue;
      if (!options_.project.empty() && !entity::contains(options_.project, range_key_)) hit.item.erase(range_key_);
      nearest.push_back(std::move(hit));
    }
    return nearest;
  }

 private:
  Store* store_;
  std::string table_;
  std::string range_key_;
  EntityVectorIndex index_;
  std::vector<float> vector_;
  EntitySearchOptions options_;
  std::int64_t throttle_;
  VectorSearchOptions request_;
  std::vector<std::string> hash_keys_;
  /// By shard. Each is written by the call that asks it, and read when all have ended.
  std::vector<std::vector<VectorHit>> found_;
};

}  // namespace

NearestHits<VectorHit> EntityClient::nearest(EntityNameView entity, IndexNameView index, std::span<const float> vector,
                                             const EntitySearchOptions& options) const {
  DOLMEN_TRY(const std::shared_ptr<ShardSearch> search, ShardSearch::make(*this, entity, index, vector, options));
  const ShardOutcomes outcomes = entity::run_shards(
      search->shards(), search->how(), [&](std::size_t shard, ShardDone done) { search->ask(shard, std::move(done)); });
  return search->nearest(outcomes);
}

void EntityClient::async_nearest(EntityNameView entity, IndexNameView index, std::span<const float> vector,
                                 const EntitySearchOptions& options, Callback<std::vector<VectorHit>> done) const {
  Result<std::shared_ptr<ShardSearch>> search = ShardSearch::make(*this, entity, index, vector, options);
  if (!search) return done(std::unexpected(std::move(search).error()));
  entity::start_shards((*search)->shards(), (*search)->how(),
                       [search = *search](std::size_t shard, ShardDone then) { search->ask(shard, std::move(then)); },
                       [search = *search, done = std::move(done)](const ShardOutcomes& outcomes) mutable {
                         done(search->nearest(outcomes));
                       });
}

}  // namespace dolmen
