// Where grants on other resources reach a resource from.
#include <map>
#include <set>

#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/graph.h"

namespace dolmen {
namespace {

using relation::Graph;
using relation::Row;

/// An incomplete answer would be a wrong one, so more than this is an error.
constexpr std::size_t kReachMax = 10'000;

std::unexpected<Error> too_many(const std::string& urn) {
  return fail(Code::kLimitExceeded, "more than {} resources are involved in the grants of {}", kReachMax, urn);
}

Result<std::vector<Membership>> memberships(const std::vector<Item>& items) {
  std::vector<Membership> read;
  for (const Item& item : items) {
    DOLMEN_TRY(Membership membership, relation::read_membership(item));
    read.push_back(std::move(membership));
  }
  return read;
}

/// Follows parents, and collections that convey, from a resource upwards.
class Upwards {
 public:
  /// With `through` the collections are followed, too; without, they are only noted.
  Upwards(Graph& graph, bool through) : graph_(graph), through_(through) {}

  Result<void> walk(const std::string& start) {
    std::vector<std::string> frontier{start};
    seen_.insert(start);
    while (!frontier.empty()) {
      DOLMEN_TRY(std::vector<std::optional<Row>> rows, graph_.find_rows(frontier));
      std::vector<std::string> next;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (frontier[i] == start && (!rows[i] || !rows[i]->live())) return relation::not_found(start);
        if (!rows[i]) return fail(Code::kTransactionConflict, "{} was deleted meanwhile", frontier[i]);
        // What is being deleted grants nothing any more.
        if (rows[i]->live()) DOLMEN_TRY_VOID(visit(*std::move(rows[i]), next));
      }
      if (seen_.size() > kReachMax) return too_many(start);
      frontier = std::move(next);
    }
    return unchanged();
  }

  [[nodiscard]] std::vector<std::string> path() const {
    std::vector<std::string> urns;
    for (const Row& row : visited_) urns.push_back(row.urn);
    return urns;
  }
  [[nodiscard]] const std::vector<Membership>& conveying() const { return conveying_; }

 private:
  Result<void> visit(Row row, std::vector<std::string>& next) {
    const auto follow = [&](const std::string& urn) {
      if (seen_.insert(urn).second) next.push_back(urn);
    };
    if (row.parent) follow(*row.parent);
    if (row.may_be_member()) {
      DOLMEN_TRY(const std::vector<Item> items,
                 graph_.all_in(relation::member_key_text(row.urn), relation::kInvertedIndex));
      // The index of a store elsewhere lags behind; the counter does not.
      if (row.height && items.size() != row.member_of)
        return fail(Code::kTransactionConflict, "the index of memberships of {} is not up to date", row.urn);
      DOLMEN_TRY(const std::vector<Membership> all, memberships(items));
      for (const Membership& membership : all) {
        if (!membership.conveys_authorization) continue;
        conveying_.push_back(membership);
        if (through_) follow(membership.collection);
      }
    }
    visited_.push_back(std::move(row));
    return {};
  }

  /// Links that were added or removed since a record was read have changed its counters.
  Result<void> unchanged() {
    DOLMEN_TRY(const std::vector<std::optional<Row>> again, graph_.find_rows_at_once(path()));
    for (std::size_t i = 0; i < again.size(); ++i) {
      const Row& before = visited_[i];
      if (!again[i] || again[i]->parent != before.parent || again[i]->links != before.links ||
          again[i]->member_of != before.member_of || again[i]->delete_job != before.delete_job)
        return fail(Code::kTransactionConflict, "{} was changed meanwhile", before.urn);
    }
    return {};
  }

  Graph& graph_;
  bool through_;
  std::set<std::string> seen_;
  std::vector<Row> visited_;
  std::vector<Membership> conveying_;
};

}  // namespace

Result<std::vector<std::string>> Relations::authorization_path(const std::string& urn) {
  return graph_->repeat<std::vector<std::string>>([&]() -> Result<std::vector<std::string>> {
    Upwards upwards(*graph_, true);
    DOLMEN_TRY_VOID(upwards.walk(urn));
    return upwards.path();
  });
}

Result<std::vector<Membership>> Relations::conveying_collections(const std::string& urn) {
  return graph_->repeat<std::vector<Membership>>([&]() -> Result<std::vector<Membership>> {
    Upwards upwards(*graph_, false);
    DOLMEN_TRY_VOID(upwards.walk(urn));
    std::vector<std::string> collections;
    for (const Membership& membership : upwards.conveying()) collections.push_back(membership.collection);
    DOLMEN_TRY(const std::vector<std::optional<Row>> rows, graph_->find_rows(collections));
    std::vector<Membership> live;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] && rows[i]->live()) live.push_back(upwards.conveying()[i]);
    return live;
  });
}

}  // namespace dolmen
