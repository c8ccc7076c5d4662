#pragma once

#include <cstddef>
#include <cstdint>

/// The limits of statements, by name. Those of items, expressions and transactions are in base/limits.h.
namespace dolmen::partiql::limits {

/// In characters, as Java counts them.
inline constexpr std::size_t kStatementCharacters = 8192;
/// How deep parentheses, lists, tuples and subqueries may stand inside each other. No statement that is carried out
/// comes near it.
inline constexpr unsigned kStatementNesting = 250;
inline constexpr std::size_t kBatchStatements = 25;
inline constexpr std::size_t kTransactionStatements = 100;
inline constexpr std::size_t kNextTokenCharacters = 32768;

/// The queries into which OR and IN on keys may divide a SELECT.
inline constexpr std::size_t kDecomposedReads = 50;
/// How many of those that come from IN are carried out for one page.
inline constexpr std::size_t kListedReadsPerPage = 10;
inline constexpr std::int64_t kListIndexMax = 2147483647;

}  // namespace dolmen::partiql::limits
