#pragma once

#include <string>
#include <vector>

#include "relation/graph.h"

namespace dolmen::relation {

/// Removes a link that leads nowhere, unless it has been made anew since it was read.
void plan_drop(Plan& plan, const Item& item);

/// Looks at records and notes what is not as it should be; mends it when asked to.
class Examination {
 public:
  Examination(Graph& graph, bool repair) : graph_(graph), repair_(repair) {}

  /// A resource with everything that touches it.
  Result<void> resource(const std::string& urn);
  /// Any record. What its resources say is looked at when they are.
  Result<void> record(const Item& item);

  [[nodiscard]] std::vector<Finding>& findings() { return findings_; }
  /// How many of the resources a delete will take.
  [[nodiscard]] std::uint64_t deleting() const { return deleting_; }

 private:
  Result<void> form(const Row& row);
  Result<void> parent(const Row& row);
  Result<void> parent_account(const Row& row, const Row& parent_row);
  Result<void> parent_edge(const Row& row, const Row& parent_row);
  Result<void> other_parents(const Row& row);
  Result<void> unrecorded_parents(const Row& row, const std::vector<Item>& edges);
  Result<void> adopt_parent(const Row& row, const std::string& parent);
  Result<void> plan_adoption(const Row& row, const Item& edge, Plan& plan);
  Result<void> children(const Row& row);
  Result<void> members(const Row& row);
  Result<void> collections(const Row& row);
  Result<void> unique(const Row& row);
  Result<void> unique_record_of(const Row& row, const UniqueName& name);
  Result<void> declared_unique(const Row& row);
  Result<void> account(const Row& row);
  Result<void> delete_mark(const Row& row);

  Result<void> edge_record_found(const Item& item);
  Result<void> membership_record_found(const Item& item);
  Result<void> unique_record_found(const Item& item);

  Result<bool> exists(const std::string& urn);
  /// Notes a finding; with a plan, also carries it out when mending. Every plan depends on what was read: when others
  /// have changed it, nothing is repaired, and the next examination finds out.
  Result<void> found(std::string kind, std::string subject, std::string message);
  Result<void> found(Finding finding, const Plan& plan, std::string repaired);

  Graph& graph_;
  bool repair_;
  std::uint64_t deleting_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace dolmen::relation
