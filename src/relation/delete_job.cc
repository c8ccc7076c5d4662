#include "relation/delete_job.h"

#include <fmt/format.h>
#include <set>

#include "base/fail.h"
#include "relation/references.h"
#include "relation/reserved.h"

namespace dolmen {
namespace relation {
namespace {

constexpr const char* kQueueType = "Dolmen.DeleteQueue";
constexpr const char* kJobType = "Dolmen.DeleteJob";
constexpr const char* kDomain = "dolmen";

std::uint64_t number_of(const Item& item, std::string_view name) {
  const AttributeValue* value = item.find(name);
  const Number* number = value == nullptr ? nullptr : value->get_if<Number>();
  return number == nullptr ? 0 : number->to_uint64().value_or(0);
}

std::string queue_urn(std::string_view domain) { return fmt::format("urn:{}:{}::pending", domain, kQueueType); }

/// The queue that a job is in. Jobs of earlier versions have the domain of the resources.
std::string queue_of(const std::string& job) {
  const Result<Urn> urn = Urn::parse(job);
  return queue_urn(urn ? urn->domain : kDomain);
}

JobKind kind_of(const std::string& name) {
  if (name == job_kind_name(JobKind::kAccount)) return JobKind::kAccount;
  return name == job_kind_name(JobKind::kPurge) ? JobKind::kPurge : JobKind::kCascade;
}

DeleteJob job_of(const Row& row) {
  DeleteJob job{.progress = {.job = row.urn,
                             .kind = kind_of(text_of(row.attributes, "kind")),
                             .root = text_of(row.attributes, "root"),
                             .deleted = {.resources = number_of(row.attributes, "resources"),
                                         .edges = number_of(row.attributes, "edges"),
                                         .memberships = number_of(row.attributes, "memberships"),
                                         .unique_values = number_of(row.attributes, "uniqueValues")},
                             .reassigned = number_of(row.attributes, "reassigned"),
                             .started_at = row.created_at},
                .to = text_of(row.attributes, "to")};
  if (row.attributes.contains("from")) job.from = text_of(row.attributes, "from");
  return job;
}

Row new_row(const Graph& graph, const char* type, std::string id) {
  const std::string time = time_text(Timestamp::from(graph.options.now()));
  Row row{.urn = {}, .type = type, .id = std::move(id), .created_at = time, .updated_at = time};
  row.urn = fmt::format("urn:{}:{}::{}", kDomain, row.type, row.id);
  return row;
}

Result<Row> root_of(Graph& graph, const NewJob& request) {
  if (!request.instead_of) return graph.live_row(request.root);
  DOLMEN_TRY(std::optional<Row> root, graph.find_row(request.root));
  if (!root || root->delete_job != request.instead_of) return not_found(request.root);
  return *std::move(root);
}

Result<DeleteJob> attempt_begin(Graph& graph, const NewJob& request) {
  DOLMEN_TRY(const Row root, root_of(graph, request));
  if (request.unused) DOLMEN_TRY_VOID(check_unused(graph, root));
  DeleteJob job{.progress = {.kind = request.kind, .root = root.urn, .deleted = {.edges = root.parent ? 1U : 0U}}};
  Plan plan(graph.table);
  plan_job(graph, plan, job);
  RowChange& change =
      plan.row(root.urn).require_parent(root.parent).set("_deleteJob", job.progress.job).remove("_parentUrn");
  if (request.instead_of)
    change.require_job(*request.instead_of);
  else
    change.require_live().on_refusal(gone_or_stale(root.urn));
  if (request.unused) change.require_count("_links", root.links).require_count("_accountLinks", root.account_links);
  if (root.parent) plan.erase(edge_key(*root.parent, root.urn));
  DOLMEN_TRY_VOID(plan.carry_out(graph.store));
  return job;
}

}  // namespace

Result<void> ensure_queue(Graph& graph) {
  DOLMEN_TRY(const std::optional<Row> queue, graph.find_row(queue_urn(kDomain)));
  if (queue) return {};
  Row row = new_row(graph, kQueueType, "pending");
  row.height = 1;
  Plan plan(graph.table);
  plan.create(resource_record(row));
  const Result<void> made = plan.carry_out(graph.store);
  // Somebody else made it.
  if (!made && made.error().code() == Code::kTransactionConflict) return {};
  return made;
}

void plan_job(Graph& graph, Plan& plan, DeleteJob& job) {
  Row row = new_row(graph, kJobType, graph.ids.next());
  row.parent = queue_urn(kDomain);
  row.attributes.set("root", job.progress.root);
  row.attributes.set("kind", job_kind_name(job.progress.kind));
  row.attributes.set("edges", Number(job.progress.deleted.edges));
  row.attributes.set("reassigned", Number(job.progress.reassigned));
  for (const char* counter : {"resources", "memberships", "uniqueValues"}) row.attributes.set(counter, 0);
  if (job.from) row.attributes.set("from", *job.from);
  if (!job.to.empty()) row.attributes.set("to", job.to);
  plan.create(resource_record(row));
  plan.put(edge_record({.parent = *row.parent, .child = row.urn, .created_at = row.created_at, .account = {}}));
  job.progress.job = row.urn;
  job.progress.started_at = row.created_at;
}

Result<DeleteJob> begin_job(Graph& graph, const NewJob& request) {
  DOLMEN_TRY_VOID(ensure_queue(graph));
  return graph.repeat<DeleteJob>([&] { return attempt_begin(graph, request); });
}

Result<std::optional<DeleteJob>> find_job(Graph& graph, const std::string& urn) {
  DOLMEN_TRY(const std::optional<Row> row, graph.find_row(urn));
  if (!row || row->type != kJobType) return std::nullopt;
  return job_of(*row);
}

Result<std::vector<DeleteJob>> find_jobs(Graph& graph) {
  std::vector<DeleteJob> jobs;
  for (const std::string& domain : std::set<std::string>{kDomain, graph.types.domain}) {
    DOLMEN_TRY(const std::vector<Item> edges, graph.all_in(parent_key_text(queue_urn(domain))));
    for (const Item& item : edges) {
      DOLMEN_TRY(const Edge edge, read_edge(item));
      DOLMEN_TRY(std::optional<DeleteJob> job, find_job(graph, edge.child));
      if (job) jobs.push_back(*std::move(job));
    }
  }
  return jobs;
}

void plan_progress(Plan& plan, const DeleteJob& job, const DeleteCount& count) {
  plan.row(job.progress.job)
      .add("resources", static_cast<std::int64_t>(count.resources))
      .add("edges", static_cast<std::int64_t>(count.edges))
      .add("memberships", static_cast<std::int64_t>(count.memberships))
      .add("uniqueValues", static_cast<std::int64_t>(count.unique_values));
}

void plan_end(Plan& plan, const DeleteJob& job) {
  plan.row(job.progress.job).erase();
  plan.erase(edge_key(queue_of(job.progress.job), job.progress.job));
}

}  // namespace relation

std::string_view job_kind_name(JobKind kind) {
  switch (kind) {
    case JobKind::kCascade: return "cascade";
    case JobKind::kPurge: return "purge";
    case JobKind::kAccount: return "account";
  }
  return "";
}

}  // namespace dolmen
