#include "relation/sweep.h"

#include <algorithm>

#include "base/fail.h"
#include "base/limits.h"
#include "relation/lists.h"

namespace dolmen::relation {
namespace {

/// Stored records count too, and those of members are not known; far below the limit.
constexpr std::size_t kBatchBytesMax = limits::kTransactionBytes / 2;

}  // namespace

Result<DeleteProgress> Sweep::run() {
  DOLMEN_TRY_VOID(remove_below(job_.progress.root));
  if (job_.progress.kind == JobKind::kPurge) DOLMEN_TRY_VOID(remove_account_members(job_.progress.root));
  DOLMEN_TRY_VOID(graph_.repeat<void>([&] { return attempt_finish(); }));
  if (on_progress_) on_progress_(job_.progress);
  return job_.progress;
}

Result<void> Sweep::remove_below(const std::string& root) {
  std::vector<Level> levels;
  std::vector<Row> open;
  levels.push_back({.parent = root});
  while (!levels.empty()) {
    Level& level = levels.back();
    if (!level.waiting.empty()) {
      open.push_back(std::move(level.waiting.front()));
      level.waiting.pop_front();
      levels.push_back({.parent = open.back().urn});
    } else if (!level.read_to_end) {
      DOLMEN_TRY_VOID(read_children(levels));
    } else {
      levels.pop_back();
      if (levels.empty()) break;
      Row done = std::move(open.back());
      open.pop_back();
      DOLMEN_TRY_VOID(finish(std::move(done)));
    }
  }
  return flush();
}

Result<void> Sweep::read_children(std::vector<Level>& levels) {
  DOLMEN_TRY_VOID(graph_.check_interrupted());
  Level& level = levels.back();
  const QueryOptions query{.key = key("PK") == parent_key_text(level.parent),
                           .limit = page_size_,
                           .page_size = page_size_,
                           .start_after = level.after,
                           .consistent_read = true};
  DOLMEN_TRY(const Page page, graph_.store.query_page(graph_.table, query));
  std::vector<std::string> urns;
  for (const Item& item : page.items) {
    DOLMEN_TRY(const Edge edge, read_edge(item));
    urns.push_back(edge.child);
  }
  DOLMEN_TRY_VOID(mark(level.parent, urns));
  DOLMEN_TRY(std::vector<std::optional<Row>> rows, graph_.find_rows(urns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::optional<Row>& row = rows[i];
    // Edges of other programs may lead in a circle.
    const bool is_above = row && !row->height && std::ranges::find(levels, urns[i], &Level::parent) != levels.end();
    // Somebody else who works on the same job was faster, or it was moved away; or the table is damaged.
    if (!row || !row->is_child_of(level.parent) || is_above) {
      DOLMEN_TRY_VOID(drop_edge(level.parent, urns[i]));
      continue;
    }
    if (row->delete_job != job_.progress.job) continue;
    if (row->may_have_children())
      level.waiting.push_back(*std::move(row));
    else
      DOLMEN_TRY_VOID(finish(*std::move(row)));
  }
  level.after = page.last_key;
  level.read_to_end = !page.last_key;
  return {};
}

/// Only while the parent is marked and they are its children: one that was moved away before stays, and so does what
/// was made anew under the same names while this process was asleep and another one ended the job.
Result<void> Sweep::mark(const std::string& parent, const std::vector<std::string>& urns) {
  if (urns.empty()) return {};
  Plan plan(graph_.table);
  plan.row(parent).require_job(job_.progress.job);
  for (const std::string& urn : urns)
    plan.row(urn).require_markable(job_.progress.job).require_child_of(parent).set("_deleteJob", job_.progress.job);
  const Result<void> marked = plan.carry_out(graph_.store);
  if (marked) return {};
  if (marked.error().code() != Code::kTransactionConflict && !is_too_large(marked.error())) return marked;
  if (urns.size() > 1) {
    for (const std::string& urn : urns) DOLMEN_TRY_VOID(mark(parent, {urn}));
    return {};
  }
  // One that is gone or has moved, or that another job has, needs no mark.
  return graph_.repeat<void>([&]() -> Result<void> {
    DOLMEN_TRY(const std::optional<Row> row, graph_.find_row(urns.front()));
    if (!row || row->delete_job || !row->is_child_of(parent)) return {};
    DOLMEN_TRY(const std::optional<Row> above, graph_.find_row(parent));
    if (!above || above->delete_job != job_.progress.job) return {};
    return plan.carry_out(graph_.store);
  });
}

/// An edge to what is not there, or has another parent: nothing can be added to a marked parent, so nobody needs it.
Result<void> Sweep::drop_edge(const std::string& parent, const std::string& child) {
  return graph_.repeat<void>([&]() -> Result<void> {
    DOLMEN_TRY(const std::optional<Item> edge, graph_.find_record(edge_key(parent, child)));
    if (!edge) return {};
    DOLMEN_TRY(const std::optional<Row> above, graph_.find_row(parent));
    if (!above || above->delete_job != job_.progress.job) return {};
    Plan plan(graph_.table);
    const DeleteCount count{.edges = 1};
    plan.row(parent).require_job(job_.progress.job);
    plan.erase(edge_key(parent, child), record_exists());
    plan_progress(plan, job_, count);
    DOLMEN_TRY_VOID(plan.carry_out(graph_.store));
    note(count);
    return {};
  });
}

Result<void> Sweep::finish(Row row) {
  DOLMEN_TRY(const bool is_account, graph_.is_account(row));
  if (is_account) {
    // What waits to be removed may belong to it, and would be found again.
    DOLMEN_TRY_VOID(flush());
    DOLMEN_TRY_VOID(remove_account_members(row.urn));
  }
  return add(std::move(row));
}

Result<void> Sweep::remove_account_members(const std::string& account) {
  if (!open_accounts_.insert(account).second) return {};
  // A second pass finds what an index that lags behind did not have the first time.
  for (std::uint64_t removed = 1; removed > 0;) {
    removed = 0;
    ListOptions options{.limit = page_size_};
    do {
      DOLMEN_TRY(const ItemsPage page, read_list(graph_, account_list(account), options));
      std::vector<std::string> urns;
      for (const Item& item : page.items) urns.push_back(text_of(item, "urn"));
      DOLMEN_TRY(const std::uint64_t here, remove_account_page(account, urns));
      removed += here;
      options.token = page.token;
    } while (!options.token.empty());
  }
  open_accounts_.erase(account);
  return {};
}

Result<std::uint64_t> Sweep::remove_account_page(const std::string& account, const std::vector<std::string>& urns) {
  DOLMEN_TRY(const std::vector<std::optional<Row>> found, graph_.find_rows(urns));
  std::uint64_t removed = 0;
  for (const std::optional<Row>& row : found) {
    if (!row || (row->delete_job && row->delete_job != job_.progress.job)) continue;
    DOLMEN_TRY_VOID(mark_and_detach(account, row->urn));
  }
  DOLMEN_TRY(std::vector<std::optional<Row>> marked, graph_.find_rows(urns));
  for (std::optional<Row>& row : marked) {
    if (!row || row->delete_job != job_.progress.job) continue;
    // The root goes last, and an account that is open goes when that is done.
    if (row->urn == job_.progress.root || open_accounts_.contains(row->urn)) continue;
    if (row->may_have_children()) DOLMEN_TRY_VOID(remove_below(row->urn));
    DOLMEN_TRY_VOID(finish(*std::move(row)));
    ++removed;
  }
  DOLMEN_TRY_VOID(flush());
  return removed;
}

Result<void> Sweep::mark_and_detach(const std::string& account, const std::string& urn) {
  return graph_.repeat<void>([&]() -> Result<void> {
    DOLMEN_TRY(const std::optional<Row> row, graph_.find_row(urn));
    if (!row || row->account != account) return {};
    if (row->delete_job && (row->delete_job != job_.progress.job || !row->parent)) return {};
    Plan plan(graph_.table);
    DeleteCount count;
    plan.row(urn)
        .require_markable(job_.progress.job)
        .require_parent(row->parent)
        .require_updated_at(row->updated_at)
        .require_account(row->account)
        .set("_deleteJob", job_.progress.job)
        .remove("_parentUrn");
    if (row->parent) {
      plan.erase(edge_key(*row->parent, urn));
      ++count.edges;
    }
    // Also when there is nothing to count: the job must still be there.
    plan_progress(plan, job_, count);
    const Result<void> marked = plan.carry_out(graph_.store);
    if (!marked) {
      // Somebody else has ended the same job.
      DOLMEN_TRY(const std::optional<DeleteJob> job, find_job(graph_, job_.progress.job));
      return job ? marked : Result<void>{};
    }
    note(count);
    return {};
  });
}

Result<void> Sweep::add(Row row) {
  const std::string urn = row.urn;
  Result<Doomed> doomed = inspect(graph_, std::move(row));
  if (!doomed && doomed.error().code() == Code::kTransactionConflict) {
    DOLMEN_TRY_VOID(flush());
    return remove_alone(urn);
  }
  if (!doomed) return std::unexpected(doomed.error());
  if (doomed->has_more || doomed->cost() > cost_max_) {
    DOLMEN_TRY_VOID(flush());
    return remove_alone(urn);
  }
  if (batch_cost_ + doomed->cost() > cost_max_ || batch_bytes_ + doomed->row.bytes > kBatchBytesMax)
    DOLMEN_TRY_VOID(flush());
  batch_cost_ += doomed->cost();
  batch_bytes_ += doomed->row.bytes;
  batch_.push_back(*std::move(doomed));
  return {};
}

Result<void> Sweep::flush() {
  if (batch_.empty()) return {};
  DOLMEN_TRY_VOID(graph_.check_interrupted());
  Plan plan(graph_.table);
  DeleteCount count;
  for (const Doomed& doomed : batch_) plan_removal(plan, doomed, count).require_job(job_.progress.job);
  plan_progress(plan, job_, count);
  const Result<void> removed = plan.carry_out(graph_.store);
  std::vector<Doomed> batch = std::move(batch_);
  batch_.clear();
  batch_cost_ = batch_bytes_ = 0;
  if (removed) {
    note(count);
    return {};
  }
  if (removed.error().code() != Code::kTransactionConflict && !is_too_large(removed.error())) return removed;
  for (const Doomed& doomed : batch) DOLMEN_TRY_VOID(remove_alone(doomed.row.urn));
  return {};
}

Result<void> Sweep::remove_alone(const std::string& urn) {
  return graph_.repeat<void>([&]() -> Result<void> {
    DOLMEN_TRY(std::optional<Row> row, graph_.find_row(urn));
    if (!row || row->delete_job != job_.progress.job) return {};
    DOLMEN_TRY(const Doomed doomed, inspect(graph_, *std::move(row)));
    if (doomed.has_more || (doomed.has_memberships() && doomed.cost() > cost_max_)) {
      DOLMEN_TRY_VOID(remove_memberships(urn));
      return fail(Code::kTransactionConflict, "{} had many memberships", urn);
    }
    Plan plan(graph_.table);
    DeleteCount count;
    plan_removal(plan, doomed, count).require_job(job_.progress.job);
    plan_progress(plan, job_, count);
    const Result<void> removed = plan.carry_out(graph_.store);
    if (!removed && is_too_large(removed.error()) && doomed.has_memberships()) {
      DOLMEN_TRY_VOID(remove_memberships(urn));
      return fail(Code::kTransactionConflict, "{} had large members", urn);
    }
    if (!removed) return removed;
    note(count);
    return {};
  });
}

Result<void> Sweep::remove_memberships(const std::string& urn) {
  for (const PartitionList& list : {members_list(urn), collections_list(urn)}) {
    ListOptions options{.limit = memberships_at_once_};
    do {
      DOLMEN_TRY(const ItemsPage page, read_list(graph_, list, options));
      std::vector<Membership> memberships;
      for (const Item& item : page.items) {
        DOLMEN_TRY(Membership membership, read_membership(item));
        memberships.push_back(std::move(membership));
      }
      if (!memberships.empty()) DOLMEN_TRY_VOID(leave(memberships));
      options.token = page.token;
    } while (!options.token.empty());
  }
  return {};
}

Result<void> Sweep::leave(const std::vector<Membership>& memberships) {
  Plan plan(graph_.table);
  DeleteCount count;
  plan_leave(plan, memberships, count);
  plan_progress(plan, job_, count);
  const Result<void> left = plan.carry_out(graph_.store);
  if (left) {
    note(count);
    return {};
  }
  if (left.error().code() != Code::kTransactionConflict && !is_too_large(left.error())) return left;
  // One by one; those that are gone, or that others change just now, are looked at again later.
  if (memberships.size() == 1) return left.error().code() == Code::kTransactionConflict ? Result<void>{} : left;
  for (const Membership& membership : memberships) DOLMEN_TRY_VOID(leave({membership}));
  return {};
}

Result<void> Sweep::attempt_finish() {
  DOLMEN_TRY(std::optional<Row> root, graph_.find_row(job_.progress.root));
  Plan plan(graph_.table);
  DeleteCount count;
  bool has_memberships = false;
  if (root && root->delete_job == job_.progress.job) {
    DOLMEN_TRY(const Doomed doomed, inspect(graph_, *std::move(root)));
    has_memberships = doomed.has_memberships();
    if (doomed.has_more || (doomed.has_memberships() && doomed.cost() > cost_max_ - 1)) {
      DOLMEN_TRY_VOID(remove_memberships(doomed.row.urn));
      return fail(Code::kTransactionConflict, "{} had many memberships", doomed.row.urn);
    }
    plan_removal(plan, doomed, count).require_job(job_.progress.job);
  }
  plan_end(plan, job_);
  const Result<void> ended = plan.carry_out(graph_.store);
  if (!ended && is_too_large(ended.error()) && has_memberships) {
    DOLMEN_TRY_VOID(remove_memberships(job_.progress.root));
    return fail(Code::kTransactionConflict, "{} had large members", job_.progress.root);
  }
  if (!ended) {
    // Somebody else has ended the same job.
    DOLMEN_TRY(const std::optional<DeleteJob> job, find_job(graph_, job_.progress.job));
    if (!job) return {};
    return ended;
  }
  relation::add(job_.progress.deleted, count);
  return {};
}

void Sweep::note(const DeleteCount& count) {
  relation::add(job_.progress.deleted, count);
  if (on_progress_) on_progress_(job_.progress);
}

}  // namespace dolmen::relation
