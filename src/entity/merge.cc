#include <algorithm>
#include <deque>
#include <numeric>
#include <set>

#include "entity/item_source.h"
#include "entity/query.h"
#include "entity/refusal.h"

namespace dolmen::entity {

namespace {

using Place = Shard::Place;

/// The order of keys, below 0, 0 or above 0: numbers by value, texts by their bytes. Incomparable keys are equal.
int compare_keys(const AttributeValue* a, const AttributeValue* b) {
  const auto sign = [](const auto& left, const auto& right) {
    return left < right ? -1 : static_cast<int>(right < left);
  };
  if (a == nullptr || b == nullptr || a->type() != b->type()) return 0;
  if (const Number* number = a->get_if<Number>()) return sign(*number, b->number());
  const std::string* text = a->get_if<std::string>();
  return text == nullptr ? 0 : sign(*text, b->string());
}

/// Items that have been read from a shard and not yet returned.
struct Stream {
  std::deque<Item> items;
  /// The number of items of the next request to it.
  std::uint32_t next_size = 1;
  /// The last returned item decides where the next page continues.
  std::optional<Item> last_key;
  /// The position of the shard before anything was read from it.
  Place first_place = Place::kNotStarted;
  std::optional<Item> first_page_key;
};

class Merge {
 public:
  Merge(const CompiledConfig& config, const EntityQueryOptions& options, QueryState& state)
      : config_(config), options_(options), state_(state), streams_(state.shards.size()) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      streams_[i].first_place = state.shards[i].place;
      streams_[i].first_page_key = state.shards[i].page_key;
      streams_[i].next_size = first_size();
    }
  }

  Task<Result<std::vector<Item>>> run() {
    Result<void> done = find_range_key();
    if (!done) co_return std::unexpected(std::move(done).error());
    std::vector<std::size_t> wanted(streams_.size());
    std::iota(wanted.begin(), wanted.end(), 0U);
    done = co_await refill(std::move(wanted));
    std::vector<Item> result;
    while (done && !ready_.empty()) {
      const std::size_t next = ready_.front();
      Stream& stream = streams_[next];
      Result<std::string> unique = unique_text(stream.items.front());
      if (!unique) co_return std::unexpected(std::move(unique).error());
      const bool is_new = !seen_.contains(*unique);
      if (is_new && result.size() >= state_.limit) break;
      seen_.insert(std::move(*unique));
      std::ranges::pop_heap(ready_, Later{this});
      ready_.pop_back();
      stream.last_key = key_of(stream.items.front(), *state_.indexes[state_.shards[next].index]);
      if (is_new) result.push_back(std::move(stream.items.front()));
      stream.items.pop_front();
      // When there are enough items, only those that were read already can be repetitions.
      if (stream.items.empty() && result.size() >= state_.limit) continue;
      if (!stream.items.empty()) {
        push(next);
        continue;
      }
      wanted.assign(1, next);
      done = co_await refill(std::move(wanted));
    }
    if (!done) co_return std::unexpected(std::move(done).error());
    step_back();
    co_return result;
  }

 private:
  Result<void> find_range_key() {
    range_key_ = state_.indexes.front()->definition.range_key;
    for (const CompiledIndex* index : state_.indexes)
      if (index->definition.range_key != range_key_)
        return refuse(Code::kInvalidArgument, "inconsistent rangeKeys", index->definition.name,
                      "the indexes of a merged query must have the same range key");
    return {};
  }

  /// An equal share of the page for each shard, so that few items are read in vain.
  [[nodiscard]] std::uint32_t first_size() const {
    const std::size_t share = (state_.limit - 1) / state_.shards.size() + 1;
    return static_cast<std::uint32_t>(std::min<std::size_t>(share, state_.page_size));
  }

  /// Adds a shard to the heap, which must have an item.
  void push(std::size_t shard) {
    ready_.push_back(shard);
    std::ranges::push_heap(ready_, Later{this});
  }

  /// Ensures that each of these shards has an item unless it is at its end, and adds them to the heap.
  Task<Result<void>> refill(std::vector<std::size_t> shards) {
    while (!shards.empty()) {
      std::vector<std::size_t> empty;
      for (const std::size_t shard : shards) {
        if (!streams_[shard].items.empty())
          push(shard);
        else if (state_.shards[shard].place != Place::kExhausted)
          empty.push_back(shard);
      }
      if (!empty.empty()) {
        const std::uint32_t size = streams_[empty.front()].next_size;
        Result<Pages> pages = co_await ask_shards(options_, state_, empty, size);
        if (!pages) co_return std::unexpected(std::move(pages).error());
        Result<void> kept = keep(empty, std::move(*pages), size);
        if (!kept) co_return kept;
      }
      shards = std::move(empty);
    }
    co_return Result<void>();
  }

  /// Every first request is for an equal share. A shard that is asked again has more than that, so it is asked for
  /// more.
  Result<void> keep(const std::vector<std::size_t>& shards, Pages pages, std::uint32_t size) {
    for (const std::size_t shard : shards)
      streams_[shard].next_size = size > state_.page_size / 2 ? state_.page_size : size * 2;
    for (std::size_t i = 0; i < shards.size(); ++i)
      for (Item& item : pages[i]) {
        if (item.find(range_key_) == nullptr)
          return refuse(Code::kInvalidEntity, "missing item range key", range_key_, "a shard gave an item without it");
        streams_[shards[i]].items.push_back(std::move(item));
      }
    return {};
  }

  /// Below 0, 0 or above 0 in the order of an index: by its range key, then by the keys of the table. An item that
  /// comes from two indexes thus comes twice in a row.
  [[nodiscard]] int compare(const Item& a, const Item& b) const {
    for (const std::string* name : {&range_key_, &config_.config().range_key, &config_.config().hash_key})
      if (const int order = compare_keys(a.find(*name), b.find(*name)); order != 0)
        return options_.backward ? -order : order;
    return 0;
  }

  /// Orders a heap so that the shard whose item comes next is its first.
  struct Later {
    const Merge* merge;
    bool operator()(std::size_t a, std::size_t b) const {
      const Item& left = merge->streams_[a].items.front();
      const Item& right = merge->streams_[b].items.front();
      const int order = merge->compare(left, right);
      return order == 0 ? b < a : order > 0;
    }
  };

  Result<std::string> unique_text(const Item& item) const {
    const std::string& property = state_.entity->definition.unique_property;
    const ItemView view(config_, item);
    const Element unique = unique_element(config_, *state_.entity, view);
    if (unique.is_nil())
      return refuse(Code::kInvalidEntity, "missing item unique property", property, "an index must hold it");
    return unique.to_string();
  }

  static Item key_of(const Item& item, const CompiledIndex& index) {
    Item key;
    for (const std::string& component : index.components)
      if (const AttributeValue* value = item.find(component)) key.set(component, *value);
    return key;
  }

  /// Makes the next page begin after the returned items, not after those that were read.
  void step_back() {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      Stream& stream = streams_[i];
      Shard& shard = state_.shards[i];
      if (stream.items.empty()) continue;
      if (stream.last_key) {
        shard.go_on_at(std::move(stream.last_key));
      } else {
        shard.place = stream.first_place;
        shard.page_key = std::move(stream.first_page_key);
      }
    }
  }

  const CompiledConfig& config_;
  const EntityQueryOptions& options_;
  QueryState& state_;
  std::vector<Stream> streams_;
  /// A heap of the shards that have an item.
  std::vector<std::size_t> ready_;
  std::string range_key_;
  std::set<std::string, std::less<>> seen_;
};

}  // namespace

Task<Result<std::vector<Item>>> merge_shards(const CompiledConfig& config, const EntityQueryOptions& options,
                                             QueryState& state) {
  Merge merge(config, options, state);
  co_return co_await merge.run();
}

}  // namespace dolmen::entity
