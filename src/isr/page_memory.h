#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "dolmen/isr/page.h"

namespace dolmen::isr {

/// The metadata of the pages that were looked at last, for the time when it cannot be read. Thread-safe.
class PageMemory {
 public:
  explicit PageMemory(std::size_t pages_max) : pages_max_(pages_max) {}

  void remember(const std::string& partition, const PageMetadata& metadata) {
    if (pages_max_ == 0) return;
    const std::lock_guard lock(pages_mutex_);
    if (const auto found = places_.find(partition); found != places_.end()) {
      if (found->second->second != metadata) found->second->second = metadata;
      pages_.splice(pages_.begin(), pages_, found->second);
      return;
    }
    pages_.emplace_front(partition, metadata);
    places_[partition] = pages_.begin();
    if (pages_.size() <= pages_max_) return;
    places_.erase(pages_.back().first);
    pages_.pop_back();
  }

  void forget(const std::string& partition) {
    const std::lock_guard lock(pages_mutex_);
    const auto found = places_.find(partition);
    if (found == places_.end()) return;
    pages_.erase(found->second);
    places_.erase(found);
  }

  [[nodiscard]] std::optional<PageMetadata> find(const std::string& partition) const {
    const std::lock_guard lock(pages_mutex_);
    const auto found = places_.find(partition);
    return found == places_.end() ? std::nullopt : std::optional(found->second->second);
  }

 private:
  using Pages = std::list<std::pair<std::string, PageMetadata>>;

  const std::size_t pages_max_;
  /// Guards the members below.
  mutable std::mutex pages_mutex_;
  /// The last one first.
  Pages pages_;
  std::unordered_map<std::string, Pages::iterator> places_;
};

}  // namespace dolmen::isr
