#include "relation/account_move.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "relation/lists.h"
#include "relation/references.h"
#include "relation/rules.h"

namespace dolmen::relation {
namespace {

constexpr std::uint32_t kChildrenAtOnce = 100;
/// Each takes three actions.
constexpr std::uint32_t kMembershipsAtOnce = 30;

/// Whether others must be changed after the resource: then it is marked until they are.
bool needs_mark(const Row& row) { return row.may_have_children() || row.may_have_members() || row.may_be_member(); }

/// Notes that the record becomes `changed`, which has another account, with its unique values.
Result<void> plan_account(const Graph& graph, Plan& plan, const Row& row, Row changed) {
  changed.unique = unique_in_account(row, *changed.account);
  changed.updated_at = later_time_text(Timestamp::from(graph.options.now()), row.updated_at);
  DOLMEN_TRY_VOID(check_size(changed));
  // A link that is added meanwhile would not be seen when there is no mark.
  DOLMEN_TRY_VOID(plan_attributes(plan.row(row.urn)
                                      .require_live()
                                      .require_updated_at(row.updated_at)
                                      .require_account(row.account)
                                      .require_settled()
                                      .require_count("_links", row.links)
                                      .on_refusal(gone_or_stale(row.urn)),
                                  row, changed));
  plan_unique_changes(plan, row, changed);
  plan.row(*changed.account)
      .require_live()
      .add("_accountLinks", 1)
      .on_refusal(deleting_or_stale(*changed.account, Code::kAccountMismatch, "account"));
  return {};
}

/// Gives the edge to the resource its account.
Result<void> plan_edge_account(Graph& graph, Plan& plan, const Row& row, const std::string& parent) {
  DOLMEN_TRY(const std::optional<Item> item, graph.find_record(edge_key(parent, row.urn)));
  if (!item) return {};
  DOLMEN_TRY(Edge edge, read_edge(*item));
  edge.account = row.account;
  plan.put(edge_record(edge));
  return {};
}

Result<std::vector<Row>> chain_of_wanted_parent(Graph& graph, const Row& changed, const std::string& parent) {
  DOLMEN_TRY(std::optional<Row> row, graph.find_row(parent));
  if (!row) return fail(Code::kParentNotFound, "the parent {} does not exist", parent);
  if (!row->live()) return is_deleting(parent);
  return graph.chain_of_new_parent(changed, *std::move(row));
}

/// The root's own transaction, with that of its job when there is one.
Result<DeleteJob> attempt_root(Graph& graph, const NewAccount& request) {
  DOLMEN_TRY(const Row row, graph.live_row(request.urn));
  if (row.account_move) return fail(Code::kTransactionConflict, "{} is being given another account", row.urn);
  DOLMEN_TRY_VOID(graph.check_stays(row));
  DOLMEN_TRY(Row changed, check_new_account(graph, row, request));
  DeleteJob job{.progress = {.kind = JobKind::kAccount, .root = row.urn, .reassigned = 1},
                .from = row.account,
                .to = request.account};
  Plan plan(graph.table);
  if (needs_mark(row)) {
    plan_job(graph, plan, job);
    changed.account_move = job.progress.job;
  }
  if (request.parent && request.parent != row.parent) {
    DOLMEN_TRY(const std::vector<Row> chain, chain_of_wanted_parent(graph, changed, *request.parent));
    DOLMEN_TRY_VOID(plan_new_parent(graph, plan, chain, row));
    if (row.parent) plan.erase(edge_key(*row.parent, row.urn));
    plan.put(edge_record({.parent = *request.parent,
                          .child = row.urn,
                          .created_at = time_text(Timestamp::from(graph.options.now())),
                          .account = changed.account}));
    changed.parent = request.parent;
  } else if (row.parent) {
    plan.row(row.urn).require_parent(row.parent);
    DOLMEN_TRY(const std::optional<Row> parent, graph.find_row(*row.parent));
    if (parent) plan.row(*row.parent).require_account(parent->account);
    DOLMEN_TRY_VOID(plan_edge_account(graph, plan, changed, *row.parent));
  }
  DOLMEN_TRY_VOID(plan_account(graph, plan, row, changed));
  DOLMEN_TRY_VOID(plan.carry_out(graph.store));
  return job;
}

}  // namespace

std::map<std::string, std::string> unique_in_account(const Row& row, const std::string& account) {
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : row.unique) {
    const std::string attribute = attribute_of_unique(key);
    values.emplace(key == attribute ? key : account_unique_key(attribute, account), value);
  }
  return values;
}

Result<Row> check_new_account(Graph& graph, const Row& row, const NewAccount& request) {
  DOLMEN_TRY(const ResourceType type, graph.types.get(row.type));
  if (type.account == AccountScope::kNone || type.account == AccountScope::kSelf) return takes_no_account(row.type);
  DOLMEN_TRY_VOID(graph.account_row(request.account));
  if (!row.account) {
    DOLMEN_TRY(const std::vector<std::string> children, children_of(graph, row, 1));
    if (!children.empty())
      return fail(Code::kAccountMismatch, "{} has no account and has children, which may have different ones", row.urn);
  }
  Row changed = row;
  changed.account = request.account;
  if (request.parent && request.parent != row.parent) {
    DOLMEN_TRY(const std::vector<Row> chain, chain_of_wanted_parent(graph, changed, *request.parent));
    Plan plan(graph.table);
    DOLMEN_TRY_VOID(plan_height(graph, plan, chain, row.height.value_or(0)));
  } else if (row.parent) {
    DOLMEN_TRY(const std::optional<Row> parent, graph.find_row(*row.parent));
    if (parent) DOLMEN_TRY_VOID(graph.check_family(*parent, changed));
  }
  return changed;
}

Result<ReassignResult> give_account(Graph& graph, const NewAccount& request, const OnProgress& on_progress) {
  DOLMEN_TRY(const Row row, graph.live_row(request.urn));
  if (needs_mark(row)) DOLMEN_TRY_VOID(ensure_queue(graph));
  DOLMEN_TRY(DeleteJob job, graph.repeat<DeleteJob>([&] { return attempt_root(graph, request); }));
  if (on_progress) on_progress(job.progress);
  if (job.progress.job.empty()) return ReassignResult{.resources = 1};
  DOLMEN_TRY(const DeleteProgress done, AccountMove(graph, std::move(job), on_progress).run());
  return ReassignResult{.resources = done.reassigned, .job = done.job};
}

Result<DeleteProgress> AccountMove::run() {
  DOLMEN_TRY_VOID(move_below_root());
  DOLMEN_TRY_VOID(graph_.repeat<void>([&] { return attempt_finish(); }));
  if (on_progress_) on_progress_(job_.progress);
  return job_.progress;
}

Result<void> AccountMove::move_below_root() {
  DOLMEN_TRY(const std::optional<Row> root, graph_.find_row(job_.progress.root));
  if (!root || root->account_move != job_.progress.job) return {};
  std::vector<Level> levels;
  levels.push_back({.parent = root->urn});
  while (true) {
    Level& level = levels.back();
    if (!level.waiting.empty()) {
      std::string next = std::move(level.waiting.front());
      level.waiting.pop_front();
      levels.push_back({.parent = std::move(next)});
    } else if (!level.read_to_end) {
      DOLMEN_TRY_VOID(read_children(level));
    } else {
      const std::string done = std::move(level.parent);
      levels.pop_back();
      if (levels.empty()) return {};
      DOLMEN_TRY_VOID(settle(done));
    }
  }
}

Result<void> AccountMove::read_children(Level& level) {
  const QueryOptions query{.key = key("PK") == parent_key_text(level.parent),
                           .limit = kChildrenAtOnce,
                           .page_size = kChildrenAtOnce,
                           .start_after = level.after,
                           .consistent_read = true};
  DOLMEN_TRY(const Page page, graph_.store.query_page(graph_.table, query));
  for (const Item& item : page.items) {
    DOLMEN_TRY(Edge edge, read_edge(item));
    DOLMEN_TRY(const bool is_marked, move_child(level.parent, edge.child));
    if (is_marked) level.waiting.push_back(std::move(edge.child));
  }
  level.after = page.last_key;
  level.read_to_end = !page.last_key;
  return {};
}

Result<bool> AccountMove::move_child(const std::string& parent, const std::string& child) {
  DOLMEN_TRY_VOID(graph_.check_interrupted());
  return graph_.repeat<bool>([&] { return attempt_child(parent, child); });
}

Result<bool> AccountMove::attempt_child(const std::string& parent, const std::string& child) {
  DOLMEN_TRY(const std::optional<Row> row, graph_.find_row(child));
  if (!row || !row->live() || !row->is_child_of(parent)) return false;
  if (row->account_move) return row->account_move == job_.progress.job;
  // One that was added since has the new account.
  if (row->account != job_.from) return false;
  // Somebody else who works on the same job was faster.
  DOLMEN_TRY(const std::optional<Row> above, graph_.find_row(parent));
  if (!above || above->account_move != job_.progress.job) return false;

  Row changed = *row;
  changed.account = job_.to;
  if (needs_mark(*row)) changed.account_move = job_.progress.job;
  Plan plan(graph_.table);
  plan.row(parent).require_account_move(job_.progress.job);
  plan.row(child).require_parent(row->parent);
  DOLMEN_TRY_VOID(plan_edge_account(graph_, plan, changed, parent));
  plan.row(job_.progress.job).add("reassigned", 1);
  DOLMEN_TRY_VOID(plan_account(graph_, plan, *row, changed));
  const Result<void> moved = plan.carry_out(graph_.store);
  if (!moved && moved.error().code() == Code::kResourceNotFound) return false;
  if (!moved) return std::unexpected(moved.error());
  ++job_.progress.reassigned;
  if (on_progress_) on_progress_(job_.progress);
  return changed.account_move.has_value();
}

Result<void> AccountMove::settle(const std::string& urn) {
  DOLMEN_TRY_VOID(tag_memberships(urn));
  return graph_.repeat<void>([&]() -> Result<void> {
    DOLMEN_TRY(const std::optional<Row> row, graph_.find_row(urn));
    if (!row || row->account_move != job_.progress.job) return {};
    Plan plan(graph_.table);
    plan.row(urn).require_account_move(job_.progress.job).remove("_accountMove");
    return plan.carry_out(graph_.store);
  });
}

Result<void> AccountMove::tag_memberships(const std::string& urn) {
  for (const PartitionList& list : {members_list(urn), collections_list(urn)}) {
    ListOptions options{.limit = kMembershipsAtOnce};
    do {
      DOLMEN_TRY(const ItemsPage page, read_list(graph_, list, options));
      std::vector<Membership> memberships;
      for (const Item& item : page.items) {
        DOLMEN_TRY(Membership membership, read_membership(item));
        memberships.push_back(std::move(membership));
      }
      DOLMEN_TRY_VOID(tag(memberships));
      options.token = page.token;
    } while (!options.token.empty());
  }
  return {};
}

Result<void> AccountMove::tag(const std::vector<Membership>& memberships) {
  const auto attempt = [&]() -> Result<void> {
    Plan plan(graph_.table);
    for (const Membership& membership : memberships) {
      DOLMEN_TRY(const std::optional<Item> item,
                 graph_.find_record(membership_key(membership.collection, membership.member)));
      DOLMEN_TRY(const auto ends, graph_.find_rows({membership.collection, membership.member}));
      if (!item || !ends[0] || !ends[1]) continue;
      const std::optional<std::string> of_collection = graph_.scope_of(*ends[0]);
      const std::optional<std::string> account = of_collection ? of_collection : graph_.scope_of(*ends[1]);
      if (!account || account == membership.account) continue;
      for (const auto& end : ends) plan.row(end->urn).require_account(end->account);
      plan.update(membership_key(membership.collection, membership.member), Update{}.set(attr("_accountUrn"), *account),
                  record_exists());
    }
    return plan.empty() ? Result<void>{} : plan.carry_out(graph_.store);
  };
  return graph_.repeat<void>(attempt);
}

Result<void> AccountMove::attempt_finish() {
  DOLMEN_TRY_VOID(tag_memberships(job_.progress.root));
  DOLMEN_TRY(const std::optional<Row> root, graph_.find_row(job_.progress.root));
  Plan plan(graph_.table);
  if (root && root->account_move == job_.progress.job)
    plan.row(root->urn).require_account_move(job_.progress.job).remove("_accountMove");
  plan_end(plan, job_);
  const Result<void> ended = plan.carry_out(graph_.store);
  if (ended) return ended;
  // Somebody else has ended the same job.
  DOLMEN_TRY(const std::optional<DeleteJob> job, find_job(graph_, job_.progress.job));
  return job ? ended : Result<void>{};
}

}  // namespace dolmen::relation
