#pragma once

#include <atomic>
#include <cstdint>
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

/// The contract of a table at work.
class Gate final : public WriteGate {
 public:
  /// `mode` is not kOff.
  Gate(std::string table, std::string version, Mode mode, std::shared_ptr<const Rules> rules)
      : table_(std::move(table)), version_(std::move(version)), mode_(mode), rules_(std::move(rules)) {}

  [[nodiscard]] bool needs_old_item() const override { return rules_->needs_old_item(); }
  /// A warning goes to the standard error: the first, the second, the fourth, and so on, so that a busy table does not
  /// fill the disk.
  [[nodiscard]] Result<void> check(const GatedWriteView& write) const override;
  [[nodiscard]] GateFindings findings() const override;

 private:
  const std::string table_;
  const std::string version_;
  const Mode mode_;
  const std::shared_ptr<const Rules> rules_;
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
