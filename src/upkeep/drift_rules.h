#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contract/rules.h"
#include "dolmen/error.h"
#include "dolmen/model/encryption.h"
#include "dolmen/model/model.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

namespace dolmen::upkeep {

/// What can be done about a value without asking anybody.
enum class Mend : std::uint8_t {
  kNothing,
  kSet,      ///< store another value
  kRemove,   ///< remove the attribute
  kEncrypt,  ///< store the value in an envelope
};

/// One thing in which an item is not what its model says.
struct Finding {
  /// docs/drift.md lists them.
  std::string rule;
  /// The attribute.
  std::string path;
  /// What is wrong, in a few words. Says nothing of values that are to be encrypted.
  std::string message;
  Mend mend = Mend::kNothing;
  /// Of Mend::kSet.
  std::optional<AttributeValue> mended = std::nullopt;
};

struct DriftOptions {
  /// Look also for what every reader accepts but models write in another form: times that are not UTC with nine
  /// digits, and empty values that omit_empty leaves out.
  bool strict = false;
  /// With keys, envelopes are opened. Must outlive the rules.
  KeyProvider* keys = nullptr;
};

/// What the items of a table should be. Never changes; thread-safe.
class DriftRules {
 public:
  /// Fails as `contract::Rules::make` does.
  static Result<DriftRules> make(const contract::Definition& definition, const TableDefinition& table,
                                 const DriftOptions& options);

  struct Verdict {
    /// Null when the item is of no model.
    const Model* model = nullptr;
    /// Sorted by path and rule; empty for an item that is as it should be.
    std::vector<Finding> findings;
  };

  /// Fails only when keys cannot be had: what cannot be decrypted is a finding.
  [[nodiscard]] Result<Verdict> check(const Item& item) const;

  [[nodiscard]] const contract::Rules& contract() const { return *rules_; }

 private:
  DriftRules(std::shared_ptr<const contract::Rules> rules, const DriftOptions& options)
      : rules_(std::move(rules)), options_(options) {}

  std::shared_ptr<const contract::Rules> rules_;
  DriftOptions options_;
};

}  // namespace dolmen::upkeep
