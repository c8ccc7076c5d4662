#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "protocol/object_writer.h"
#include "upkeep/drift_rules.h"

namespace dolmen::upkeep {

/// The key of an item in one line: USER#17/PROFILE.
std::string key_text(const Item& item, const TableDefinition& table);

/// An item that breaks a rule.
struct DriftSample {
  std::string key;
  std::string message;

  friend auto operator<=>(const DriftSample&, const DriftSample&) = default;
};

/// All items that break one rule at one attribute of one model.
struct DriftGroup {
  std::uint64_t count = 0;
  /// Of these, those that can be mended, and those that were.
  std::uint64_t mendable = 0;
  std::uint64_t mended = 0;
  /// The first by their keys, at most kDriftSamples, so that the same items always have the same samples.
  std::vector<DriftSample> samples;

  friend bool operator==(const DriftGroup&, const DriftGroup&) = default;
};

inline constexpr std::size_t kDriftSamples = 5;
/// Items may have any attributes, so that there may be as many groups as items; further ones are counted together, with
/// kOtherPaths as their path.
inline constexpr std::size_t kDriftGroups = 1'000;
inline constexpr std::string_view kOtherPaths = "…";

/// What was found in a table. Its size is limited, however large the table is.
class DriftReport {
 public:
  struct Place {
    std::string model;
    std::string rule;
    std::string path;

    friend auto operator<=>(const Place&, const Place&) = default;
  };
  using Groups = std::map<Place, DriftGroup>;

  /// Counts an item, and what is wrong with it. `mended` says whether what can be mended was.
  void add(const DriftRules::Verdict& verdict, const std::string& key, bool mended);
  /// Adds what another part of the table has.
  void add(const DriftReport& other);
  /// An item that could not be mended, and why.
  void add_refusal(const std::string& key, const std::string& message);

  [[nodiscard]] const Groups& groups() const { return groups_; }
  /// Those with most items first.
  [[nodiscard]] std::vector<const Groups::value_type*> sorted() const;
  [[nodiscard]] std::uint64_t items() const { return items_; }
  /// Items with at least one finding.
  [[nodiscard]] std::uint64_t broken() const { return broken_; }
  /// Items of which at least one finding is left.
  [[nodiscard]] std::uint64_t left() const { return left_; }
  /// Items with something that can be mended.
  [[nodiscard]] std::uint64_t mendable() const { return mendable_; }
  [[nodiscard]] std::uint64_t refused() const { return refused_; }
  [[nodiscard]] const std::vector<DriftSample>& refusals() const { return refusals_; }

  /// As a JSON object, and back. Fails with kSerialization and kUnexpectedResponse.
  void write(ObjectWriter& object) const;
  [[nodiscard]] std::string to_json() const;
  static Result<DriftReport> from_json(std::string_view json);

  friend bool operator==(const DriftReport&, const DriftReport&) = default;

 private:
  DriftGroup& group_at(Place place);

  Groups groups_;
  std::uint64_t items_ = 0;
  std::uint64_t broken_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t mendable_ = 0;
  std::uint64_t refused_ = 0;
  std::vector<DriftSample> refusals_;
};

}  // namespace dolmen::upkeep
