#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace dolmen::engine {

/// Which items writes are at work on, for an engine that refuses requests as AWS does where they meet a transaction.
/// The locks (lock_table.h) do not know this: different items may share one.
///
///   a request meets             a write of the item    a transaction with the item
///   PutItem, ... BatchWrite     waits                  conflict
///   TransactWriteItems          waits                  conflict, also where both only check it
///   TransactGetItems            conflict               conflict
///
/// Thread-safe. Holds no more than the items of the writes under way.
class Conflicts {
 public:
  enum class Kind : std::uint8_t { kWrite, kTransaction };

  /// A write under way, which ends with this object.
  class Ticket {
   public:
    Ticket(Ticket&& other) noexcept : all_(std::exchange(other.all_, nullptr)), content_(std::move(other.content_)) {}
    Ticket& operator=(Ticket&&) = delete;
    ~Ticket();

   private:
    friend class Conflicts;
    struct Content {
      Kind kind = Kind::kWrite;
      std::vector<std::string> keys;
      std::string token;
    };
    Ticket(Conflicts& all, Content content) : all_(&all), content_(std::move(content)) {}

    Conflicts* all_;
    Content content_;
  };

  Conflicts() = default;
  Conflicts(const Conflicts&) = delete;
  Conflicts& operator=(const Conflicts&) = delete;

  /// The positions of those keys that are in the way of such a request. When there are any, nothing has been entered.
  std::expected<Ticket, std::vector<std::size_t>> enter(std::vector<std::string> keys, Kind kind);
  /// False when a transaction with that client token is under way.
  std::expected<Ticket, std::monostate> enter_token(const std::string& token);
  /// The positions of keys that a transaction of reads must not see now.
  [[nodiscard]] std::vector<std::size_t> in_the_way(std::span<const std::string> keys) const;

 private:
  struct Entry {
    int writes = 0;
    bool transaction = false;
  };

  void leave(const Ticket::Content& content);

  mutable std::mutex under_way_mutex_;  // guards the rest
  std::unordered_map<std::string, Entry> items_;
  std::set<std::string> tokens_;
};

}  // namespace dolmen::engine
