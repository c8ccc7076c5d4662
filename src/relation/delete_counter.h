#pragma once

#include <deque>
#include <set>
#include <string>
#include <utility>

#include "relation/graph.h"

namespace dolmen::relation {

/// Counts what a delete would take, without a change.
class DeleteCounter {
 public:
  explicit DeleteCounter(Graph& graph) : graph_(graph) {}

  /// The resource, all below it, and all that belongs to accounts among them.
  Result<void> add_tree(const std::string& root);
  Result<void> add_alone(Row row);

  [[nodiscard]] DeleteCount count() const;

 private:
  Result<void> add_account(const std::string& account, std::deque<std::string>& waiting);
  Result<void> add_memberships(const std::string& partition, const char* index);

  Graph& graph_;
  DeleteCount count_;
  std::set<std::string> resources_;
  std::set<std::pair<std::string, std::string>> memberships_;
};

}  // namespace dolmen::relation
