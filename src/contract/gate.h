#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "contract/rules.h"
#include "service/write_gate.h"

namespace dolmen::contract {

enum class Mode : std::uint8_t {
  kOff,
  kWarn,     ///< items that break the contract are counted and reported, and written
  kEnforce,  ///< they are refused
};

/// "off", "warn" or "enforce".
std::string_view mode_name(Mode mode);
std::optional<Mode> mode_of(std::string_view name);

/// Takes a line for the operator. Is called while the locks of a write are held, so it must return at once: it may
/// queue (base/line_log.h), and must neither wait nor write.
using Warn = std::function<void(std::string line)>;

/// The contract of a table at work.
class Gate final : public WriteGate {
 public:
  struct Contract {
    std::string table;
    std::string version;
    /// Not kOff.
    Mode mode = Mode::kEnforce;
    std::shared_ptr<const Rules> rules;
  };
  /// `warn` may be empty.
  explicit Gate(Contract contract, Warn warn = {}) : contract_(std::move(contract)), warn_(std::move(warn)) {}

  [[nodiscard]] bool needs_old_item() const override { return contract_.rules->needs_old_item(); }
  [[nodiscard]] bool guards_deletes() const override { return contract_.rules->guards_deletes(); }
  /// Of the items that mode kWarn lets through, the operator hears of the first, the second, the fourth, and so on, so
  /// that a busy table does not fill the disk.
  [[nodiscard]] Result<void> check(const GatedWriteView& write) const override;
  [[nodiscard]] GateFindings findings() const override;

 private:
  /// Counts a violation. What to tell the operator; nothing for most.
  std::optional<std::string> note(const Error& violation) const;

  const Contract contract_;
  const Warn warn_;
  mutable std::mutex findings_mutex_;  ///< Guards findings_.
  mutable GateFindings findings_;
};

/// Stands in a table while its stored items are looked at: what the gate that it stands before lets through is held
/// against other rules and counted.
class Watch final : public WriteGate {
 public:
  /// `before` may be null.
  Watch(std::shared_ptr<const WriteGate> before, std::shared_ptr<const Rules> rules)
      : before_(std::move(before)), rules_(std::move(rules)) {}

  [[nodiscard]] bool needs_old_item() const override { return before_ != nullptr && before_->needs_old_item(); }
  [[nodiscard]] bool guards_deletes() const override { return before_ != nullptr && before_->guards_deletes(); }
  [[nodiscard]] Result<void> check(const GatedWriteView& write) const override;
  /// Those of the gate before.
  [[nodiscard]] GateFindings findings() const override;

  [[nodiscard]] std::uint64_t violating() const { return violating_; }

 private:
  const std::shared_ptr<const WriteGate> before_;
  const std::shared_ptr<const Rules> rules_;
  mutable std::atomic<std::uint64_t> violating_ = 0;
};

}  // namespace dolmen::contract
