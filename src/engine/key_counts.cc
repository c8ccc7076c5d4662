#include "engine/key_counts.h"

#include <algorithm>
#include <utility>

#include "value/encoded_item.h"

namespace dolmen::engine {
namespace {

std::vector<std::string> sorted_names(std::initializer_list<const std::vector<KeyAttribute>*> lists) {
  std::vector<std::string> names;
  for (const auto* attributes : lists)
    for (const KeyAttribute& attribute : *attributes) names.push_back(attribute.name);
  std::ranges::sort(names);
  return names;
}

std::vector<TopKey> top_of(const KeySketch& sketch) {
  std::vector<TopKey> keys;
  for (KeySketch::Counted& counted : sketch.top(KeyCounts::kTopKeys))
    keys.push_back({{std::move(counted.key)}, counted.count, counted.error_max});
  return keys;
}

}  // namespace

KeyCounts::KeyCounts(const KeySchema& keys)
    : partition_names_(sorted_names({&keys.partition})),
      whole_names_(keys.sort.empty() ? std::vector<std::string>() : sorted_names({&keys.partition, &keys.sort})),
      partitions_(kCountedKeys),
      wholes_(kCountedKeys) {}

void KeyCounts::count(std::string_view item) {
  const auto has_all = [&](const std::vector<std::string>& names) {
    return std::ranges::all_of(names, [&](const std::string& name) { return find_attribute(item, name).has_value(); });
  };
  if (!has_all(partition_names_)) return;
  const EncodedItem partition = select_attributes(item, partition_names_);
  const bool has_whole = !whole_names_.empty() && has_all(whole_names_);
  const EncodedItem whole = has_whole ? select_attributes(item, whole_names_) : EncodedItem{};
  const std::lock_guard lock(counts_mutex_);
  partitions_.count(partition.bytes);
  if (has_whole) wholes_.count(whole.bytes);
}

TopKeys KeyCounts::top() const {
  const std::lock_guard lock(counts_mutex_);
  return {.total = partitions_.total(), .partition_keys = top_of(partitions_), .whole_keys = top_of(wholes_)};
}

void count_write(const Table& table, const EncodedItem* before, const EncodedItem* after) {
  const EncodedItem* const item = after != nullptr ? after : before;
  if (item == nullptr) return;
  if (table.counts != nullptr) table.counts->count(item->bytes);
  for (const Index& index : table.indexes)
    if (index.counts != nullptr) index.counts->count(item->bytes);
}

void set_counts(Table& table) {
  const auto set = [](const std::optional<Insights>& insights, const KeySchema& keys,
                      std::shared_ptr<KeyCounts>& counts) {
    if (!insights || insights->mode != InsightsMode::kAccessedAndThrottled) {
      counts = nullptr;
    } else if (counts == nullptr) {
      counts = std::make_shared<KeyCounts>(keys);
    }
  };
  set(table.insights, table.keys, table.counts);
  for (Index& index : table.indexes) set(index.insights, index.keys, index.counts);
}

}  // namespace dolmen::engine
