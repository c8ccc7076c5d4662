#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "value/encoded_item.h"

namespace dolmen {

/// A key and about how often it was used.
struct TopKey {
  /// The attributes of the key.
  EncodedItem key;
  std::uint64_t count = 0;
  /// The count may be too high by so much, and never is too low.
  std::uint64_t error_max = 0;
};

/// The keys of a table or of an index that were used most since counting began.
struct TopKeys {
  std::uint64_t total = 0;
  std::vector<TopKey> partition_keys;
  /// Whole keys; none when there is no sort key.
  std::vector<TopKey> whole_keys;
};

/// What an engine tells about its tables besides DynamoDB's operations. A companion of its Store. Thread-safe.
class TableInsights {
 public:
  virtual ~TableInsights() = default;

  /// Fails with kTableNotFound, and with kValidation while Contributor Insights are not enabled there.
  [[nodiscard]] virtual Result<TopKeys> top_keys(const std::string& table,
                                                 const std::optional<std::string>& index) const = 0;

  /// The resource policy of a table, or of its stream with the given label; null when there is none.
  [[nodiscard]] virtual std::shared_ptr<const std::string> policy_of(std::string_view table,
                                                                     const std::string& stream_label) const = 0;
};

}  // namespace dolmen
