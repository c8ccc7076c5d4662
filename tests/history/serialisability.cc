#include "serialisability.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

namespace dolmen::history {
namespace {

/// Why one transaction comes before another.
enum class Because : std::uint8_t { kReplaced, kRead, kReadBefore, kTime };

const char* text_of(Because because) {
  switch (because) {
    case Because::kReplaced: return "whose write was replaced by";
    case Because::kRead: return "whose write was read by";
    case Because::kReadBefore: return "which read what was replaced by";
    case Because::kTime: return "which had ended before";
  }
  return "";
}

struct Edge {
  std::size_t to = 0;
  Because because = Because::kTime;
};

struct Version {
  std::size_t key = 0;
  State value = kNothing;

  bool operator==(const Version&) const = default;
};

struct VersionHash {
  std::size_t operator()(const Version& version) const {
    return std::hash<std::int64_t>()(version.value) * 31 + version.key;
  }
};

class Graph {
 public:
  explicit Graph(const History& history) : history_(history), transactions_(history.transactions) {}

  std::vector<std::string> check() {
    find_writers();
    if (!complaints_.empty()) return std::move(complaints_);
    find_done();
    edges_.resize(transactions_.size());
    find_dependencies();
    if (!complaints_.empty()) return std::move(complaints_);
    add_times();
    find_circle();
    return std::move(complaints_);
  }

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
  static constexpr std::size_t kCirclesMax = 16;
  static constexpr std::size_t kNamedMax = 12;

  void complain(std::string text) { complaints_.push_back(std::move(text)); }

  std::string name_of(const Version& version) const {
    return fmt::format("{} of {}", version.value == kNothing ? "nothing" : fmt::format("{}", version.value),
                       history_.keys[version.key]);
  }

  void find_writers() {
    for (std::size_t i = 0; i < transactions_.size(); ++i)
      for (const Access& write : transactions_[i].writes) {
        const auto [place, added] = writers_.try_emplace({write.key, write.value}, i);
        if (!added)
          complain(fmt::format("lines {} and {} both write {}: values must be unique",
                               transactions_[place->second].line, transactions_[i].line,
                               name_of({write.key, write.value})));
      }
  }

  [[nodiscard]] std::size_t writer_of(const Access& access) const {
    const auto found = writers_.find({access.key, access.value});
    return found == writers_.end() ? kNobody : found->second;
  }

  /// Those that were acknowledged, and those of unknown outcome that one of them, or another of these, has read.
  void find_done() {
    done_.assign(transactions_.size(), false);
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < transactions_.size(); ++i)
      if (transactions_[i].outcome == Outcome::kDone) waiting.push_back(i);
    for (const std::size_t i : waiting) done_[i] = true;
    while (!waiting.empty()) {
      const std::size_t reader = waiting.back();
      waiting.pop_back();
      for (const Access& read : transactions_[reader].reads) {
        const std::size_t writer = writer_of(read);
        if (writer == kNobody) {
          if (read.value != kNothing)
            complain(fmt::format("line {} reads {}, which nobody has written", transactions_[reader].line,
                                 name_of({read.key, read.value})));
        } else if (transactions_[writer].outcome == Outcome::kRefused) {
          complain(fmt::format("dirty read: line {} reads {}, which line {} wrote and which was refused",
                               transactions_[reader].line, name_of({read.key, read.value}),
                               transactions_[writer].line));
        } else if (!done_[writer]) {
          done_[writer] = true;
          waiting.push_back(writer);
        }
      }
    }
  }

  void find_dependencies() {
    std::unordered_map<Version, std::size_t, VersionHash> replaced_by;
    for (std::size_t i = 0; i < transactions_.size(); ++i) {
      if (!done_[i]) continue;
      for (const Access& read : transactions_[i].reads)
        if (writes(i, read.key)) {
          const auto [place, added] = replaced_by.try_emplace({read.key, read.value}, i);
          if (!added)
            complain(fmt::format("lost update: lines {} and {} both replace {}", transactions_[place->second].line,
                                 transactions_[i].line, name_of({read.key, read.value})));
        }
    }
    for (std::size_t i = 0; i < transactions_.size(); ++i) {
      if (!done_[i]) continue;
      for (const Access& read : transactions_[i].reads) add_read(i, read, replaced_by);
    }
  }

  void add_read(std::size_t reader, const Access& read,
                const std::unordered_map<Version, std::size_t, VersionHash>& replaced_by) {
    const std::size_t writer = writer_of(read);
    const bool replaces = writes(reader, read.key);
    if (writer != kNobody && writer != reader)
      edges_[writer].push_back({reader, replaces ? Because::kReplaced : Because::kRead});
    const auto next = replaced_by.find({read.key, read.value});
    if (next != replaced_by.end() && next->second != reader)
      edges_[reader].push_back({next->second, Because::kReadBefore});
    if (writer == reader) complain(fmt::format("line {} reads its own write", transactions_[reader].line));
  }

  [[nodiscard]] bool writes(std::size_t transaction, std::size_t key) const {
    return std::ranges::any_of(transactions_[transaction].writes,
                               [&](const Access& write) { return write.key == key; });
  }

  /// A node for each end, in their order: what ended leads to it, and it leads to the next and to what began after it.
  void add_times() {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < transactions_.size(); ++i)
      if (done_[i] && transactions_[i].ended != kNever) ends.push_back(i);
    std::ranges::sort(ends, {}, [this](std::size_t i) { return transactions_[i].ended; });
    const std::size_t first = transactions_.size();
    edges_.resize(first + ends.size());
    for (std::size_t n = 0; n < ends.size(); ++n) {
      edges_[ends[n]].push_back({first + n, Because::kTime});
      if (n + 1 < ends.size()) edges_[first + n].push_back({first + n + 1, Because::kTime});
    }
    for (std::size_t i = 0; i < transactions_.size(); ++i) {
      if (!done_[i]) continue;
      const auto later = std::ranges::lower_bound(ends, transactions_[i].began, {},
                                                  [this](std::size_t end) { return transactions_[end].ended; });
      if (later != ends.begin())
        edges_[first + static_cast<std::size_t>(later - ends.begin()) - 1].push_back({i, Because::kTime});
    }
  }

  /// Walks in depth; an edge to a node that is on the way closes a circle.
  void find_circle() {
    enum class Mark : std::uint8_t { kNew, kOnTheWay, kLeft };
    std::vector<Mark> marks(edges_.size(), Mark::kNew);
    struct Step {
      std::size_t node = 0;
      std::size_t next = 0;
    };
    std::vector<Step> way;
    for (std::size_t start = 0; start < edges_.size(); ++start) {
      if (marks[start] != Mark::kNew) continue;
      way.push_back({.node = start});
      marks[start] = Mark::kOnTheWay;
      while (!way.empty()) {
        Step& step = way.back();
        if (step.next == edges_[step.node].size()) {
          marks[step.node] = Mark::kLeft;
          way.pop_back();
          continue;
        }
        const Edge edge = edges_[step.node][step.next++];
        if (marks[edge.to] == Mark::kOnTheWay) {
          std::vector<std::size_t> nodes;
          for (const Step& each : way) nodes.push_back(each.node);
          nodes.erase(nodes.begin(), std::ranges::find(nodes, edge.to));
          return describe(nodes);
        }
        if (marks[edge.to] == Mark::kLeft) continue;
        marks[edge.to] = Mark::kOnTheWay;
        way.push_back({.node = edge.to});
      }
    }
  }

  /// A circle that was found may be long; the shortest one through one of its transactions says more.
  void describe(const std::vector<std::size_t>& circle) {
    std::vector<Edge> best;
    std::size_t best_start = 0;
    // Each costs a walk through the graph, so a few have to do.
    const std::size_t stride = std::max<std::size_t>(1, circle.size() / kCirclesMax);
    for (std::size_t i = 0; i < circle.size(); i += stride) {
      // Ends are no transactions; what comes before one is.
      const std::size_t start = circle[i] < transactions_.size() || i == 0 ? circle[i] : circle[i - 1];
      if (start >= transactions_.size()) continue;
      std::vector<Edge> found = shortest_circle(start);
      if (!found.empty() && (best.empty() || found.size() < best.size())) {
        best = std::move(found);
        best_start = start;
      }
    }
    if (best.empty()) {
      best_start = *std::ranges::find_if(circle, [this](std::size_t node) { return node < transactions_.size(); });
      best = shortest_circle(best_start);
    }
    std::string text = fmt::format("not serialisable: line {}", transactions_[best_start].line);
    std::size_t readers = 0;
    std::size_t named = 0;
    for (const Edge& edge : best) {
      readers += edge.because == Because::kReadBefore ? 1 : 0;
      if (edge.to < transactions_.size() && ++named <= kNamedMax)
        text += fmt::format(", {} line {}", text_of(edge.because), transactions_[edge.to].line);
    }
    if (named > kNamedMax) text += fmt::format(" and so on, over {} more", named - kNamedMax);
    complain(text + (readers > 1 ? " (write skew)" : ""));
  }

  [[nodiscard]] std::vector<Edge> shortest_circle(std::size_t start) const {
    std::vector<std::optional<std::pair<std::size_t, Edge>>> from(edges_.size());
    std::vector<std::size_t> queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const Edge& edge : edges_[queue[head]]) {
        if (from[edge.to]) continue;
        from[edge.to] = std::pair(queue[head], edge);
        if (edge.to != start) {
          queue.push_back(edge.to);
          continue;
        }
        std::vector<Edge> circle;
        std::size_t node = start;
        do {
          circle.push_back(from[node]->second);
          node = from[node]->first;
        } while (node != start);
        std::ranges::reverse(circle);
        return circle;
      }
    return {};
  }

  const History& history_;
  const std::vector<Transaction>& transactions_;
  std::unordered_map<Version, std::size_t, VersionHash> writers_;
  std::vector<bool> done_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::string> complaints_;
};

}  // namespace

std::vector<std::string> find_not_serialisable(const History& history) { return Graph(history).check(); }

}  // namespace dolmen::history
