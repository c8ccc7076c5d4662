#include "engine/conflicts.h"

namespace dolmen::engine {

Conflicts::Ticket::~Ticket() {
  if (all_ != nullptr) all_->leave(content_);
}

std::expected<Conflicts::Ticket, std::vector<std::size_t>> Conflicts::enter(std::vector<std::string> keys, Kind kind) {
  const std::lock_guard lock(under_way_mutex_);
  std::vector<std::size_t> conflicts;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto found = items_.find(keys[i]);
    if (found != items_.end() && found->second.transaction) conflicts.push_back(i);
  }
  if (!conflicts.empty()) return std::unexpected(std::move(conflicts));
  for (const std::string& key : keys) {
    Entry& entry = items_[key];
    if (kind == Kind::kTransaction) {
      entry.transaction = true;
    } else {
      ++entry.writes;
    }
  }
  return Ticket(*this, {.kind = kind, .keys = std::move(keys), .token = {}});
}

std::expected<Conflicts::Ticket, std::monostate> Conflicts::enter_token(const std::string& token) {
  const std::lock_guard lock(under_way_mutex_);
  if (!tokens_.insert(token).second) return std::unexpected(std::monostate());
  return Ticket(*this, {.kind = Kind::kTransaction, .keys = {}, .token = token});
}

std::vector<std::size_t> Conflicts::in_the_way(std::span<const std::string> keys) const {
  const std::lock_guard lock(under_way_mutex_);
  std::vector<std::size_t> conflicts;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (items_.contains(keys[i])) conflicts.push_back(i);
  return conflicts;
}

void Conflicts::leave(const Ticket::Content& content) {
  const std::lock_guard lock(under_way_mutex_);
  if (!content.token.empty()) tokens_.erase(content.token);
  for (const std::string& key : content.keys) {
    const auto found = items_.find(key);
    if (content.kind == Kind::kTransaction) {
      found->second.transaction = false;
    } else {
      --found->second.writes;
    }
    if (found->second.writes == 0 && !found->second.transaction) items_.erase(found);
  }
}

}  // namespace dolmen::engine
