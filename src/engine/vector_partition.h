#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/stable_rows.h"
#include "engine/vector_entry.h"
#include "vector/vector_set.h"

namespace dolmen::engine {

/// The vectors of one index that have the same HASH value, with what is known about each row. Changes need the lock of
/// the owner (VectorSets), searches only to begin.
class VectorPartition {
 public:
  VectorPartition(std::string hash, vector::SetOptions options, std::size_t filters)
      : hash_(std::move(hash)), options_(std::move(options)), set_(options_), columns_(filters) {}

  [[nodiscard]] const std::string& hash() const { return hash_; }
  [[nodiscard]] vector::VectorSet& set() { return set_; }
  [[nodiscard]] const vector::VectorSet& set() const { return set_; }

  /// Adds a row that searches find from now on. `key` of the row stays where it is until the row is used again.
  Result<vector::Row> add(std::string_view row_key, std::span<const float> vector,
                          const std::vector<std::string>& filters);
  void remove(vector::Row row);
  [[nodiscard]] std::string_view key(vector::Row row) const { return rows_.at(row).key; }
  [[nodiscard]] std::size_t bytes() const;

  /// The rows that filters leave, as a search takes them.
  class Selection {
   public:
    /// Begun under the lock of the owner; lives as long as the search.
    Selection(const VectorPartition& partition, const std::vector<std::optional<std::string>>& filters);

    /// Nothing can match.
    [[nodiscard]] bool is_empty() const { return empty_; }
    [[nodiscard]] vector::Filter filter() const;
    [[nodiscard]] const vector::VectorSet::Reading& reading() const { return reading_; }
    [[nodiscard]] const VectorPartition& partition() const { return *partition_; }

   private:
    struct Wanted {
      std::size_t column;
      const void* value;
    };

    const VectorPartition* partition_;
    vector::VectorSet::Reading reading_;
    bool empty_ = false;
    std::vector<Wanted> wanted_;
    /// The rows with the rarest value, when they are few.
    std::optional<std::vector<vector::Row>> among_;
    std::size_t expected_ = 0;
  };

 private:
  /// The rows that have one value of a filter.
  struct Posting {
    const std::string value;
    std::vector<vector::Row> rows = {};
  };
  /// By the values of the postings.
  using Column = std::unordered_map<std::string_view, std::unique_ptr<Posting>>;

  struct RowInfo {
    std::string key;
    /// The postings that the row is in, by column; null where it lacks the attribute. Compared by searches.
    std::vector<const Posting*> postings;
    /// Where it is in them. Only for changes.
    std::vector<std::uint32_t> positions;
  };

  const std::string hash_;
  const vector::SetOptions options_;
  vector::VectorSet set_;
  StableRows<RowInfo> rows_;
  std::vector<Column> columns_;
};

}  // namespace dolmen::engine
