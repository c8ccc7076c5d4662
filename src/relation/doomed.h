#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "relation/graph.h"

namespace dolmen::relation {

/// A resource that is to be deleted, with the memberships that go with it. Its children are somebody else's business.
struct Doomed {
  Row row;
  /// From where the edges come that go with it; more than one only in records of other programs.
  std::set<std::string> parents;
  /// Memberships of others in it, and of it in others.
  std::vector<Membership> members;
  std::vector<Membership> collections;
  /// There are more than these; too many for a transaction in any case.
  bool has_more = false;

  [[nodiscard]] bool has_memberships() const { return !members.empty() || !collections.empty(); }
  /// At most so many actions.
  [[nodiscard]] std::size_t cost() const {
    return 1 + parents.size() + row.unique.size() + 2 * members.size() + collections.size();
  }
};

/// Parents of a resource. One that another program wrote does not say, so its edges do; and its unique values are added
/// to the row if their records are its.
Result<std::set<std::string>> find_unrecorded(Graph& graph, Row& row);

/// Reads the memberships of a record, up to a hundred of each kind, and all that goes with it. kTransactionConflict
/// while the index lags behind.
Result<Doomed> inspect(Graph& graph, Row row);

/// Notes in the plan that the resource goes, with its edge, memberships and unique values, and counts them. What must
/// hold of its record, besides that its memberships are those that were read, the caller adds.
RowChange& plan_removal(Plan& plan, const Doomed& doomed, DeleteCount& count);

/// Notes that some memberships go.
void plan_leave(Plan& plan, const std::vector<Membership>& memberships, DeleteCount& count);

/// Whether a transaction was refused for its size. Those of records that it changes without having read them count,
/// too.
bool is_too_large(const Error& error);

void add(DeleteCount& sum, const DeleteCount& more);

}  // namespace dolmen::relation
