#include <algorithm>
#include <deque>
#include <set>

#include "entity/item_source.h"
#include "entity/query.h"
#include "entity/refusal.h"

namespace dolmen::entity {

namespace {

using Place = Shard::Place;

/// What has been read of a shard and not been given out.
struct Stream {
  std::deque<Item> items;
  /// The last item that was given out decides where the next page goes on.
  std::optional<Item> last_key;
  /// Where the shard stood before anything was read from it.
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
    }
  }

  Result<std::vector<Item>> run() && {
    DOLMEN_TRY_VOID(find_range_key());
    std::vector<Item> result;
    while (true) {
      DOLMEN_TRY_VOID(refill(state_.limit - std::min(state_.limit, result.size())));
      const std::size_t next = smallest();
      if (next == streams_.size()) break;
      const Item& item = streams_[next].items.front();
      DOLMEN_TRY(std::string unique, unique_text(item));
      const bool is_new = !seen_.contains(unique);
      if (is_new && result.size() >= state_.limit) break;
      seen_.insert(std::move(unique));
      streams_[next].last_key = key_of(item, *state_.indexes[state_.shards[next].index]);
      if (is_new) result.push_back(std::move(streams_[next].items.front()));
      streams_[next].items.pop_front();
    }
    step_back();
    return result;
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

  /// Reads a page of every shard of which nothing is left while there is more. A small page will do for each when there
  /// are many.
  Result<void> refill(std::size_t remaining) {
    std::vector<std::size_t> empty;
    for (std::size_t i = 0; i < streams_.size(); ++i)
      if (streams_[i].items.empty() && state_.shards[i].place != Place::kExhausted) empty.push_back(i);
    while (!empty.empty()) {
      const auto wanted = std::clamp<std::size_t>(remaining, 1, state_.page_size);
      DOLMEN_TRY(auto pages, ask_shards(options_, state_, empty, static_cast<std::uint32_t>(wanted)));
      std::vector<std::size_t> still_empty;
      for (std::size_t i = 0; i < empty.size(); ++i) {
        Stream& stream = streams_[empty[i]];
        for (Item& item : pages[i]) {
          if (item.find(range_key_) == nullptr)
            return refuse(Code::kInvalidEntity, "missing item range key", range_key_,
                          "a shard gave an item without it");
          stream.items.push_back(std::move(item));
        }
        if (stream.items.empty() && state_.shards[empty[i]].place != Place::kExhausted) still_empty.push_back(empty[i]);
      }
      empty = std::move(still_empty);
    }
    return {};
  }

  [[nodiscard]] bool comes_before(const Item& a, const Item& b) const {
    const AttributeValue& left = options_.backward ? b.at(range_key_) : a.at(range_key_);
    const AttributeValue& right = options_.backward ? a.at(range_key_) : b.at(range_key_);
    if (const Number* number = left.get_if<Number>())
      return right.get_if<Number>() != nullptr && *number < right.number();
    const std::string* text = left.get_if<std::string>();
    return text != nullptr && right.get_if<std::string>() != nullptr && *text < right.string();
  }

  /// The number of streams when all are empty.
  [[nodiscard]] std::size_t smallest() const {
    std::size_t best = streams_.size();
    for (std::size_t i = 0; i < streams_.size(); ++i)
      if (!streams_[i].items.empty() &&
          (best == streams_.size() || comes_before(streams_[i].items.front(), streams_[best].items.front())))
        best = i;
    return best;
  }

  Result<std::string> unique_text(const Item& item) const {
    const std::string& property = state_.entity->definition.unique_property;
    const Element unique = ItemView(config_, item).get(property);
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

  /// Lets the next page begin after what was given out, and not after what was read.
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
  std::string range_key_;
  std::set<std::string, std::less<>> seen_;
};

}  // namespace

Result<std::vector<Item>> merge_shards(const CompiledConfig& config, const EntityQueryOptions& options,
                                       QueryState& state) {
  return Merge(config, options, state).run();
}

}  // namespace dolmen::entity
