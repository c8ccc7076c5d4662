#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "relation/delete_job.h"

/// Giving a family another account. The root gets it first, then its children, and so on. A resource that may have
/// children or memberships is marked from the transaction that gives it the account until all below it have theirs: a
/// parent and a child of different accounts are never without that mark.
namespace dolmen::relation {

struct NewAccount {
  std::string urn;
  std::string account;
  /// A new parent.
  std::optional<std::string> parent = std::nullopt;
};

/// What the resource would be. Fails with what forbids it, as far as the resource itself and its parent are concerned.
Result<Row> check_new_account(Graph& graph, const Row& row, const NewAccount& request);

/// Gives the account to the resource and all below it. Nothing has been checked before.
Result<ReassignResult> give_account(Graph& graph, const NewAccount& request, const OnProgress& on_progress);

/// The unique values of a resource when it belongs to another account.
std::map<std::string, std::string> unique_in_account(const Row& row, const std::string& account);

/// Carries a job to its end, from wherever it is. Several processes may do so at once: the state is in the marks.
class AccountMove {
 public:
  AccountMove(Graph& graph, DeleteJob job, const OnProgress& on_progress)
      : graph_(graph), job_(std::move(job)), on_progress_(on_progress) {}

  Result<DeleteProgress> run();

 private:
  /// Children of a marked resource.
  struct Level {
    std::string parent;
    /// The last child that was read; nothing before the first.
    std::optional<Item> after = std::nullopt;
    /// Marked children.
    std::deque<std::string> waiting = {};
    bool read_to_end = false;
  };

  Result<void> move_below_root();
  Result<void> read_children(Level& level);
  /// True when there is something below it to look at.
  Result<bool> move_child(const std::string& parent, const std::string& child);
  Result<bool> attempt_child(const std::string& parent, const std::string& child);
  /// Takes the mark away.
  Result<void> settle(const std::string& urn);
  Result<void> tag_memberships(const std::string& urn);
  Result<void> tag(const std::vector<Membership>& memberships);
  Result<void> attempt_finish();

  Graph& graph_;
  DeleteJob job_;
  const OnProgress& on_progress_;
};

}  // namespace dolmen::relation
