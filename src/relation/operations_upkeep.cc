// Operations that delete, reassign and keep the table in order.
#include "base/fail.h"
#include "relation/operation_list.h"
#include "relation/request.h"

namespace dolmen::relation {
namespace {

Result<DeleteMode> mode_in(const ObjectView& request) {
  DOLMEN_TRY(const std::optional<std::string> name, request.optional_text("mode"));
  if (!name || *name == "cascade") return DeleteMode::kCascade;
  if (*name == "restrict") return DeleteMode::kRestrict;
  if (*name == "reassign") return DeleteMode::kReassign;
  return fail(Code::kQueryInvalid, "mode must be cascade, restrict or reassign, not {}", *name);
}

void write_references(ObjectWriter& object, const References& references) {
  object.json("references", object_text([&](ObjectWriter& inner) {
                inner.number("children", references.children).number("of_account", references.of_account);
              }));
}

std::string jobs_text(const std::vector<DeleteProgress>& jobs) {
  return object_text([&](ObjectWriter& object) { object.objects("jobs", jobs, write_progress); });
}

using Examine = Result<FindingPage> (Relations::*)(const Scope&, const ListOptions&);

Answer examine(Operations& operations, std::string_view body, Examine pages) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"table", "below", "account", "type", "whole_table", "limit", "token"}));
  DOLMEN_TRY(const Scope scope, scope_in(request));
  DOLMEN_TRY(const ListOptions options, page_in(request));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const FindingPage page, ((*graph).*pages)(scope, options));
  return object_text([&](ObjectWriter& object) {
    object.objects("findings", page.findings, [](ObjectWriter& inner, const Finding& finding) {
      inner.text("kind", finding.kind).text("subject", finding.subject).text("message", finding.message);
      if (!finding.repaired.empty()) inner.text("repaired", finding.repaired);
    });
    object.number("examined", page.examined).number("deleting", page.deleting);
    if (!page.token.empty()) object.text("token", page.token);
  });
}

}  // namespace

Answer delete_resource(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "urn", "mode", "reassign_to", "dry_run"}));
  DOLMEN_TRY(const std::string urn, text_in(request, "urn"));
  RemoveOptions options;
  DOLMEN_TRY(options.mode, mode_in(request));
  DOLMEN_TRY(options.reassign_to, request.optional_text("reassign_to"));
  DOLMEN_TRY(options.dry_run, request.flag("dry_run"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const RemoveResult done, graph->remove(urn, options));
  return object_text([&](ObjectWriter& object) {
    write_count(object, "deleted", done.count);
    if (options.dry_run || options.mode == DeleteMode::kReassign) write_references(object, done.references);
    if (!done.job.empty()) object.text("job", done.job);
  });
}

Answer reassign_account(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"table", "urn", "account", "parent", "allow_cross_account", "dry_run"}));
  ReassignAccount wanted;
  DOLMEN_TRY(wanted.urn, text_in(request, "urn"));
  DOLMEN_TRY(wanted.account, text_in(request, "account"));
  DOLMEN_TRY(wanted.parent, request.optional_text("parent"));
  DOLMEN_TRY(wanted.allow_cross_account, request.flag("allow_cross_account"));
  DOLMEN_TRY(wanted.dry_run, request.flag("dry_run"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const ReassignResult done, graph->reassign_account(wanted));
  return object_text([&](ObjectWriter& object) {
    object.number("resources", done.resources);
    if (!done.job.empty()) object.text("job", done.job);
  });
}

Answer list_deletes(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table"}));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const std::vector<DeleteProgress> jobs, graph->pending_deletes());
  return jobs_text(jobs);
}

Answer resume_deletes(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table"}));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const std::vector<DeleteProgress> jobs, graph->resume_deletes());
  return jobs_text(jobs);
}

Answer rewrite_resources(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"table", "below", "account", "type", "limit", "token"}));
  DOLMEN_TRY(const Scope scope, scope_in(request));
  DOLMEN_TRY(const ListOptions options, page_in(request));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const RewritePage page, graph->rewrite(scope, options));
  return object_text([&](ObjectWriter& object) {
    object.number("rewritten", page.rewritten).number("unchanged", page.unchanged);
    if (!page.token.empty()) object.text("token", page.token);
  });
}

Answer verify_relations(Operations& operations, std::string_view body) {
  return examine(operations, body, &Relations::verify);
}

Answer repair_relations(Operations& operations, std::string_view body) {
  return examine(operations, body, &Relations::repair);
}

}  // namespace dolmen::relation
