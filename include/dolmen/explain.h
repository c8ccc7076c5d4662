#pragma once

#include <span>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/explanation.h"
#include "dolmen/operations.h"
#include "dolmen/statement.h"
#include "dolmen/store.h"
#include "dolmen/vectors.h"

/// Carries out a read and says what it did instead of what it found:
///
///     const Explanation e = explain_query(*store, "notes", {.key = key("topic") == "dolmen"}).value();
///     for (const ReadWarning& warning : e.warnings) print(warning.message);
///
/// A query or scan is one request of it: `limit` or a page. Works on embedded stores and Dolmen servers; another
/// endpoint is kUnsupported. Fails as the read does.
namespace dolmen {

Result<Explanation> explain_get(Store& store, const std::string& table, const Item& key,
                                const GetOptions& options = {});
Result<Explanation> explain_query(Store& store, const std::string& table, const QueryOptions& options);
Result<Explanation> explain_scan(Store& store, const std::string& table, const ScanOptions& options = {});
/// Its parts say which way the search took (ReadPart::way).
Result<Explanation> explain_search_vectors(Store& store, const std::string& table, const std::string& index,
                                           std::span<const float> vector, const VectorSearchOptions& options = {});
Result<Explanation> explain_batch_get(Store& store, const std::vector<KeysOfTable>& keys);
Result<Explanation> explain_transact_get(Store& store, const std::vector<TransactGet>& gets);
/// The first page of a SELECT. A statement that does not begin with this word is kInvalidArgument, and is not carried
/// out.
Result<Explanation> explain_statement(Store& store, const StatementCall& statement,
                                      const StatementOptions& options = {});

}  // namespace dolmen
