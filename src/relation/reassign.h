#pragma once

#include <string>

#include "relation/graph.h"

/// Giving what refers to a resource to another one, before it is deleted.
namespace dolmen::relation {

/// Fails with what stands in the way of `reassign_references`, and changes nothing.
Result<void> check_reassign(Graph& graph, const std::string& urn, const std::string& to);

struct Reassigning {
  std::string urn;
  /// The new parent, and the new account when the resource is one.
  std::string to;
  const OnProgress& on_progress;
  /// So far.
  References moved;
};

/// One after the other, each in a transaction or, with what is below it, a job. Begins with the check.
Result<void> reassign_references(Graph& graph, Reassigning& request);

}  // namespace dolmen::relation
