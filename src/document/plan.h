#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/index_set.h"
#include "document/predicate.h"
#include "document/rows.h"
#include "dolmen/documents.h"

namespace dolmen::document {

/// How a query is carried out: one index is walked between two bounds, and every document found there is checked
/// against all predicates. The choice depends only on the query and the declared indexes, never on the data.
struct Plan {
  enum class Scan : std::uint8_t {
    kIdLookup,       ///< `_id` is given
    kIndexEquality,  ///< one value of an index
    kIndexRange,     ///< a range of values of an index
    kIndexOrder,     ///< all of an index, in its order, because the sort asks for it
  };

  Scan scan = Scan::kIdLookup;
  /// The field of the index; `_id` is the order of the documents themselves.
  std::string field = "_id";
  std::vector<Predicate> predicates;
  std::optional<DocumentSort> sort;
  std::uint32_t limit = 0;
  /// The range to walk; `after` comes from the cursor.
  RowRange range;
  /// Identifies the query, so that a cursor of another query is refused.
  std::string question;
};

std::string_view scan_name(Plan::Scan scan);

/// Priority: equality on `_id`, then equality on an indexed field, then a range; ties by the field's name. A sort wins
/// over it when it is on another field, which must then be in every document that matches. Fails with kQueryInvalid.
Result<Plan> make_plan(const Schema& schema, const IndexSet& indexes, const DocumentQuery& query);

/// All documents, in the order of `_id`. Fails with kQueryInvalid when the limit is out of range.
Result<Plan> list_plan(const Schema& schema, std::uint32_t limit);

/// As JSON.
std::string describe_plan(const Plan& plan);

/// An opaque text for continuing after a row, and back. Fails with kQueryInvalid for the cursor of another query.
std::string make_cursor(const Plan& plan, const std::string& last_sort);
Result<std::string> read_cursor(const Plan& plan, const std::string& cursor);

}  // namespace dolmen::document
