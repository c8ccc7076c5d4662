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

/// A write whose outcome has been worked out. Sees encoded items (value/encoded_item.h).
struct GatedWriteView {
  /// What is stored; empty when nothing is, or when the gate has not asked for it.
  std::string_view old_item;
  std::string_view new_item;
  /// The new item as a tree, when whoever writes it has one anyway; else null.
  const Item* new_tree = nullptr;
  /// A put, which replaces whatever there is; else an update.
  bool replaces = true;
  /// The attributes that an update names; empty when the gate has not asked for the old item.
  std::span<const std::string_view> updated;
};

/// What a gate has seen since it was made.
struct GateFindings {
  std::uint64_t refused = 0;
  /// Let through, although they break a rule.
  std::uint64_t warned = 0;
  /// About the last of them.
  std::string last;
};

/// Looks at every item that is about to be written to a table, whoever writes it and how, before it enters the log.
/// Thread-safe.
class WriteGate {
 public:
  virtual ~WriteGate() = default;

  [[nodiscard]] virtual bool needs_old_item() const = 0;
  /// Fails with kValidation when the item must not be written.
  [[nodiscard]] virtual Result<void> check(const GatedWriteView& write) const = 0;
  [[nodiscard]] virtual GateFindings findings() const = 0;
};

/// Another gate for a table.
struct GateChange {
  std::string table;
  /// TableDescription::id, so that another table of the same name is never meant.
  std::string table_id;
  /// None when it is null.
  std::shared_ptr<const WriteGate> gate;
  /// What is written in the same step: both happen, or neither.
  std::optional<WriteRequest> row = std::nullopt;
  /// Asked when no write to the table is under way; when it fails, nothing changes.
  std::move_only_function<Result<void>()> check = nullptr;
};

/// The gates of the tables of a store in this process. A companion of its Store.
class WriteGates {
 public:
  virtual ~WriteGates() = default;

  /// Every item that is written to the table from then on passes another gate. Waits until no write to the table is
  /// under way, so that none is between the old gate and the log. Fails with kTableNotFound. A gate ends with the
  /// process and with its table.
  virtual void change_gate(GateChange change, Done<void> done) = 0;
  /// The gate of a table; null when it has none.
  virtual void gate_of(const std::string& table, Done<std::shared_ptr<const WriteGate>> done) = 0;
};

}  // namespace dolmen
