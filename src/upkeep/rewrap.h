#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/rules.h"
#include "dolmen/error.h"
#include "dolmen/model/encryption.h"
#include "dolmen/store.h"
#include "transfer/table_walk.h"
#include "upkeep/drift_report.h"

/// Encrypting the stored items of a table anew, under another key.
namespace dolmen::upkeep {

struct Rewrap {
  /// Which attributes of which items are encrypted.
  const contract::Rules& rules;
  /// The keys that the items are encrypted with, and those that they will be; they may be the same object.
  KeyProvider& from;
  KeyProvider& to;
  /// Only says what would be done; every envelope that would change is opened.
  bool dry_run = false;
  transfer::WalkOptions walk = {};
};

/// Counts values, not items.
struct RewrapReport {
  std::uint64_t items = 0;
  /// Encrypted anew, or, of a dry run, to be encrypted anew.
  std::uint64_t rewrapped = 0;
  /// Under the active key already.
  std::uint64_t current = 0;
  /// Not encrypted although they should be; left as they are.
  std::uint64_t plain = 0;
  /// Items that are of none of the models.
  std::uint64_t unknown = 0;
  /// Values that could not be decrypted, or not be written; the first by their keys as samples.
  std::uint64_t failed = 0;
  std::vector<DriftSample> failures = {};

  void add(const RewrapReport& other);
  void add_failure(DriftSample failure);
  void write(ObjectWriter& object) const;
  [[nodiscard]] std::string to_json() const;
  static Result<RewrapReport> from_json(std::string_view json);

  friend bool operator==(const RewrapReport&, const RewrapReport&) = default;
};

struct RewrapResult {
  RewrapReport report;
  transfer::WalkResult walk;
};

/// Decrypts every encrypted attribute of a table and encrypts it again with a new data key, unless `to` knows its
/// envelope as one of the active key. Each item is changed by one update, which is only carried out while its envelopes
/// are what was read; when somebody else was faster, the item is read again. Nothing else of the item changes: no
/// version, no time.
Result<RewrapResult> rewrap_table(Store& store, const TableDescription& table, const Rewrap& rewrap);

}  // namespace dolmen::upkeep
