#include "relation/delete_job.h"

#include "base/fail.h"
#include "relation/reserved.h"

namespace dolmen::relation {
namespace {

constexpr const char* kQueueType = "Dolmen.DeleteQueue";
constexpr const char* kJobType = "Dolmen.DeleteJob";
constexpr const char* kPurge = "purge";
constexpr const char* kCascade = "cascade";

std::uint64_t number_of(const Item& item, std::string_view name) {
  const AttributeValue* value = item.find(name);
  const Number* number = value == nullptr ? nullptr : value->get_if<Number>();
  return number == nullptr ? 0 : number->to_uint64().value_or(0);
}

DeleteJob job_of(const Row& row) {
  return {.kind = text_of(row.attributes, "kind") == kPurge ? JobKind::kPurge : JobKind::kCascade,
          .progress = {.job = row.urn,
                       .root = text_of(row.attributes, "root"),
                       .deleted = {.resources = number_of(row.attributes, "resources"),
                                   .edges = number_of(row.attributes, "edges"),
                                   .memberships = number_of(row.attributes, "memberships"),
                                   .unique_values = number_of(row.attributes, "uniqueValues")},
                       .started_at = row.created_at}};
}

Row new_row(const Graph& graph, const char* type, std::string id) {
  const std::string time = time_text(Timestamp::from(graph.options.now()));
  Row row{.urn = {}, .type = type, .id = std::move(id), .created_at = time, .updated_at = time};
  row.urn = "urn:" + graph.types.domain + ":" + row.type + "::" + row.id;
  return row;
}

Result<void> ensure_queue(Graph& graph) {
  DOLMEN_TRY(const std::optional<Row> queue, graph.find_row(queue_urn(graph)));
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

Result<Row> root_of(Graph& graph, const NewJob& request) {
  if (!request.instead_of) return graph.live_row(request.root);
  DOLMEN_TRY(std::optional<Row> root, graph.find_row(request.root));
  if (!root || root->delete_job != request.instead_of) return not_found(request.root);
  return *std::move(root);
}

Result<DeleteJob> attempt_begin(Graph& graph, const NewJob& request) {
  DOLMEN_TRY(const Row root, root_of(graph, request));
  Row job = new_row(graph, kJobType, graph.ids.next());
  job.parent = queue_urn(graph);
  job.attributes.set("root", root.urn);
  job.attributes.set("kind", request.kind == JobKind::kPurge ? kPurge : kCascade);
  job.attributes.set("edges", root.parent ? 1 : 0);
  for (const char* counter : {"resources", "memberships", "uniqueValues"}) job.attributes.set(counter, 0);

  Plan plan(graph.table);
  RowChange& change = plan.row(root.urn).require_parent(root.parent).set("_deleteJob", job.urn).remove("_parentUrn");
  if (request.instead_of)
    change.require_job(*request.instead_of);
  else
    change.require_live().on_refusal(gone_or_stale(root.urn));
  if (request.childless) {
    change.require_count("_links", root.links);
    DOLMEN_TRY(const Page children,
               graph.store.query_page(
                   graph.table, {.key = key("PK") == parent_key_text(root.urn), .limit = 1, .consistent_read = true}));
    if (!children.items.empty()) return fail(Code::kResourceInUse, "{} has children", root.urn);
  }
  if (root.parent) plan.erase(edge_key(*root.parent, root.urn));
  plan.create(resource_record(job));
  plan.put(edge_record({.parent = *job.parent, .child = job.urn, .created_at = job.created_at, .account = {}}));
  DOLMEN_TRY_VOID(plan.carry_out(graph.store));
  return job_of(job);
}

}  // namespace

std::string queue_urn(const Graph& graph) { return "urn:" + graph.types.domain + ":" + kQueueType + "::pending"; }

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
  DOLMEN_TRY(const std::vector<Item> edges, graph.all_in(parent_key_text(queue_urn(graph))));
  std::vector<DeleteJob> jobs;
  for (const Item& item : edges) {
    DOLMEN_TRY(const Edge edge, read_edge(item));
    DOLMEN_TRY(std::optional<DeleteJob> job, find_job(graph, edge.child));
    if (job) jobs.push_back(*std::move(job));
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

void plan_end(const Graph& graph, Plan& plan, const DeleteJob& job) {
  plan.row(job.progress.job).erase();
  plan.erase(edge_key(queue_urn(graph), job.progress.job));
}

}  // namespace dolmen::relation
