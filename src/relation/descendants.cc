// All that is below a resource, page by page: a walk that can be left and taken up at any node.
#include <deque>

#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/lists.h"

namespace dolmen {
namespace {

using relation::Graph;

/// Separates the URNs of a path in a token.
constexpr char kPathMark = '\n';
/// Children that are read ahead for each level.
constexpr std::uint32_t kReadAhead = 50;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(kPathMark, first), text.size());
    parts.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return parts;
}

/// The children of one node that have not been visited yet.
struct Level {
  std::string parent;
  /// The last child that was visited; empty before the first.
  std::string after;
  std::deque<relation::Edge> ahead = {};
  bool read_to_end = false;
};

class Walk {
 public:
  Walk(Graph& graph, const ListOptions& page, unsigned depth_max) : graph_(graph), page_(page), depth_max_(depth_max) {}

  /// From the root's first child.
  void begin(const std::string& root) { levels_.push_back({.parent = root, .after = {}}); }

  /// Behind the node that the path leads to.
  void resume(const std::string& root, const std::vector<std::string>& path) {
    std::string parent = root;
    for (const std::string& step : path) {
      levels_.push_back({.parent = parent, .after = step});
      parent = step;
    }
    descend(parent);
  }

  /// Nothing at the end.
  Result<std::optional<Descendant>> next() {
    while (!levels_.empty()) {
      DOLMEN_TRY_VOID(fill(levels_.back()));
      Level& level = levels_.back();
      if (level.ahead.empty()) {
        levels_.pop_back();
        continue;
      }
      relation::Edge edge = std::move(level.ahead.front());
      level.ahead.pop_front();
      level.after = edge.child;
      const auto depth = static_cast<unsigned>(levels_.size());
      descend(edge.child);
      return Descendant{std::move(edge.child), std::move(edge.parent), depth, std::move(edge.created_at)};
    }
    return std::nullopt;
  }

  /// The way to the node that was visited last, for the next page.
  [[nodiscard]] std::string path() const {
    std::string text;
    for (const Level& level : levels_) {
      if (level.after.empty()) break;
      if (!text.empty()) text += kPathMark;
      text += level.after;
    }
    return text;
  }

 private:
  void descend(const std::string& parent) {
    if (depth_max_ == 0 || levels_.size() < depth_max_) levels_.push_back({.parent = parent, .after = {}});
  }

  Result<void> fill(Level& level) {
    while (level.ahead.empty() && !level.read_to_end) {
      const std::string partition = relation::parent_key_text(level.parent);
      QueryOptions query{.key = key("PK") == partition,
                         .descending = page_.descending,
                         .limit = kReadAhead,
                         .page_size = kReadAhead,
                         .consistent_read = true};
      if (!level.after.empty()) query.start_after = relation::edge_key(level.parent, level.after);
      DOLMEN_TRY(const Page read, graph_.store.query_page(graph_.table, query));
      for (const Item& item : read.items) {
        DOLMEN_TRY(relation::Edge edge, relation::read_edge(item));
        level.ahead.push_back(std::move(edge));
      }
      level.read_to_end = !read.last_key;
      if (level.ahead.empty() && read.last_key)
        level.after = text_of(*read.last_key, "SK").substr(relation::child_key_text("").size());
    }
    return {};
  }

  Graph& graph_;
  const ListOptions& page_;
  unsigned depth_max_;
  std::vector<Level> levels_;
};

}  // namespace

Result<ListPage<Descendant>> relation::read_descendants(Graph& graph, const std::string& urn, unsigned depth_max,
                                                        const ListOptions& page) {
  DOLMEN_TRY_VOID(relation::check_limit(page));
  DOLMEN_TRY_VOID(graph.live_row(urn));
  const std::string identity =
      relation::list_identity(graph, "descendants " + std::to_string(depth_max), urn, page.descending);
  Walk walk(graph, page, depth_max);
  if (page.token.empty()) {
    walk.begin(urn);
  } else {
    DOLMEN_TRY(const std::string path, relation::read_token(identity, page.token));
    walk.resume(urn, split(path));
  }
  ListPage<Descendant> made;
  while (made.items.size() < page.limit) {
    DOLMEN_TRY(std::optional<Descendant> next, walk.next());
    if (!next) return made;
    made.items.push_back(*std::move(next));
  }
  made.token = relation::make_token(identity, walk.path());
  return made;
}

Result<ListPage<Descendant>> Relations::descendants(const std::string& urn, unsigned depth_max,
                                                    const ListOptions& page) {
  return relation::read_descendants(*graph_, urn, depth_max, page);
}

}  // namespace dolmen
