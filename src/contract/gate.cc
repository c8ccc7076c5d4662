#include "contract/gate.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "value/encoded_item.h"

namespace dolmen::contract {

std::string_view mode_name(Mode mode) {
  switch (mode) {
    case Mode::kOff: return "off";
    case Mode::kWarn: return "warn";
    case Mode::kEnforce: return "enforce";
  }
  return "";
}

std::optional<Mode> mode_of(std::string_view name) {
  for (const Mode mode : {Mode::kOff, Mode::kWarn, Mode::kEnforce})
    if (mode_name(mode) == name) return mode;
  return std::nullopt;
}

namespace {

/// The item that is to be written, kept in `decoded` when nobody has it as a tree yet; null when it is deleted.
Result<const Item*> new_item_of(const GatedWriteView& write, Item& decoded) {
  if (write.new_item.empty() && write.new_tree == nullptr) return nullptr;
  if (write.new_tree != nullptr) return write.new_tree;
  DOLMEN_TRY(decoded, decode_item(write.new_item));
  return &decoded;
}

/// Which rules an item breaks, without its key, its values, or names that it has made up: a log is read by people who
/// may not read the table.
std::string broken_rules(const Error& violation) {
  constexpr std::size_t kRulesMax = 5;
  std::string text;
  const std::vector<ErrorDetail>& details = violation.details();
  for (std::size_t i = 0; i < std::min(details.size(), kRulesMax); ++i) {
    const bool is_declared = details[i].rule != "undeclared";
    text += fmt::format("{}{}({})", i == 0 ? "" : ", ", is_declared ? details[i].path + " " : "", details[i].rule);
  }
  if (details.size() > kRulesMax) text += fmt::format(" and {} more", details.size() - kRulesMax);
  return text;
}

}  // namespace

Result<void> Gate::check(const GatedWriteView& write) const {
  Item decoded;
  DOLMEN_TRY(const Item* item, new_item_of(write, decoded));
  std::optional<Item> old;
  if (!write.old_item.empty() && contract_.rules->needs_old_item()) {
    DOLMEN_TRY(old, decode_item(write.old_item));
  }
  Rules::Verdict verdict = contract_.rules->check(
      {.old = old ? &*old : nullptr, .item = item, .replaces = write.replaces, .updated = write.updated});
  if (verdict.violations.empty()) return {};
  Error error = refusal(contract_.table, contract_.version, std::move(verdict));
  std::optional<std::string> warning = note(error);
  if (contract_.mode == Mode::kEnforce) return std::unexpected(std::move(error));
  if (warning && warn_) warn_(*std::move(warning));
  return {};
}

std::optional<std::string> Gate::note(const Error& violation) const {
  const std::scoped_lock lock(findings_mutex_);
  findings_.last = violation.message();
  if (contract_.mode == Mode::kEnforce) {
    ++findings_.refused;
    return std::nullopt;
  }
  if (!std::has_single_bit(++findings_.warned)) return std::nullopt;
  return fmt::format("warning {}: an item breaks the contract {} of table {}: {}", findings_.warned, contract_.version,
                     contract_.table, broken_rules(violation));
}

GateFindings Gate::findings() const {
  const std::scoped_lock lock(findings_mutex_);
  return findings_;
}

Result<void> Watch::check(const GatedWriteView& write) const {
  if (before_ != nullptr) DOLMEN_TRY_VOID(before_->check(write));
  Item decoded;
  DOLMEN_TRY(const Item* item, new_item_of(write, decoded));
  if (item == nullptr) return {};
  if (!rules_->check({.item = item}).violations.empty()) ++violating_;
  return {};
}

GateFindings Watch::findings() const { return before_ == nullptr ? GateFindings{} : before_->findings(); }

}  // namespace dolmen::contract
