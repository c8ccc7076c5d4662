// Deleting resources.
#include <deque>
#include <set>

#include "base/fail.h"
#include "base/limits.h"
#include "dolmen/relation/relations.h"
#include "relation/doomed.h"
#include "relation/lists.h"
#include "relation/sweep.h"

namespace dolmen {
namespace {

using relation::DeleteJob;
using relation::Doomed;
using relation::Graph;
using relation::JobKind;
using relation::Plan;
using relation::Row;

/// Up to so many; 0: all.
Result<std::vector<std::string>> children_of(Graph& graph, const Row& row, std::uint32_t most = 0) {
  std::vector<std::string> urns;
  if (!row.may_have_children()) return urns;
  const QueryOptions query{.key = key("PK") == relation::parent_key_text(row.urn),
                           .limit = most,
                           .page_size = most,
                           .consistent_read = true};
  DOLMEN_TRY(const std::vector<Item> edges, graph.store.query(graph.table, query).all());
  for (const Item& item : edges) {
    DOLMEN_TRY(relation::Edge edge, relation::read_edge(item));
    urns.push_back(std::move(edge.child));
  }
  return urns;
}

/// A delete in one transaction. It depends on everything that it read: a link that is added meanwhile to any of the
/// resources changes its counter, and another unique value its time.
class SmallDelete {
 public:
  SmallDelete(Graph& graph, const RemoveOptions& options) : graph_(graph), options_(options) {}

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
      const auto most = static_cast<std::uint32_t>(graph_.options.delete_actions_max + 1);
      DOLMEN_TRY(const std::vector<std::string> children, children_of(graph_, next, most));
      if (!children.empty() && options_.mode == DeleteMode::kRestrict)
        return fail(Code::kResourceInUse, "{} has children", root);
      if (children.size() + waiting.size() > graph_.options.delete_actions_max) return std::nullopt;
      DOLMEN_TRY(Doomed doomed, relation::inspect(graph_, std::move(next)));
      relation::plan_removal(plan, doomed, count)
          .require_live()
          .require_parent(doomed.row.parent)
          .require_updated_at(doomed.row.updated_at)
          .require_count("_links", doomed.row.links);
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
  const RemoveOptions& options_;
};

/// Counts what a delete would take, without a change.
class Count {
 public:
  explicit Count(Graph& graph) : graph_(graph) {}

  Result<void> add_tree(const std::string& root) {
    std::deque<std::string> waiting{root};
    while (!waiting.empty()) {
      const std::string urn = std::move(waiting.front());
      waiting.pop_front();
      DOLMEN_TRY(std::optional<Row> row, graph_.find_row(urn));
      if (!row || !resources_.insert(urn).second) continue;
      DOLMEN_TRY(std::vector<std::string> children, children_of(graph_, *row));
      waiting.insert(waiting.end(), children.begin(), children.end());
      DOLMEN_TRY(const std::set<std::string> parents, relation::find_unrecorded(graph_, *row));
      count_.edges += parents.size();
      count_.unique_values += row->unique.size();
      if (row->may_have_members()) DOLMEN_TRY_VOID(add_memberships(relation::collection_key_text(urn), ""));
      if (row->may_be_member())
        DOLMEN_TRY_VOID(add_memberships(relation::member_key_text(urn), relation::kInvertedIndex));
    }
    return {};
  }

  Result<void> add_account(const std::string& account) {
    ListOptions options;
    do {
      DOLMEN_TRY(const relation::ItemsPage page, relation::read_list(graph_, relation::account_list(account), options));
      for (const Item& item : page.items) DOLMEN_TRY_VOID(add_tree(text_of(item, "urn")));
      options.token = page.token;
    } while (!options.token.empty());
    return {};
  }

  [[nodiscard]] DeleteCount count() const {
    DeleteCount all = count_;
    all.resources = resources_.size();
    all.memberships = memberships_.size();
    return all;
  }

 private:
  Result<void> add_memberships(const std::string& partition, const char* index) {
    DOLMEN_TRY(const std::vector<Item> items, graph_.all_in(partition, index));
    for (const Item& item : items) memberships_.insert({text_of(item, "PK"), text_of(item, "SK")});
    return {};
  }

  Graph& graph_;
  DeleteCount count_;
  std::set<std::string> resources_;
  std::set<std::pair<std::string, std::string>> memberships_;
};

Result<RemoveResult> run_job(Graph& graph, DeleteJob job, const OnProgress& on_progress) {
  if (on_progress) on_progress(job.progress);
  DOLMEN_TRY(const DeleteProgress done, relation::Sweep(graph, std::move(job), on_progress).run());
  return RemoveResult{.count = done.deleted, .job = done.job};
}

}  // namespace

Result<RemoveResult> Relations::remove(const std::string& urn, const RemoveOptions& options) {
  DOLMEN_TRY_VOID(relation::check_urn_of_user(urn));
  if (options.dry_run) {
    DOLMEN_TRY(const Row row, graph_->live_row(urn));
    DOLMEN_TRY(const std::vector<std::string> children, children_of(*graph_, row, 1));
    if (options.mode == DeleteMode::kRestrict && !children.empty())
      return fail(Code::kResourceInUse, "{} has children", urn);
    Count count(*graph_);
    DOLMEN_TRY_VOID(count.add_tree(urn));
    return RemoveResult{.count = count.count(), .job = {}};
  }
  SmallDelete small(*graph_, options);
  auto deleted = graph_->repeat<std::optional<DeleteCount>>([&] { return small.attempt(urn); });
  if (!deleted) return std::unexpected(deleted.error());
  if (*deleted) return RemoveResult{.count = **deleted, .job = {}};
  DOLMEN_TRY(DeleteJob job,
             relation::begin_job(*graph_, {.root = urn, .childless = options.mode == DeleteMode::kRestrict}));
  return run_job(*graph_, std::move(job), options.on_progress);
}

Result<RemoveResult> Relations::purge_account(const std::string& account, const RemoveOptions& options) {
  DOLMEN_TRY_VOID(relation::check_urn_of_user(account));
  DOLMEN_TRY(const Row row, graph_->live_row(account));
  const ResourceType* type = graph_->types.find(row.type);
  if (!graph_->types.takes_undeclared() && (type == nullptr || type->account != AccountScope::kSelf))
    return fail(Code::kInvalidResource, "{} is not an account", account);
  if (options.dry_run) {
    Count count(*graph_);
    DOLMEN_TRY_VOID(count.add_tree(account));
    DOLMEN_TRY_VOID(count.add_account(account));
    return RemoveResult{.count = count.count(), .job = {}};
  }
  if (options.mode == DeleteMode::kRestrict)
    return fail(Code::kInvalidArgument, "a purge deletes everything and cannot be restricted");
  DOLMEN_TRY(DeleteJob job, relation::begin_job(*graph_, {.root = account, .kind = JobKind::kPurge}));
  return run_job(*graph_, std::move(job), options.on_progress);
}

Result<std::vector<DeleteProgress>> Relations::pending_deletes() {
  DOLMEN_TRY(const std::vector<DeleteJob> jobs, relation::find_jobs(*graph_));
  std::vector<DeleteProgress> pending;
  for (const DeleteJob& job : jobs) pending.push_back(job.progress);
  return pending;
}

Result<std::vector<DeleteProgress>> Relations::resume_deletes(const OnProgress& on_progress) {
  DOLMEN_TRY(std::vector<DeleteJob> jobs, relation::find_jobs(*graph_));
  std::vector<DeleteProgress> done;
  std::optional<Error> problem;
  for (DeleteJob& job : jobs) {
    Result<DeleteProgress> progress = relation::Sweep(*graph_, std::move(job), on_progress).run();
    if (progress)
      done.push_back(*std::move(progress));
    else if (!problem)
      problem = progress.error();
  }
  if (problem) return std::unexpected(*std::move(problem));
  return done;
}

}  // namespace dolmen
