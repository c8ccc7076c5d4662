#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "engine/vector_sets.h"
#include "expr/search_condition.h"
#include "service/vector_requests.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// One SearchVectors, in steps: its expressions are read, its table and index are found and compared with it, and then
/// the index is searched. Each step fails with the error that DynamoDB gives at that point.
class VectorSearch {
 public:
  /// Reads the expressions, without the table.
  static Result<VectorSearch> prepare(SearchVectorsRequest request);

  /// Finds the index and compares the vector and the conditions with it. `now` decides in which phase the index is.
  Result<void> attach(std::shared_ptr<const Table> table, TableTime now);

  /// Whether it is done quickly: the vectors are in memory, and not too many.
  [[nodiscard]] bool is_short() const;

  /// Loads the vectors if nobody has done so, searches them and reads the rows that were found.
  Result<SearchVectorsResponse> run(const storage::Storage& storage, const GraphOptions& graphs) const;

  [[nodiscard]] const SearchVectorsRequest& request() const { return *request_; }

 private:
  struct Row;

  explicit VectorSearch(SearchVectorsRequest request)
      : request_(std::make_unique<SearchVectorsRequest>(std::move(request))) {}

  Result<void> match_schema();
  Result<void> check_operand(const SearchAttribute& attribute, const AttributeValue& value) const;
  [[nodiscard]] std::string row_key_of(const std::string& key) const;
  /// Nothing when a row has changed since it was found, unless `settled`.
  Result<std::optional<std::vector<Row>>> read_rows(const storage::Storage& storage,
                                                    const std::vector<VectorSets::Hit>& hits, bool settled) const;
  [[nodiscard]] bool matches(const VectorEntry& entry) const;
  Result<SearchVectorsResponse> respond(std::vector<Row> rows) const;
  Result<FoundVector> shown(const Row& row) const;
  [[nodiscard]] std::vector<float> shown_elements(const std::vector<float>& vector) const;
  void trace(const vector::Trace& trace, const SearchVectorsResponse& response, double bytes) const;

  std::unique_ptr<const SearchVectorsRequest> request_;  // the bound expressions point into it
  std::optional<std::vector<expr::SearchCondition>> conditions_;
  std::optional<std::vector<expr::Path>> projection_;
  std::shared_ptr<const Table> table_;
  const VectorIndex* index_ = nullptr;
  VectorSets::Query query_;
};

/// Reads all rows of an index at one moment.
VectorSets::Source rows_of(const VectorIndex& index, const storage::Storage& storage);

}  // namespace dolmen::engine
