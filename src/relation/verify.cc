// Looking for what is not as it should be.
#include "dolmen/relation/relations.h"
#include "relation/examination.h"
#include "relation/scope.h"

namespace dolmen {
namespace {

Result<FindingPage> examine(relation::Graph& graph, const Scope& scope, const ListOptions& page, bool repair) {
  relation::Examination examination(graph, repair);
  FindingPage made;
  if (scope.whole_table) {
    DOLMEN_TRY(relation::RecordPage records, relation::read_table(graph, page));
    for (const Item& record : records.records) DOLMEN_TRY_VOID(examination.record(record));
    made.examined = records.records.size();
    made.token = std::move(records.token);
  } else {
    DOLMEN_TRY(relation::ScopePage urns, relation::read_scope(graph, scope, page));
    for (const std::string& urn : urns.urns) DOLMEN_TRY_VOID(examination.resource(urn));
    made.examined = urns.urns.size();
    made.token = std::move(urns.token);
  }
  made.findings = std::move(examination.findings());
  return made;
}

}  // namespace

Result<FindingPage> Relations::verify(const Scope& scope, const ListOptions& page) {
  return examine(*graph_, scope, page, false);
}

Result<FindingPage> Relations::repair(const Scope& scope, const ListOptions& page) {
  return examine(*graph_, scope, page, true);
}

}  // namespace dolmen
