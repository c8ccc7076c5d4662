#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/varint.h"
#include "storage/keyspace.h"

namespace dolmen::storage {

/// Changes that become visible and durable together, or not at all. A plain value, which is independent of any store
/// until it is committed. Later changes in a batch override earlier ones. A moved-from batch is empty.
///
/// The changes are kept as one string in the order in which they were made, so that filling a batch costs one append
/// per change and a group of batches can be written one after the other without looking into them.
class Batch {
 public:
  Batch() = default;
  Batch(Batch&& other) noexcept
      : ops_(std::exchange(other.ops_, {})),
        count_(std::exchange(other.count_, 0)),
        rewrites_(std::exchange(other.rewrites_, false)),
        effects_(std::exchange(other.effects_, {})) {}
  Batch& operator=(Batch&& other) noexcept {
    ops_ = std::exchange(other.ops_, {});
    count_ = std::exchange(other.count_, 0);
    rewrites_ = std::exchange(other.rewrites_, false);
    effects_ = std::exchange(other.effects_, {});
    return *this;
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void put(Keyspace keyspace, std::string_view key, std::string_view value);
  void remove(Keyspace keyspace, std::string_view key);

  /// Removes every key of `range`, at a cost that does not depend on the number of keys. The range must have an upper
  /// bound; it may be empty.
  void remove_range(Keyspace keyspace, KeyRangeView range);

  /// Adds `amounts` to the first counters of a row, which counters.h reads and writes; missing counters are zero.
  /// Writers of one row need neither lock nor read it: the commit thread sums the amounts of a group of batches and
  /// writes the row once. Only this function and `remove_counters` may change such a row.
  void add(Keyspace keyspace, std::string_view key, std::span<const std::int64_t> amounts);
  void remove_counters(Keyspace keyspace, std::string_view key);

  /// Puts `value` into `rows` at `key` followed by eight big-endian bytes: the next number of the counter row
  /// `counters`/`key`, which holds the last number given. Numbers begin with 1, have no gaps and never repeat, also
  /// when the rows have been removed. The writing thread gives them, so they are in the order in which batches become
  /// visible: a reader that sees a number sees all rows of smaller numbers, unless they have been removed. Only this
  /// function and `remove_counters`, after which numbers begin with 1 again, may change such a counter row.
  void append(Keyspace rows, Keyspace counters, std::string_view key, std::string_view value);

  /// Writes a row again with the value that it has, in the form in which values of its range are stored now
  /// (row_seals.h). Does nothing when there is no such row, when it has that form, or when it cannot be read. The
  /// writing thread reads the value, so nothing that others write is lost. It is not for counter rows.
  void rewrite(Keyspace keyspace, std::string_view key);

  /// Adds bytes that go to the log only, where Options::inspect_log sees them when the store is next opened.
  /// Readers never do.
  void log_data(std::string_view bytes);

  using Effects = std::vector<std::move_only_function<void()>>;

  /// Calls `effect` once the batch is visible, before anybody is told that it is committed, on the thread that tells
  /// it. Not called when the commit fails. It must not block. For what is kept in memory beside the rows.
  void when_visible(std::move_only_function<void()> effect) { effects_.push_back(std::move(effect)); }
  /// Takes the effects out, in the order in which they were added.
  [[nodiscard]] Effects take_effects() { return std::exchange(effects_, {}); }
  [[nodiscard]] bool has_effects() const noexcept { return !effects_.empty(); }

  /// Whether there are rows to write again.
  [[nodiscard]] bool rewrites() const noexcept { return rewrites_; }

  /// The number of changes to rows and ranges.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// The approximate size in bytes in memory and in the log.
  [[nodiscard]] std::size_t byte_size() const noexcept { return ops_.size(); }
  [[nodiscard]] bool empty() const noexcept { return ops_.empty(); }

  /// Reserves `bytes` more, so that filling the batch allocates once.
  void reserve(std::size_t bytes) { ops_.reserve(ops_.size() + bytes); }

  /// Calls, in order, `put(keyspace, key, value)`, `remove(keyspace, key)`, `remove_range(keyspace, range)`,
  /// `add(keyspace, key, encoded amounts)`, `remove_counters(keyspace, key)`, `append(rows, counters, key, value)`,
  /// `rewrite(keyspace, key)` and `log_data(bytes)` of `visitor`.
  template <class Visitor>
  void replay(Visitor&& visitor) const;

 private:
  enum class Op : char { kPut, kRemove, kRemoveRange, kAdd, kRemoveCounters, kAppend, kRewrite, kLogData };

  /// Starts a change of about `bytes`, for which it makes room at once.
  void begin(Op op, Keyspace keyspace, std::size_t bytes) {
    constexpr std::size_t kOverheadMax = 3 + 2 * 10;  // The operation, two keyspaces and two lengths.
    const std::size_t needed = ops_.size() + bytes + kOverheadMax;
    if (needed > ops_.capacity()) ops_.reserve(std::max(needed, 2 * ops_.capacity()));
    ops_.push_back(static_cast<char>(op));
    ops_.push_back(static_cast<char>(keyspace.index));
  }

  void append_sized(std::string_view bytes) {
    append_varint(ops_, bytes.size());
    ops_.append(bytes);
  }

  static std::string_view take(std::string_view& ops) {
    const auto size = take_varint(ops);
    DOLMEN_CHECK(size && *size <= ops.size(), "a batch can read its own changes");
    const std::string_view bytes = ops.substr(0, *size);
    ops.remove_prefix(*size);
    return bytes;
  }

  std::string ops_;
  std::size_t count_ = 0;
  bool rewrites_ = false;
  Effects effects_;
};

template <class Visitor>
void Batch::replay(Visitor&& visitor) const {
  std::string_view ops = ops_;
  while (!ops.empty()) {
    const auto op = static_cast<Op>(ops[0]);
    const Keyspace keyspace{static_cast<std::uint8_t>(ops[1])};
    ops.remove_prefix(2);
    const std::string_view first = take(ops);
    switch (op) {
      case Op::kPut: visitor.put(keyspace, first, take(ops)); break;
      case Op::kRemove: visitor.remove(keyspace, first); break;
      case Op::kRemoveRange: visitor.remove_range(keyspace, KeyRangeView{.lower = first, .upper = take(ops)}); break;
      case Op::kAdd: visitor.add(keyspace, first, take(ops)); break;
      case Op::kRemoveCounters: visitor.remove_counters(keyspace, first); break;
      case Op::kAppend: {
        const Keyspace counters{static_cast<std::uint8_t>(ops.front())};
        ops.remove_prefix(1);
        visitor.append(keyspace, counters, first, take(ops));
        break;
      }
      case Op::kRewrite: visitor.rewrite(keyspace, first); break;
      case Op::kLogData: visitor.log_data(first); break;
    }
  }
}

}  // namespace dolmen::storage
