// Bringing stored resources to the current schema version.
#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/scope.h"

namespace dolmen {

Result<RewritePage> Relations::rewrite(const Scope& scope, const ListOptions& page) {
  if (scope.whole_table)
    return fail(Code::kInvalidArgument, "name an account or a resource; the whole table cannot be rewritten at once");
  DOLMEN_TRY(relation::ScopePage urns, relation::read_scope(*graph_, scope, page));
  RewritePage made{.token = std::move(urns.token)};
  DOLMEN_TRY(const std::vector<std::optional<relation::Row>> rows, graph_->find_rows(urns.urns));
  for (const std::optional<relation::Row>& row : rows) {
    if (!row || !row->live()) continue;
    const ResourceType* type = graph_->types.find(row->type);
    if (type == nullptr || row->schema_version == type->schema_version) {
      ++made.unchanged;
      continue;
    }
    // Every update stores the current version; this one changes nothing else.
    const Result<Resource> updated = update({.urn = row->urn});
    if (!updated && updated.error().code() == Code::kResourceNotFound) continue;
    if (!updated) return std::unexpected(updated.error());
    ++made.rewritten;
  }
  return made;
}

}  // namespace dolmen
