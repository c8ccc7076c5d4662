// All that a grant on a resource reaches, page by page.
//
// A resource may be reached in many ways: from its parent, and from every collection that conveys to it. So that each
// comes once although no page knows the others, a resource comes where the shortest way from the start leads through,
// and of several the one whose last step comes from the smallest URN. That is found by looking from the resource
// upwards. The ways make a tree, which is walked through like a family.
#include <deque>
#include <map>
#include <set>

#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/lists.h"

namespace dolmen {
namespace {

using relation::Graph;
using relation::Row;

constexpr char kStepMark = '\n';
constexpr char kAsChild = 'c';
constexpr char kAsMember = 'm';
/// Links that are read ahead for each level.
constexpr std::uint32_t kLinksAhead = 50;

/// The resources that a grant comes from in one step.
struct Sources {
  bool live = false;
  std::optional<std::string> parent;
  std::set<std::string> all;
};

class ReachWalk {
 public:
  ReachWalk(Graph& graph, std::string start) : graph_(graph), start_(std::move(start)) {}

  void begin() { levels_.push_back({.urn = start_}); }

  /// Behind the resource that the path leads to.
  void resume(const std::string& path) {
    std::string urn = start_;
    for (std::size_t first = 0; first < path.size();) {
      const std::size_t end = std::min(path.find(kStepMark, first), path.size());
      std::string next = path.substr(first + 1, end - first - 1);
      levels_.push_back({.urn = urn, .is_at_members = path[first] == kAsMember, .after = next});
      urn = std::move(next);
      first = end + 1;
    }
    levels_.push_back({.urn = urn});
  }

  /// Nothing at the end.
  Result<std::optional<std::string>> next() {
    while (!levels_.empty()) {
      Level& level = levels_.back();
      DOLMEN_TRY_VOID(fill(level));
      if (level.ahead.empty()) {
        if (level.is_at_members)
          levels_.pop_back();
        else
          level = {.urn = std::move(level.urn), .is_at_members = true};
        continue;
      }
      std::string urn = std::move(level.ahead.front());
      level.ahead.pop_front();
      level.after = urn;
      DOLMEN_TRY(const bool comes_here, comes_from(level, urn));
      if (!comes_here) continue;
      levels_.push_back({.urn = urn});
      return urn;
    }
    return std::nullopt;
  }

  /// The way to the resource that came last.
  [[nodiscard]] std::string path() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      if (!text.empty()) text += kStepMark;
      text += levels_[i].is_at_members ? kAsMember : kAsChild;
      text += levels_[i].after;
    }
    return text;
  }

 private:
  /// The links of one resource that have not been followed yet: first to its children, then to its members.
  struct Level {
    std::string urn;
    bool is_at_members = false;
    /// The last that was followed; empty before the first.
    std::string after = {};
    std::deque<std::string> ahead = {};
    bool read_to_end = false;
  };

  Result<void> fill(Level& level) {
    while (level.ahead.empty() && !level.read_to_end) {
      const std::string partition =
          level.is_at_members ? relation::collection_key_text(level.urn) : relation::parent_key_text(level.urn);
      QueryOptions query{
          .key = key("PK") == partition, .limit = kLinksAhead, .page_size = kLinksAhead, .consistent_read = true};
      if (!level.after.empty())
        query.start_after = level.is_at_members ? relation::membership_key(level.urn, level.after)
                                                : relation::edge_key(level.urn, level.after);
      DOLMEN_TRY(const Page page, graph_.store.query_page(graph_.table, query));
      for (const Item& item : page.items) {
        level.after = text_of(item, level.is_at_members ? "memberUrn" : "childUrn");
        if (level.is_at_members) {
          DOLMEN_TRY(const Membership membership, relation::read_membership(item));
          if (!membership.conveys_authorization) continue;
        }
        level.ahead.push_back(level.after);
      }
      level.read_to_end = !page.last_key;
    }
    return {};
  }

  /// Whether the resource comes by that link, and not by another one.
  Result<bool> comes_from(const Level& level, const std::string& urn) {
    if (urn == start_) return false;
    DOLMEN_TRY(const Sources* sources, sources_of(urn));
    if (!sources->live || !sources->all.contains(level.urn)) return false;
    if ((sources->parent == level.urn) == level.is_at_members) return false;
    if (sources->all.size() == 1) return true;
    DOLMEN_TRY(const std::string last_step, last_step_to(urn));
    return last_step == level.urn;
  }

  /// From where the shortest way from the start enters the resource.
  Result<std::string> last_step_to(const std::string& urn) {
    std::set<std::string> seen{urn};
    // Each with the step that its way ends with.
    std::map<std::string, std::string> frontier;
    DOLMEN_TRY(const Sources* first, sources_of(urn));
    for (const std::string& source : first->all) frontier.emplace(source, source);
    while (!frontier.empty()) {
      if (const auto found = frontier.find(start_); found != frontier.end()) return found->second;
      std::map<std::string, std::string> next;
      for (const auto& [at, step] : frontier) seen.insert(at);
      for (const auto& [at, step] : frontier) {
        DOLMEN_TRY(const Sources* sources, sources_of(at));
        // What is being deleted grants nothing any more.
        if (!sources->live) continue;
        for (const std::string& source : sources->all) {
          if (seen.contains(source)) continue;
          const auto [entry, is_new] = next.emplace(source, step);
          if (!is_new) entry->second = std::min(entry->second, step);
        }
      }
      frontier = std::move(next);
    }
    return fail(Code::kTransactionConflict, "{} was moved meanwhile", urn);
  }

  Result<const Sources*> sources_of(const std::string& urn) {
    const auto [entry, is_new] = sources_.try_emplace(urn);
    if (!is_new) return &entry->second;
    Sources& sources = entry->second;
    DOLMEN_TRY(const std::optional<Row> row, graph_.find_row(urn));
    if (!row || !row->live()) return &sources;
    sources.live = true;
    sources.parent = row->parent;
    if (row->parent) sources.all.insert(*row->parent);
    if (!row->may_be_member()) return &sources;
    DOLMEN_TRY(const std::vector<Item> items, graph_.all_in(relation::member_key_text(urn), relation::kInvertedIndex));
    // The index of a store elsewhere lags behind; the counter does not.
    if (row->height && items.size() != row->member_of)
      return fail(Code::kTransactionConflict, "the index of memberships of {} is not up to date", urn);
    for (const Item& item : items) {
      DOLMEN_TRY(const Membership membership, relation::read_membership(item));
      if (membership.conveys_authorization) sources.all.insert(membership.collection);
    }
    return &sources;
  }

  Graph& graph_;
  std::string start_;
  std::vector<Level> levels_;
  /// What has been looked at, so that it is looked at once for a page.
  std::map<std::string, Sources> sources_;
};

Result<ListPage<std::string>> attempt_reach(Graph& graph, const std::string& urn, const ListOptions& page) {
  DOLMEN_TRY_VOID(graph.live_row(urn));
  const std::string identity = relation::list_identity(graph, "reach", urn, page.descending);
  ReachWalk walk(graph, urn);
  ListPage<std::string> made;
  if (page.token.empty()) {
    walk.begin();
    made.items.push_back(urn);
  } else {
    DOLMEN_TRY(const std::string path, relation::read_token(identity, page.token));
    walk.resume(path);
  }
  while (made.items.size() < page.limit) {
    DOLMEN_TRY(std::optional<std::string> next, walk.next());
    if (!next) return made;
    made.items.push_back(*std::move(next));
  }
  made.token = relation::make_token(identity, walk.path());
  return made;
}

}  // namespace

Result<ListPage<std::string>> Relations::authorization_reach(const std::string& urn, const ListOptions& page) {
  DOLMEN_TRY_VOID(relation::check_limit(page));
  if (page.descending) return fail(Code::kInvalidArgument, "what a grant reaches cannot be listed descending");
  return graph_->repeat<ListPage<std::string>>([&] { return attempt_reach(*graph_, urn, page); });
}

}  // namespace dolmen
