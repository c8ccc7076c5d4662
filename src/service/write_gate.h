#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "service/service.h"

namespace dolmen {

/// A write whose result is known but not yet stored. Refers to encoded items (value/encoded_item.h).
struct GatedWriteView {
  /// The stored item; empty when there is none, or when the gate has not asked for it.
  std::string_view old_item;
  /// Empty when the item is deleted.
  std::string_view new_item;
  /// The new item as a tree, when the writer has built one anyway; otherwise null.
  const Item* new_tree = nullptr;
  /// True for a put, which replaces the whole item; false for an update.
  bool replaces = true;
  /// The attributes that an update names; empty when the gate has not asked for the old item.
  std::span<const std::string_view> updated;
};

/// What a gate has found since it was made.
struct GateFindings {
  std::uint64_t refused = 0;
  /// Writes that were accepted although they break a rule.
  std::uint64_t warned = 0;
  /// Describes the last of them.
  std::string last;
};

/// Checks every item that is about to be written to a table, by any client and operation, before it enters the log.
/// Thread-safe.
class WriteGate {
 public:
  virtual ~WriteGate() = default;

  [[nodiscard]] virtual bool needs_old_item() const = 0;
  /// Whether deletes are checked as well. Only those of clients: what expires leaves unasked.
  [[nodiscard]] virtual bool guards_deletes() const { return false; }
  /// Fails with kValidation when the item must not be written.
  [[nodiscard]] virtual Result<void> check(const GatedWriteView& write) const = 0;
  [[nodiscard]] virtual GateFindings findings() const = 0;
};

/// A change of a table's gate.
struct GateChange {
  std::string table;
  /// TableDescription::id, so that a new table of the same name is not affected.
  std::string table_id;
  /// The new gate; null removes the gate.
  std::shared_ptr<const WriteGate> gate;
  /// A row that is written atomically with the change.
  std::optional<WriteRequest> row = std::nullopt;
  /// Called while no write to the table is in progress; when it fails, nothing changes.
  std::move_only_function<Result<void>()> check = nullptr;
};

/// The gates of the tables of a store in this process. A companion of its Store.
class WriteGates {
 public:
  virtual ~WriteGates() = default;

  /// Gives a table another gate for all writes that follow. Waits until no write to the table is in progress, so that
  /// none is between the old gate and the log. Fails with kTableNotFound. A gate lasts until its table is deleted or
  /// the process ends.
  virtual void change_gate(GateChange change, Done<void> done) = 0;
  /// The gate of a table; null when it has none.
  virtual void gate_of(const std::string& table, Done<std::shared_ptr<const WriteGate>> done) = 0;
};

}  // namespace dolmen
