// What can be wrong with a resource and its family. The other half is in examination_links.cc.
#include "relation/examination.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/fail.h"
#include "relation/delete_job.h"
#include "relation/reserved.h"

namespace dolmen::relation {
namespace {

/// What says that a resource cannot have that parent, and not that the store could not answer.
bool is_refusal(Code code) {
  return code == Code::kCycle || code == Code::kInvalidResource || code == Code::kAccountMismatch ||
         code == Code::kLimitExceeded || code == Code::kResourceDeleting || code == Code::kCorruption ||
         code == Code::kTransactionConflict;
}

}  // namespace

void plan_drop(Plan& plan, const Item& item) {
  const AttributeValue* time = item.find("_createdAt");
  plan.erase(Item{{"PK", text_of(item, "PK")}, {"SK", text_of(item, "SK")}},
             time == nullptr ? attr("_createdAt").not_exists() : attr("_createdAt") == *time);
}

Result<void> Examination::found(std::string kind, std::string subject, std::string message) {
  findings_.push_back({std::move(kind), std::move(subject), std::move(message), {}});
  return {};
}

Result<void> Examination::found(Finding finding, const Plan& plan, std::string repaired) {
  if (repair_) {
    const Result<void> done = plan.carry_out(graph_.store);
    const bool overtaken =
        !done && (done.error().code() == Code::kTransactionConflict || done.error().code() == Code::kUniqueViolation);
    if (!done && !overtaken) return done;
    if (done) finding.repaired = std::move(repaired);
  }
  findings_.push_back(std::move(finding));
  return {};
}

Result<bool> Examination::exists(const std::string& urn) {
  if (!check_urn(urn)) return false;
  DOLMEN_TRY(const std::optional<Item> item, graph_.find_record(resource_key(urn)));
  return item.has_value();
}

Result<void> Examination::resource(const std::string& urn) {
  DOLMEN_TRY(const std::optional<Item> item, graph_.find_record(resource_key(urn)));
  if (!item) return {};
  const Result<Row> row = read_row(*item);
  if (!row) return found("malformed-resource", urn, row.error().message());
  DOLMEN_TRY_VOID(form(*row));
  DOLMEN_TRY_VOID(delete_mark(*row));
  DOLMEN_TRY_VOID(parent(*row));
  DOLMEN_TRY_VOID(other_parents(*row));
  DOLMEN_TRY_VOID(children(*row));
  DOLMEN_TRY_VOID(members(*row));
  DOLMEN_TRY_VOID(collections(*row));
  if (row->type.starts_with(kReservedTypePrefix)) return {};
  DOLMEN_TRY_VOID(unique(*row));
  return account(*row);
}

Result<void> Examination::form(const Row& row) {
  const Result<Urn> urn = Urn::parse(row.urn);
  if (!urn) return found("malformed-resource", row.urn, urn.error().message());
  if (urn->type != row.type || urn->id != row.id)
    return found("malformed-resource", row.urn,
                 fmt::format("the type {} or the id {} is not that of the URN", row.type, row.id));
  if (row.created_at.empty() || row.updated_at < row.created_at)
    return found("malformed-resource", row.urn, "its times are missing or in the wrong order");
  if (const Result<Row> current = graph_.upcast(row); !current)
    return found("schema-version", row.urn, current.error().message());
  return {};
}

Result<void> Examination::delete_mark(const Row& row) {
  if (!row.delete_job) return {};
  DOLMEN_TRY(const bool job_exists, exists(*row.delete_job));
  if (job_exists) {
    ++deleting_;
    return {};
  }
  if (!repair_) return found("stale-delete", row.urn, fmt::format("its delete job {} does not exist", *row.delete_job));
  const Result<DeleteJob> begun = begin_job(graph_, {.root = row.urn, .instead_of = row.delete_job});
  // Others have seen to it.
  if (!begun && begun.error().code() == Code::kResourceNotFound) return {};
  DOLMEN_TRY(const DeleteJob job, begun);
  findings_.push_back({"stale-delete", row.urn, fmt::format("its delete job {} does not exist", *row.delete_job),
                       fmt::format("began {}", job.progress.job)});
  return {};
}

Result<void> Examination::parent(const Row& row) {
  if (!row.parent) return {};
  DOLMEN_TRY(const std::optional<Row> parent_row, graph_.find_row(*row.parent));
  if (!parent_row) {
    Plan plan(graph_.table);
    plan.row(row.urn).require_parent(row.parent).remove("_parentUrn");
    plan.erase(edge_key(*row.parent, row.urn));
    return found({"missing-parent", row.urn, fmt::format("its parent {} does not exist", *row.parent), {}}, plan,
                 "removed the parent");
  }
  DOLMEN_TRY_VOID(parent_edge(row, *parent_row));
  DOLMEN_TRY_VOID(parent_account(row, *parent_row));
  const Result<std::vector<Row>> chain = graph_.chain_of(row);
  if (!chain && chain.error().code() == Code::kCorruption) return found("cycle", row.urn, chain.error().message());
  if (chain && chain->size() > graph_.options.depth_max)
    return found("too-deep", row.urn, fmt::format("it is {} levels below its root", chain->size()));
  return {};
}

Result<void> Examination::parent_account(const Row& row, const Row& parent_row) {
  const Result<void> family = graph_.check_family(parent_row, row);
  if (family || family.error().code() == Code::kInvalidResource) return {};
  // A job gives the account to the parent first.
  if (parent_row.account_move) {
    DOLMEN_TRY(const bool job_exists, exists(*parent_row.account_move));
    if (job_exists) return {};
  }
  return found("account-mismatch", row.urn, family.error().message());
}

Result<void> Examination::parent_edge(const Row& row, const Row& parent_row) {
  DOLMEN_TRY(const std::optional<Item> edge, graph_.find_record(edge_key(*row.parent, row.urn)));
  if (edge && read_edge(*edge)) return {};
  Plan plan(graph_.table);
  plan.row(row.urn).require_parent(row.parent);
  RowChange& change = plan.row(parent_row.urn).add("_links", 1);
  // Without a height a delete of the parent would not look for children.
  const std::uint64_t height = row.height.value_or(0) + 1;
  if (parent_row.height && *parent_row.height < height)
    change.require_count("_height", *parent_row.height).set("_height", Number(height));
  plan.put(
      edge_record({.parent = *row.parent, .child = row.urn, .created_at = row.created_at, .account = row.account}));
  return found({"missing-edge", row.urn, fmt::format("no edge leads from {} to it", *row.parent), {}}, plan,
               "added the edge");
}

Result<void> Examination::other_parents(const Row& row) {
  DOLMEN_TRY(const std::vector<Item> edges, graph_.all_in(child_key_text(row.urn), kInvertedIndex));
  if (!row.parent) return unrecorded_parents(row, edges);
  for (const Item& item : edges) {
    const std::string parent = text_of(item, "parentUrn");
    if (parent == row.parent) continue;
    Plan plan(graph_.table);
    plan.row(row.urn).require_parent(row.parent);
    plan.erase(edge_key(parent, row.urn));
    DOLMEN_TRY_VOID(found({"second-parent", row.urn, fmt::format("an edge leads from {} to it", parent), {}}, plan,
                          "removed the edge"));
  }
  return {};
}

/// Another program wrote the edges and does not know of _parentUrn. Which of several is the right one nobody can say.
Result<void> Examination::unrecorded_parents(const Row& row, const std::vector<Item>& edges) {
  std::vector<std::string> parents;
  for (const Item& item : edges) {
    std::string parent = text_of(item, "parentUrn");
    DOLMEN_TRY(const bool parent_exists, exists(parent));
    if (parent_exists) {
      parents.push_back(std::move(parent));
      continue;
    }
    Plan plan(graph_.table);
    plan.row(row.urn).require_parent(std::nullopt);
    plan_drop(plan, item);
    DOLMEN_TRY_VOID(
        found({"dangling-edge", row.urn, fmt::format("an edge leads to it from {}, which does not exist", parent), {}},
              plan, "removed the edge"));
  }
  if (parents.size() == 1) return adopt_parent(row, parents.front());
  if (parents.empty()) return {};
  return found("unrecorded-parent", row.urn,
               fmt::format("edges lead from {} to it, and it says that it has no parent; remove all but one",
                           fmt::join(parents, " and ")));
}

Result<void> Examination::adopt_parent(const Row& row, const std::string& parent) {
  DOLMEN_TRY(const std::optional<Item> edge, graph_.find_record(edge_key(parent, row.urn)));
  // The index lags behind.
  if (!edge) return {};
  Plan plan(graph_.table);
  const Result<void> planned = plan_adoption(row, *edge, plan);
  std::string message = fmt::format("an edge leads from {} to it, and it says that it has no parent", parent);
  if (planned) return found({"unrecorded-parent", row.urn, std::move(message), {}}, plan, "recorded the parent");
  if (!is_refusal(planned.error().code())) return planned;
  return found("unrecorded-parent", row.urn,
               fmt::format("{}; that cannot be its parent: {}", message, planned.error().message()));
}

/// What attaching does, with the edge that is there.
Result<void> Examination::plan_adoption(const Row& row, const Item& edge, Plan& plan) {
  if (!row.live()) return is_deleting(row.urn);
  const std::string parent = text_of(edge, "parentUrn");
  DOLMEN_TRY(std::optional<Row> parent_row, graph_.find_row(parent));
  if (!parent_row) return fail(Code::kTransactionConflict, "{} does not exist any more", parent);
  DOLMEN_TRY(const std::vector<Row> chain, graph_.chain_of_new_parent(row, *std::move(parent_row)));
  DOLMEN_TRY_VOID(plan_new_parent(graph_, plan, chain, row));
  plan.put(edge, record_exists());
  return {};
}

Result<void> Examination::children(const Row& row) {
  DOLMEN_TRY(const std::vector<Item> edges, graph_.all_in(parent_key_text(row.urn)));
  std::uint64_t height = 0;
  for (const Item& item : edges) {
    const std::string child = text_of(item, "childUrn");
    DOLMEN_TRY(const bool child_exists, exists(child));
    if (child_exists) {
      DOLMEN_TRY(const std::optional<Row> child_row, graph_.find_row(child));
      // An edge that its child does not know of may lead back up, so that heights would grow each time.
      const bool known = child_row && child_row->parent == row.urn;
      height = std::max(height, known ? child_row->height.value_or(0) + 1 : 1);
      continue;
    }
    Plan plan(graph_.table);
    plan_drop(plan, item);
    DOLMEN_TRY_VOID(
        found({"dangling-edge", row.urn, fmt::format("an edge leads to {}, which does not exist", child), {}}, plan,
              "removed the edge"));
  }
  // Nobody deletes the queue of jobs, so it does not count them.
  if (row.type.starts_with(kReservedTypePrefix)) return {};
  if (row.height && *row.height >= height && (edges.empty() || row.links > 0)) return {};
  Plan plan(graph_.table);
  plan.row(row.urn)
      .require_count("_height", row.height.value_or(0))
      .require_count("_links", row.links)
      .set("_height", Number(height))
      .add("_links", 1);
  return found({"counters", row.urn, "its counters do not include all its children", {}}, plan, "counted again");
}

}  // namespace dolmen::relation
