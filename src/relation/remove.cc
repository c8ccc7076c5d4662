// Deleting resources.
#include <deque>
#include <set>

#include "base/fail.h"
#include "base/limits.h"
#include "dolmen/relation/relations.h"
#include "relation/delete_counter.h"
#include "relation/doomed.h"
#include "relation/reassign.h"
#include "relation/references.h"
#include "relation/sweep.h"

namespace dolmen {
namespace {

using relation::DeleteJob;
using relation::Doomed;
using relation::Graph;
using relation::Plan;
using relation::Row;

/// A delete in one transaction. It depends on everything that it read: a link that is added meanwhile to any of the
/// resources changes its counter, and another unique value its time.
class SmallDelete {
 public:
  SmallDelete(Graph& graph, DeleteMode mode) : graph_(graph), mode_(mode) {}

  /// Nothing when it does not fit.
  Result<std::optional<DeleteCount>> attempt(const std::string& root) {
    DOLMEN_TRY(Row row, graph_.live_row(root));
    Plan plan(graph_.table);
    DeleteCount count;
    std::set<std::string> seen{row.urn};
    std::deque<Row> waiting;
    waiting.push_back(std::move(row));
    while (!waiting.empty()) {
      Row next = std::move(waiting.front());
      waiting.pop_front();
      if (mode_ == DeleteMode::kRestrict) DOLMEN_TRY_VOID(relation::check_unused(graph_, next));
      const auto most = static_cast<std::uint32_t>(graph_.options.delete_actions_max + 1);
      DOLMEN_TRY(const std::vector<std::string> children, relation::children_of(graph_, next, most));
      // What belongs to an account is known for sure only when nothing can be added to it any more.
      DOLMEN_TRY(const bool is_account, graph_.is_account(next));
      if (is_account && mode_ == DeleteMode::kCascade) return std::nullopt;
      if (children.size() + waiting.size() > graph_.options.delete_actions_max) return std::nullopt;
      DOLMEN_TRY(Doomed doomed, relation::inspect(graph_, std::move(next)));
      relation::plan_removal(plan, doomed, count)
          .require_live()
          .require_parent(doomed.row.parent)
          .require_updated_at(doomed.row.updated_at)
          .require_count("_links", doomed.row.links)
          .require_count("_accountLinks", doomed.row.account_links);
      if (doomed.has_more || plan.size() > graph_.options.delete_actions_max ||
          plan.bytes() > limits::kTransactionBytes)
        return std::nullopt;
      DOLMEN_TRY(std::vector<std::optional<Row>> rows, graph_.find_rows(children));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i] || !rows[i]->is_child_of(doomed.row.urn)) return not_its_child(doomed.row.urn, children[i]);
        // Edges of other programs may lead in a circle.
        if (!seen.insert(children[i]).second) return std::nullopt;
        waiting.push_back(*std::move(rows[i]));
      }
    }
    const Result<void> done = plan.carry_out(graph_.store);
    if (!done && relation::is_too_large(done.error())) return std::nullopt;
    if (!done) return std::unexpected(done.error());
    return count;
  }

 private:
  /// It was moved or deleted since; or there is an edge to it that should not be, which a job knows how to deal with.
  Result<std::optional<DeleteCount>> not_its_child(const std::string& parent, const std::string& child) {
    DOLMEN_TRY(const std::optional<Item> edge, graph_.find_record(relation::edge_key(parent, child)));
    if (edge) return std::nullopt;
    return fail(Code::kTransactionConflict, "the children of {} changed", parent);
  }

  Graph& graph_;
  DeleteMode mode_;
};

/// A cascade, or a delete of what nothing refers to.
Result<RemoveResult> carry_out(Graph& graph, const std::string& urn, DeleteMode mode, const OnProgress& on_progress) {
  SmallDelete small(graph, mode);
  auto deleted = graph.repeat<std::optional<DeleteCount>>([&] { return small.attempt(urn); });
  if (!deleted) return std::unexpected(deleted.error());
  if (*deleted) return RemoveResult{.count = **deleted};
  DOLMEN_TRY(const Row row, graph.live_row(urn));
  DOLMEN_TRY(const bool is_account, graph.is_account(row));
  DOLMEN_TRY(DeleteJob job, relation::begin_job(graph, {.root = urn,
                                                        .kind = is_account ? JobKind::kPurge : JobKind::kCascade,
                                                        .unused = mode == DeleteMode::kRestrict}));
  if (on_progress) on_progress(job.progress);
  DOLMEN_TRY(const DeleteProgress done, relation::Sweep(graph, std::move(job), on_progress).run());
  return RemoveResult{.count = done.deleted, .job = done.job};
}

/// What a delete would do, without a change.
Result<RemoveResult> plan_of(Graph& graph, const Row& row, const RemoveOptions& options) {
  RemoveResult plan;
  if (options.mode == DeleteMode::kRestrict) DOLMEN_TRY_VOID(relation::check_unused(graph, row));
  DOLMEN_TRY(plan.references, relation::count_references(graph, row));
  relation::DeleteCounter counter(graph);
  if (options.mode == DeleteMode::kCascade)
    DOLMEN_TRY_VOID(counter.add_tree(row.urn));
  else
    DOLMEN_TRY_VOID(counter.add_alone(row));
  plan.count = counter.count();
  return plan;
}

Result<void> check_options(const std::string& urn, const RemoveOptions& options) {
  DOLMEN_TRY_VOID(relation::check_urn_of_user(urn));
  if ((options.mode == DeleteMode::kReassign) != options.reassign_to.has_value())
    return fail(Code::kInvalidArgument, "reassign_to names who gets what refers to {}, and goes with that mode alone",
                urn);
  if (options.reassign_to) return relation::check_urn_of_user(*options.reassign_to);
  return {};
}

}  // namespace

Result<RemoveResult> Relations::remove(const std::string& urn, const RemoveOptions& options) {
  DOLMEN_TRY_VOID(check_options(urn, options));
  const bool reassigns = options.mode == DeleteMode::kReassign;
  if (options.dry_run || options.confirm) {
    if (reassigns) DOLMEN_TRY_VOID(relation::check_reassign(*graph_, urn, *options.reassign_to));
    DOLMEN_TRY(const Row row, graph_->live_row(urn));
    DOLMEN_TRY(RemoveResult plan, plan_of(*graph_, row, options));
    if (options.dry_run) return plan;
    if (!options.confirm(plan)) return fail(Code::kCanceled, "{} was not deleted: not confirmed", urn);
  }
  if (!reassigns) return carry_out(*graph_, urn, options.mode, options.on_progress);

  relation::Reassigning reassigning{
      .urn = urn, .to = *options.reassign_to, .on_progress = options.on_progress, .moved = {}};
  for (unsigned n = 1;; ++n) {
    DOLMEN_TRY_VOID(relation::reassign_references(*graph_, reassigning));
    Result<RemoveResult> done = carry_out(*graph_, urn, DeleteMode::kRestrict, options.on_progress);
    if (done) done->references = reassigning.moved;
    // Somebody has added something since.
    if (done || done.error().code() != Code::kResourceInUse || n >= graph_->options.attempts_max) return done;
    graph_->pause(n);
  }
}

Result<RemoveResult> Relations::purge_account(const std::string& account, const RemoveOptions& options) {
  DOLMEN_TRY_VOID(relation::check_urn_of_user(account));
  DOLMEN_TRY(const Row row, graph_->live_row(account));
  const ResourceType* type = graph_->types.find(row.type);
  if (!graph_->types.takes_undeclared() && (type == nullptr || type->account != AccountScope::kSelf))
    return fail(Code::kInvalidResource, "{} is not an account", account);
  if (options.mode != DeleteMode::kCascade)
    return fail(Code::kInvalidArgument, "a purge deletes everything; use remove for other modes");
  return remove(account, options);
}

}  // namespace dolmen
