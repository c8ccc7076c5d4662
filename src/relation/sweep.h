#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "relation/delete_job.h"
#include "relation/doomed.h"

namespace dolmen::relation {

/// Carries a job to its end. Every step may be repeated, also by several processes at once: the state is in the marks
/// of the records, and a resource goes in the same transaction as its edge, after all that was below it. Memory does
/// not grow with what is deleted, only with the depth.
class Sweep {
 public:
  Sweep(Graph& graph, DeleteJob job, const OnProgress& on_progress)
      : graph_(graph),
        job_(std::move(job)),
        on_progress_(on_progress),
        cost_max_(graph.options.delete_actions_max - 1),
        page_size_(static_cast<std::uint32_t>(cost_max_)),
        memberships_at_once_(static_cast<std::uint32_t>(cost_max_ / 2)) {}

  /// What the whole job deleted.
  Result<DeleteProgress> run();

 private:
  /// Children of a marked resource. Nothing can be added to them.
  struct Level {
    std::string parent;
    /// The last child that was read; nothing before the first.
    std::optional<Item> after = std::nullopt;
    /// Marked children that may have children themselves.
    std::deque<Row> waiting = {};
    bool read_to_end = false;
  };

  Result<void> remove_below(const std::string& root);
  Result<void> read_children(std::vector<Level>& levels);
  Result<void> mark(const std::string& parent, const std::vector<std::string>& urns);
  Result<void> drop_edge(const std::string& parent, const std::string& child);
  /// Removes what belongs to a marked account, and then the account with the next batch.
  Result<void> finish(Row row);
  Result<void> remove_account_members(const std::string& account);
  Result<std::uint64_t> remove_account_page(const std::string& account, const std::vector<std::string>& urns);
  Result<void> mark_and_detach(const std::string& account, const std::string& urn);
  Result<void> add(Row row);
  Result<void> flush();
  Result<void> remove_alone(const std::string& urn);
  Result<void> remove_memberships(const std::string& urn);
  Result<void> leave(const std::vector<Membership>& memberships);
  Result<void> attempt_finish();
  void note(const DeleteCount& count);

  Graph& graph_;
  DeleteJob job_;
  const OnProgress& on_progress_;
  /// Actions of a transaction, of which one counts for the job.
  std::size_t cost_max_;
  /// Resources that are marked together, in a transaction that looks at their parent, too.
  std::uint32_t page_size_;
  /// Each takes two actions.
  std::uint32_t memberships_at_once_;
  /// Accounts whose resources are being removed. Without declarations accounts may belong to each other.
  std::set<std::string> open_accounts_;
  /// Resources without children that are removed together.
  std::vector<Doomed> batch_;
  std::size_t batch_cost_ = 0;
  std::size_t batch_bytes_ = 0;
};

}  // namespace dolmen::relation
