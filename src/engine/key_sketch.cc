#include "engine/key_sketch.h"

#include <algorithm>

namespace dolmen::engine {

void KeySketch::count(std::string_view key) {
  ++total_;
  if (const auto found = keys_.find(key); found != keys_.end()) {
    order_.erase({found->second.count, found->first});
    ++found->second.count;
    order_.insert({found->second.count, found->first});
    return;
  }
  std::uint64_t least = 0;
  if (keys_.size() == keys_max_) {
    // The new key takes the place of the rarest one, whose count it may have had at the most.
    const auto rarest = order_.begin();
    least = rarest->first;
    const auto replaced = keys_.find(rarest->second);
    order_.erase(rarest);
    keys_.erase(replaced);
  }
  const auto added = keys_.emplace(key, Numbers{.count = least + 1, .error_max = least}).first;
  order_.insert({added->second.count, added->first});
}

std::vector<KeySketch::Counted> KeySketch::top(std::size_t limit) const {
  std::vector<Counted> counted;
  for (const auto& [key, numbers] : keys_) counted.push_back({key, numbers.count, numbers.error_max});
  std::ranges::sort(counted, [](const Counted& a, const Counted& b) {
    return a.count != b.count ? a.count > b.count : a.key < b.key;
  });
  if (counted.size() > limit) counted.resize(limit);
  return counted;
}

}  // namespace dolmen::engine
