// dolmen relation graph: a family and its memberships as a picture.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/fail.h"
#include "cli/relation_flags.h"
#include "cli/write_file.h"

namespace dolmen::cli {
namespace {

/// A picture of more than this cannot be read.
constexpr std::size_t kNodesMax = 500;
constexpr int kColumn = 260;
constexpr int kLine = 58;
constexpr int kBoxWidth = 200;
constexpr int kBoxHeight = 42;
constexpr int kMargin = 24;
/// The title stands above the boxes, the legend below them.
constexpr int kTitleHeight = 34;
constexpr int kLegendHeight = 40;
constexpr int kLegendWidth = 560;
constexpr std::size_t kLabelMax = 26;

constexpr std::string_view kHead =
    "<style>.box{fill:#f4f1ea;stroke:#5b5446}.out{fill:#fff;stroke:#9a9486}"
    ".edge{fill:none;stroke:#5b5446;stroke-width:1.5;marker-end:url(#child)}"
    ".member{fill:none;stroke:#2b6cb0;stroke-dasharray:5 4;marker-end:url(#belongs)}"
    ".conveys{stroke-dasharray:none}.type{font-size:11px;fill:#6f6857}.label{font-size:14px;fill:#222}"
    ".title{font-size:16px;font-weight:bold;fill:#222}</style>\n"
    "<defs><marker id=\"child\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
    "orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#5b5446\"/></marker><marker id=\"belongs\" "
    "viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">"
    "<path d=\"M0 0 L8 4 L0 8 z\" fill=\"#2b6cb0\"/></marker></defs>\n"
    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";

struct Node {
  Resource resource;
  std::vector<std::string> children = {};
  int depth = 0;
  double line = 0;
  /// Only linked by a membership, not part of the family.
  bool outside = false;
};

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) {
    switch (c) {
      case '&': made += "&amp;"; break;
      case '<': made += "&lt;"; break;
      case '>': made += "&gt;"; break;
      case '"': made += "&quot;"; break;
      default: made += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return made;
}

/// At most so many characters, which may have several bytes.
std::string shortened(const std::string& text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (begins && ++characters > kLabelMax) return text.substr(0, i) + "…";
  }
  return text;
}

class Picture {
 public:
  Picture(Relations& graph, unsigned depth_max) : graph_(graph), depth_max_(depth_max) {}

  Result<void> collect(const std::string& root) {
    DOLMEN_TRY(Resource resource, graph_.get(root));
    root_ = root;
    DOLMEN_TRY_VOID(add(root, std::move(resource), 0));
    DOLMEN_TRY_VOID(collect_family());
    DOLMEN_TRY_VOID(collect_memberships());
    double line = 0;
    place(root, line);
    double outside_line = 0;
    for (const std::string& urn : order_) {
      Node& node = nodes_.at(urn);
      if (!node.outside) continue;
      node.depth = deepest_ + 1;
      node.line = outside_line++;
    }
    lines_ = std::max(line, outside_line);
    return {};
  }

  [[nodiscard]] std::string svg() const {
    const int drawn = 2 * kMargin + (deepest_ + (has_outside_ ? 1 : 0)) * kColumn + kBoxWidth;
    const int width = std::max(drawn, 2 * kMargin + kLegendWidth);
    const int boxes_end = kMargin + kTitleHeight + static_cast<int>(lines_ - 1) * kLine + kBoxHeight;
    const Resource& root = nodes_.at(root_).resource;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" role=\"img\">\n",
        width, boxes_end + kLegendHeight + kMargin);
    out += kHead;
    out += fmt::format("<text class=\"title\" x=\"{}\" y=\"{}\">{} {}: {}</text>\n", kMargin, kMargin + 6,
                       escaped(root.type), escaped(shortened(label_of(root))), counted());
    for (const std::string& urn : order_)
      for (const std::string& child : nodes_.at(urn).children) out += edge(nodes_.at(urn), nodes_.at(child));
    for (const Membership& each : memberships_) out += membership(each);
    for (const std::string& urn : order_) out += box(nodes_.at(urn));
    return out + legend(boxes_end + kLegendHeight) + "</svg>\n";
  }

  [[nodiscard]] LogicalItem json() const {
    LogicalValue::List nodes;
    LogicalValue::List edges;
    LogicalValue::List members;
    for (const std::string& urn : order_) {
      nodes.emplace_back(describe_resource(nodes_.at(urn).resource));
      for (const std::string& child : nodes_.at(urn).children)
        edges.emplace_back(LogicalItem{{"parent", urn}, {"child", child}});
    }
    for (const Membership& each : memberships_)
      members.emplace_back(LogicalItem{{"collection", each.collection},
                                       {"member", each.member},
                                       {"conveysAuthorization", each.conveys_authorization}});
    return {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"memberships", std::move(members)}};
  }

 private:
  Result<void> add(const std::string& urn, Resource resource, int depth) {
    if (nodes_.size() >= kNodesMax)
      return fail(Code::kLimitExceeded, "a picture of more than {} resources cannot be drawn; give a smaller --depth",
                  kNodesMax);
    nodes_.emplace(urn, Node{.resource = std::move(resource), .depth = depth});
    order_.push_back(urn);
    deepest_ = std::max(deepest_, depth);
    return {};
  }

  Result<void> collect_family() {
    ListOptions options{.limit = kNodesMax};
    do {
      DOLMEN_TRY(const ListPage<Descendant> page, graph_.descendants(root_, depth_max_, options));
      std::vector<std::string> urns;
      for (const Descendant& each : page.items) urns.push_back(each.urn);
      DOLMEN_TRY(std::vector<std::optional<Resource>> found, graph_.get_many(urns));
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i] || !nodes_.contains(page.items[i].parent)) continue;
        DOLMEN_TRY_VOID(add(urns[i], *std::move(found[i]), static_cast<int>(page.items[i].depth)));
        nodes_.at(page.items[i].parent).children.push_back(urns[i]);
      }
      options.token = page.token;
    } while (!options.token.empty());
    return {};
  }

  Result<void> collect_memberships() {
    for (const std::string& urn : std::vector<std::string>(order_)) {
      DOLMEN_TRY(const ListPage<Membership> in, graph_.collections(urn, {.limit = kNodesMax}));
      for (const Membership& each : in.items) DOLMEN_TRY_VOID(add_membership(each, each.collection));
      DOLMEN_TRY(const ListPage<Membership> of, graph_.members(urn, {.limit = kNodesMax}));
      for (const Membership& each : of.items)
        // One whose two ends are in the family is noted from the member's side.
        if (!nodes_.contains(each.member) || nodes_.at(each.member).outside)
          DOLMEN_TRY_VOID(add_membership(each, each.member));
    }
    return {};
  }

  Result<void> add_membership(const Membership& membership, const std::string& other) {
    if (!nodes_.contains(other)) {
      Result<Resource> resource = graph_.get(other);
      // It was deleted meanwhile.
      if (!resource) return {};
      const int deepest = deepest_;
      DOLMEN_TRY_VOID(add(other, *std::move(resource), 0));
      deepest_ = deepest;
      nodes_.at(other).outside = true;
      has_outside_ = true;
    }
    memberships_.push_back(membership);
    return {};
  }

  /// Leaves on lines of their own, parents in the middle of their children.
  void place(const std::string& urn, double& line) {
    Node& node = nodes_.at(urn);
    if (node.children.empty()) {
      node.line = line++;
      return;
    }
    for (const std::string& child : node.children) place(child, line);
    node.line = (nodes_.at(node.children.front()).line + nodes_.at(node.children.back()).line) / 2;
  }

  static int left(const Node& node) { return kMargin + node.depth * kColumn; }
  static int top(const Node& node) { return kMargin + kTitleHeight + static_cast<int>(node.line * kLine); }

  [[nodiscard]] std::string counted() const {
    const auto outside = std::ranges::count_if(nodes_, [](const auto& each) { return each.second.outside; });
    const auto some = [](std::size_t count, std::string_view one, std::string_view many) {
      return fmt::format("{} {}", count, count == 1 ? one : many);
    };
    std::string text = some(nodes_.size() - static_cast<std::size_t>(outside), "resource", "resources");
    if (outside > 0) text += ", " + some(static_cast<std::size_t>(outside), "other", "others");
    return text + ", " + some(memberships_.size(), "membership", "memberships");
  }

  static std::string legend(int y) {
    const auto entry = [y](int x, std::string_view style, std::string_view text) {
      return fmt::format("<path class=\"{}\" d=\"M{} {} L{} {}\"/><text class=\"type\" x=\"{}\" y=\"{}\">{}</text>\n",
                         style, x, y, x + 40, y, x + 48, y + 4, text);
    };
    return entry(kMargin, "edge", "parent to child") + entry(kMargin + 160, "member", "collection to member") +
           entry(kMargin + 350, "member conveys", "the same, conveys authorisation");
  }

  static std::string edge(const Node& from, const Node& to) {
    const int x1 = left(from) + kBoxWidth;
    const int y1 = top(from) + kBoxHeight / 2;
    const int x2 = left(to);
    const int y2 = top(to) + kBoxHeight / 2;
    return fmt::format("<path class=\"edge\" d=\"M{} {} C{} {} {} {} {} {}\"/>\n", x1, y1, (x1 + x2) / 2, y1,
                       (x1 + x2) / 2, y2, x2, y2);
  }

  [[nodiscard]] std::string membership(const Membership& each) const {
    const Node& from = nodes_.at(each.collection);
    const Node& to = nodes_.at(each.member);
    // From below the collection to the near side of the member, so that the line passes under what is between them.
    const int x1 = left(from) + kBoxWidth / 2;
    const int y1 = top(from) + kBoxHeight;
    const int x2 = left(to) + (from.depth < to.depth ? 0 : kBoxWidth);
    const int y2 = top(to) + kBoxHeight / 2;
    const int turn = from.depth < to.depth ? -kMargin : kMargin;
    return fmt::format("<path class=\"member{}\" d=\"M{} {} C{} {} {} {} {} {}\"><title>{}</title></path>\n",
                       each.conveys_authorization ? " conveys" : "", x1, y1, x1, y1 + kMargin, x2 + 2 * turn,
                       y2 + 2 * kMargin, x2, y2,
                       each.conveys_authorization ? "member, conveys authorisation" : "member");
  }

  static std::string box(const Node& node) {
    const int x = left(node);
    const int y = top(node);
    return fmt::format(
        "<g><title>{}</title><rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>"
        "<text class=\"type\" x=\"{}\" y=\"{}\">{}</text><text class=\"label\" x=\"{}\" y=\"{}\">{}</text></g>\n",
        escaped(node.resource.urn), node.outside ? "out" : "box", x, y, kBoxWidth, kBoxHeight, x + 10, y + 16,
        escaped(shortened(node.resource.type)), x + 10, y + 34, escaped(shortened(label_of(node.resource))));
  }

  Relations& graph_;
  unsigned depth_max_;
  std::string root_;
  std::map<std::string, Node> nodes_;
  std::vector<std::string> order_;
  std::vector<Membership> memberships_;
  int deepest_ = 0;
  bool has_outside_ = false;
  double lines_ = 1;
};

}  // namespace

Result<RelationAnswer> draw_graph(Relations& graph, const RelationFlags& flags) {
  if (!flags.svg && !flags.json)
    return fail(Code::kInvalidArgument, "the form of the picture is missing; give --svg or --json");
  Picture picture(graph, flags.depth);
  DOLMEN_TRY_VOID(picture.collect(flags.urn));
  RelationAnswer made{.text = picture.svg(), .json = picture.json()};
  if (flags.svg && !flags.output.empty()) {
    DOLMEN_TRY_VOID(write_file(flags.output, made.text));
    made.text = flags.output + "\n";
  }
  return made;
}

}  // namespace dolmen::cli
