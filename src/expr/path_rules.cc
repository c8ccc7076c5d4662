#include "expr/path_rules.h"

namespace dolmen::expr {

void collect_paths(const Node& node, std::vector<const Path*>& paths) {
  if (node.kind == NodeKind::kPath) paths.push_back(&node.path);
  for (const Node& child : node.children) collect_paths(child, paths);
}

void collect_paths(const UpdateAction& action, std::vector<const Path*>& paths) {
  paths.push_back(&action.path);
  if (action.section != Section::kRemove) collect_paths(action.operand, paths);
}

}  // namespace dolmen::expr
