#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// A write whose outcome has been worked out. Sees encoded items (value/encoded_item.h).
struct GatedWriteView {
  /// What is stored; empty when nothing is, or when the gate has not asked for it.
  std::string_view old_item;
  std::string_view new_item;
  /// A put, which replaces whatever there is; else an update.
  bool replaces = true;
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

}  // namespace dolmen
