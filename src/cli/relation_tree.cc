// dolmen relation tree: a family as a person would draw it.
#include <fmt/format.h>

#include "cli/relation_flags.h"

namespace dolmen::cli {
namespace {

constexpr std::uint32_t kPage = 1000;

std::string created_on(const Resource& resource) {
  return resource.created_at.substr(0, std::string_view("2026-11-02").size());
}

/// Draws a node's children, and theirs.
class TreeDrawing {
 public:
  TreeDrawing(Relations& graph, unsigned depth_max) : graph_(graph), depth_max_(depth_max) {}

  Result<LogicalItem> draw(const std::string& urn) {
    DOLMEN_TRY(const Resource root, graph_.get(urn));
    text_ = fmt::format("{}  {}\n", root.type, label_of(root));
    return below(root, "", 1);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  Result<LogicalItem> below(const Resource& node, const std::string& indent, unsigned depth) {
    LogicalItem described = describe_resource(node);
    LogicalValue::List list;
    if (depth_max_ == 0 || depth <= depth_max_) {
      DOLMEN_TRY(const std::vector<Resource> children, children_of(node.urn));
      for (const Resource& child : children) {
        const bool last = &child == &children.back();
        text_ += fmt::format("{}{} {}  {}  created {}\n", indent, last ? "└─" : "├─", child.type, label_of(child),
                             created_on(child));
        DOLMEN_TRY(LogicalItem subtree, below(child, indent + (last ? "   " : "│  "), depth + 1));
        list.emplace_back(std::move(subtree));
      }
    }
    described["children"] = std::move(list);
    return described;
  }

  Result<std::vector<Resource>> children_of(const std::string& urn) {
    std::vector<Resource> children;
    ListOptions options{.limit = kPage};
    do {
      DOLMEN_TRY(const ListPage<ChildLink> page, graph_.children(urn, options));
      std::vector<std::string> urns;
      for (const ChildLink& child : page.items) urns.push_back(child.urn);
      DOLMEN_TRY(std::vector<std::optional<Resource>> found, graph_.get_many(urns));
      for (std::optional<Resource>& each : found)
        if (each) children.push_back(*std::move(each));
      options.token = page.token;
    } while (!options.token.empty());
    return children;
  }

  Relations& graph_;
  unsigned depth_max_;
  std::string text_;
};

}  // namespace

std::string label_of(const Resource& resource) {
  for (const char* name : {"name", "title", "label"})
    if (const AttributeValue* value = resource.attributes.find(name))
      if (const auto* text = value->get_if<std::string>()) return *text;
  constexpr std::size_t kShort = 8;
  if (resource.id.size() <= kShort) return resource.id;
  return fmt::format("{}…{}", resource.id.substr(0, 4), resource.id.substr(resource.id.size() - 4));
}

Result<RelationAnswer> draw_tree(Relations& graph, const RelationFlags& flags) {
  TreeDrawing drawing(graph, flags.depth);
  DOLMEN_TRY(LogicalItem json, drawing.draw(flags.urn));
  RelationAnswer made;
  made.text = drawing.text();
  made.json = std::move(json);
  return made;
}

}  // namespace dolmen::cli
