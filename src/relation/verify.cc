// Looking for what is not as it should be.
#include <algorithm>
#include <functional>
#include <iterator>

#include "dolmen/relation/relations.h"
#include "relation/examination.h"
#include "relation/scope.h"

namespace dolmen {
namespace {

/// So often a finding must be made. What others change between two reads looks wrong once, and not again.
constexpr unsigned kLooks = 3;

bool is_same(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.subject == b.subject && a.message == b.message;
}

using Look = std::function<Result<void>(relation::Examination&)>;

class Examined {
 public:
  Examined(relation::Graph& graph, bool repair) : graph_(graph), repair_(repair) {}

  Result<void> add(const Look& look) {
    ++page_.examined;
    relation::Examination first(graph_, false);
    DOLMEN_TRY_VOID(look(first));
    page_.deleting += first.deleting();
    std::vector<Finding> findings = std::move(first.findings());
    for (unsigned n = 1; n < kLooks && !findings.empty(); ++n) {
      graph_.pause(n);
      relation::Examination again(graph_, false);
      DOLMEN_TRY_VOID(look(again));
      std::erase_if(findings, [&](const Finding& finding) {
        return std::ranges::none_of(again.findings(), [&](const Finding& other) { return is_same(finding, other); });
      });
    }
    if (repair_ && !findings.empty()) {
      relation::Examination repairing(graph_, true);
      DOLMEN_TRY_VOID(look(repairing));
      findings = std::move(repairing.findings());
    }
    std::ranges::move(findings, std::back_inserter(page_.findings));
    return {};
  }

  FindingPage page_with(std::string token) && {
    page_.token = std::move(token);
    return std::move(page_);
  }

 private:
  relation::Graph& graph_;
  bool repair_;
  FindingPage page_;
};

Result<FindingPage> examine(relation::Graph& graph, const Scope& scope, const ListOptions& page, bool repair) {
  Examined examined(graph, repair);
  if (!scope.whole_table) {
    DOLMEN_TRY(relation::ScopePage urns, relation::read_scope(graph, scope, page));
    for (const std::string& urn : urns.urns)
      DOLMEN_TRY_VOID(examined.add([&](relation::Examination& examination) { return examination.resource(urn); }));
    return std::move(examined).page_with(std::move(urns.token));
  }
  DOLMEN_TRY(relation::RecordPage records, relation::read_table(graph, page));
  for (const Item& record : records.records) {
    const Item key{{"PK", record.at("PK")}, {"SK", record.at("SK")}};
    DOLMEN_TRY_VOID(examined.add([&](relation::Examination& examination) -> Result<void> {
      DOLMEN_TRY(const std::optional<Item> now, graph.find_record(key));
      return now ? examination.record(*now) : Result<void>{};
    }));
  }
  return std::move(examined).page_with(std::move(records.token));
}

}  // namespace

Result<FindingPage> Relations::verify(const Scope& scope, const ListOptions& page) {
  return examine(*graph_, scope, page, false);
}

Result<FindingPage> Relations::repair(const Scope& scope, const ListOptions& page) {
  return examine(*graph_, scope, page, true);
}

}  // namespace dolmen
