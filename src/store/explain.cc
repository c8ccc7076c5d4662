#include "dolmen/explain.h"

#include <algorithm>
#include <string_view>

#include "base/ascii.h"
#include "base/fail.h"
#include "service/explain.h"
#include "store/translate.h"

namespace dolmen {

Result<Explanation> explain_get(Store& store, const std::string& table, const Item& key, const GetOptions& options) {
  DOLMEN_TRY(GetItemRequest request, translate::get(table, key, options));
  return explain<GetItem>(store.service(), std::move(request));
}

Result<Explanation> explain_query(Store& store, const std::string& table, const QueryOptions& options) {
  DOLMEN_TRY(ReadManyRequest request, translate::query(table, options));
  return explain<Query>(store.service(), std::move(request));
}

Result<Explanation> explain_scan(Store& store, const std::string& table, const ScanOptions& options) {
  DOLMEN_TRY(ReadManyRequest request, translate::scan(table, options));
  return explain<Scan>(store.service(), std::move(request));
}

Result<Explanation> explain_search_vectors(Store& store, const std::string& table, const std::string& index,
                                           std::span<const float> vector, const VectorSearchOptions& options) {
  DOLMEN_TRY(SearchVectorsRequest request, translate::search_vectors(table, index, vector, options));
  return explain<SearchVectors>(store.service(), std::move(request));
}

Result<Explanation> explain_batch_get(Store& store, const std::vector<KeysOfTable>& keys) {
  DOLMEN_TRY(BatchGetRequest request, translate::batch_get(keys, {}));
  return explain<BatchGetItem>(store.service(), std::move(request));
}

Result<Explanation> explain_transact_get(Store& store, const std::vector<TransactGet>& gets) {
  DOLMEN_TRY(TransactGetRequest request, translate::transact_get(gets, {}));
  return explain<TransactGetItems>(store.service(), std::move(request));
}

Result<Explanation> explain_statement(Store& store, const StatementCall& statement, const StatementOptions& options) {
  constexpr std::string_view kSelect = "SELECT";
  const std::size_t begin = std::min(statement.text.find_first_not_of(" \t\r\n"), statement.text.size());
  if (!equals_ignoring_case(std::string_view(statement.text).substr(begin, kSelect.size()), kSelect))
    return fail(Code::kInvalidArgument, "only a SELECT can be explained; this statement begins otherwise");
  DOLMEN_TRY(ExecuteStatementRequest request, translate::statement(statement, options));
  return explain<ExecuteStatement>(store.service(), std::move(request));
}

}  // namespace dolmen
