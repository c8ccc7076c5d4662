#include "relation/reassign.h"

#include <algorithm>
#include <deque>
#include <set>

#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/account_move.h"
#include "relation/family.h"
#include "relation/lists.h"
#include "relation/references.h"
#include "relation/rules.h"

namespace dolmen {
namespace relation {
namespace {

struct SurveyOptions {
  std::string account;
  /// An account all of whose resources go along.
  std::optional<std::string> going = std::nullopt;
  bool allow_cross_account = false;
};

/// Looks at families before they get another account: how many they are, and what stands in the way.
class Survey {
 public:
  Survey(Graph& graph, SurveyOptions options) : graph_(graph), options_(std::move(options)) {}

  /// Fails with kUniqueViolation.
  Result<void> add(const std::string& root) {
    std::deque<std::string> waiting{root};
    while (!waiting.empty()) {
      const std::string urn = std::move(waiting.front());
      waiting.pop_front();
      if (!seen_.insert(urn).second) continue;
      DOLMEN_TRY(const std::optional<Row> row, graph_.find_row(urn));
      if (!row || !row->live()) continue;
      ++count_;
      DOLMEN_TRY_VOID(check_unique(*row));
      DOLMEN_TRY_VOID(note_memberships(*row));
      DOLMEN_TRY(const std::vector<std::string> children, children_of(graph_, *row));
      waiting.insert(waiting.end(), children.begin(), children.end());
    }
    return {};
  }

  /// When all families have been added. Fails with kAccountMismatch.
  Result<void> check_memberships() {
    if (options_.allow_cross_account) return {};
    std::vector<std::string> others;
    std::ranges::set_difference(others_, seen_, std::back_inserter(others));
    DOLMEN_TRY(const std::vector<std::optional<Row>> rows, graph_.find_rows(others));
    for (const std::optional<Row>& row : rows) {
      const std::optional<std::string> scope = row ? graph_.scope_of(*row) : std::nullopt;
      if (scope && scope != options_.account && scope != options_.going)
        return fail(Code::kAccountMismatch, "a membership with {}, which belongs to the account {}, would stay",
                    row->urn, *scope);
    }
    return {};
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  Result<void> check_unique(const Row& row) {
    for (const auto& [key, value] : unique_in_account(row, options_.account)) {
      const UniqueName name{.type = row.type, .key = key, .value = value};
      if (row.unique.contains(key)) continue;
      DOLMEN_TRY(const std::optional<Item> taken, graph_.find_record(unique_key(name)));
      if (!taken) continue;
      DOLMEN_TRY(const UniqueRecord record, read_unique(*taken));
      return std::unexpected(unique_violation(name, record.holder.owner));
    }
    return {};
  }

  Result<void> note_memberships(const Row& row) {
    if (row.may_have_members()) {
      DOLMEN_TRY(const std::vector<Item> items, graph_.all_in(collection_key_text(row.urn)));
      for (const Item& item : items) others_.insert(text_of(item, "memberUrn"));
    }
    if (row.may_be_member()) {
      DOLMEN_TRY(const std::vector<Item> items, graph_.all_in(member_key_text(row.urn), kInvertedIndex));
      for (const Item& item : items) others_.insert(text_of(item, "collectionUrn"));
    }
    return {};
  }

  Graph& graph_;
  SurveyOptions options_;
  std::uint64_t count_ = 0;
  std::set<std::string> seen_;
  std::set<std::string> others_;
};

/// Calls `visit` with each resource of an account that is not below another one of it: where a family begins.
template <class Visit>
Result<void> for_each_family(Graph& graph, const std::string& account, Visit visit) {
  ListOptions options;
  do {
    DOLMEN_TRY(const ItemsPage page, read_list(graph, account_list(account), options));
    for (const Item& item : page.items) {
      DOLMEN_TRY(const std::optional<Row> row, graph.find_row(text_of(item, "urn")));
      if (!row || !row->live() || row->account != account) continue;
      if (row->parent && *row->parent != account) {
        DOLMEN_TRY(const std::optional<Row> parent, graph.find_row(*row->parent));
        if (parent && parent->account == account) continue;
      }
      DOLMEN_TRY_VOID(visit(*row));
    }
    options.token = page.token;
  } while (!options.token.empty());
  return {};
}

/// What `row`, which refers to `urn`, gets instead.
NewAccount instead_of(const std::string& urn, const std::string& to, const Row& row) {
  NewAccount wanted{.urn = row.urn, .account = to};
  if (row.parent == urn) wanted.parent = to;
  return wanted;
}

Result<void> check_children(Graph& graph, const Row& row, const std::vector<Row>& chain) {
  DOLMEN_TRY(const std::vector<std::string> children, children_of(graph, row));
  DOLMEN_TRY(const std::vector<std::optional<Row>> rows, graph.find_rows(children));
  for (const std::optional<Row>& child : rows) {
    if (!child || child->account == row.urn) continue;
    DOLMEN_TRY_VOID(graph.check_family(chain.front(), *child));
    Plan plan(graph.table);
    DOLMEN_TRY_VOID(plan_height(graph, plan, chain, child->height.value_or(0)));
  }
  return {};
}

void tell(const Reassigning& request) {
  // A child that got the account was counted twice; nobody needs to know more than how far it is.
  if (request.on_progress)
    request.on_progress(
        {.root = request.urn, .reassigned = std::max(request.moved.children, request.moved.of_account)});
}

/// True when it found something.
Result<bool> reassign_resources(Graph& graph, Reassigning& request) {
  bool found = false;
  const auto move = [&](const Row& row) -> Result<void> {
    found = true;
    DOLMEN_TRY(const ReassignResult done, give_account(graph, instead_of(request.urn, request.to, row), {}));
    request.moved.of_account += done.resources;
    if (row.parent == request.urn) ++request.moved.children;
    tell(request);
    return {};
  };
  DOLMEN_TRY_VOID(for_each_family(graph, request.urn, move));
  return found;
}

Result<void> reassign_children(Graph& graph, Reassigning& request) {
  DOLMEN_TRY(const Row row, graph.live_row(request.urn));
  DOLMEN_TRY(const std::vector<std::string> children, children_of(graph, row));
  for (const std::string& child : children) {
    const Result<bool> attached = attach(graph, child, request.to);
    if (!attached && attached.error().code() == Code::kResourceNotFound) continue;
    if (!attached) return std::unexpected(attached.error());
    ++request.moved.children;
    tell(request);
  }
  return {};
}

}  // namespace

Result<void> check_reassign(Graph& graph, const std::string& urn, const std::string& to) {
  if (urn == to) return fail(Code::kInvalidResource, "{} is deleted and cannot get what refers to it", urn);
  DOLMEN_TRY(const Row row, graph.live_row(urn));
  DOLMEN_TRY(Row target, graph.live_row(to));
  DOLMEN_TRY(const std::vector<Row> chain, graph.chain_of(std::move(target)));
  if (std::ranges::find(chain, urn, &Row::urn) != chain.end()) return fail(Code::kCycle, "{} is below {}", to, urn);
  for (const Row& ancestor : chain)
    if (!ancestor.live()) return is_deleting(ancestor.urn);
  DOLMEN_TRY_VOID(check_children(graph, row, chain));
  DOLMEN_TRY(const bool is_account, graph.is_account(row));
  if (!is_account) return {};
  DOLMEN_TRY_VOID(graph.account_row(to));
  Survey survey(graph, {.account = to, .going = urn});
  const auto look_at = [&](const Row& each) -> Result<void> {
    DOLMEN_TRY_VOID(check_new_account(graph, each, instead_of(urn, to, each)));
    return survey.add(each.urn);
  };
  DOLMEN_TRY_VOID(for_each_family(graph, urn, look_at));
  return survey.check_memberships();
}

Result<void> reassign_references(Graph& graph, Reassigning& request) {
  DOLMEN_TRY_VOID(check_reassign(graph, request.urn, request.to));
  DOLMEN_TRY(const Row row, graph.live_row(request.urn));
  DOLMEN_TRY(const bool is_account, graph.is_account(row));
  // Until there is nothing left: others may add something meanwhile.
  for (bool found = is_account; found;) {
    DOLMEN_TRY(found, reassign_resources(graph, request));
  }
  return reassign_children(graph, request);
}

}  // namespace relation

Result<ReassignResult> Relations::reassign_account(const ReassignAccount& request) {
  DOLMEN_TRY_VOID(relation::check_urn_of_user(request.urn));
  DOLMEN_TRY_VOID(relation::check_urn_of_user(request.account));
  if (request.parent) DOLMEN_TRY_VOID(relation::check_urn_of_user(*request.parent));
  DOLMEN_TRY(const relation::Row row, graph_->live_row(request.urn));
  if (row.account == request.account) {
    if (request.parent && !request.dry_run) DOLMEN_TRY_VOID(relation::attach(*graph_, request.urn, *request.parent));
    return ReassignResult{};
  }
  const relation::NewAccount wanted{.urn = request.urn, .account = request.account, .parent = request.parent};
  DOLMEN_TRY_VOID(relation::check_new_account(*graph_, row, wanted));
  relation::Survey survey(*graph_, {.account = request.account, .allow_cross_account = request.allow_cross_account});
  DOLMEN_TRY_VOID(survey.add(request.urn));
  DOLMEN_TRY_VOID(survey.check_memberships());
  if (request.dry_run) return ReassignResult{.resources = survey.count()};
  return relation::give_account(*graph_, wanted, request.on_progress);
}

}  // namespace dolmen
