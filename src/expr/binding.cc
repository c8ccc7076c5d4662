#include "expr/binding.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "base/limits.h"
#include "expr/operand_check.h"
#include "expr/path_rules.h"

namespace dolmen::expr {
namespace {

bool is_connective(const Node& node) {
  return node.kind == NodeKind::kAnd || node.kind == NodeKind::kOr || node.kind == NodeKind::kNot;
}

}  // namespace

Result<Node> Binder::condition(Node parsed) {
  DOLMEN_TRY_VOID(bind_conditions(parsed));
  return parsed;
}

/// Each comparison and function is bound and checked before the next one, in the order of the text.
Result<void> Binder::bind_conditions(Node& node) {
  if (is_connective(node)) {
    for (Node& child : node.children) DOLMEN_TRY_VOID(bind_conditions(child));
    return {};
  }
  DOLMEN_TRY_VOID(bind_node(node));
  return check_condition_operands(node);
}

Result<std::vector<UpdateAction>> Binder::update(std::vector<UpdateAction> parsed) {
  // All names come before all values.
  for (UpdateAction& action : parsed) DOLMEN_TRY_VOID(bind_path(action.path));
  for (UpdateAction& action : parsed)
    if (action.section != Section::kRemove) DOLMEN_TRY_VOID(bind_node(action.operand));
  std::vector<const Path*> paths;
  for (const UpdateAction& action : parsed) paths.push_back(&action.path);
  DOLMEN_TRY_VOID(check_apart(paths));
  for (const UpdateAction& action : parsed) DOLMEN_TRY_VOID(check_update_operands(action));
  return parsed;
}

Result<std::vector<Path>> Binder::projection(std::vector<Path> parsed) {
  std::vector<const Path*> paths;
  for (Path& path : parsed) {
    DOLMEN_TRY_VOID(bind_path(path));
    paths.push_back(&path);
  }
  DOLMEN_TRY_VOID(check_apart(paths));
  return parsed;
}

Result<void> Binder::bind_node(Node& node) {
  if (node.kind == NodeKind::kPath) return bind_path(node.path);
  if (node.kind == NodeKind::kValue) {
    node.value = placeholders_.values.find(node.text);
    if (node.value == nullptr)
      return fail(Code::kValidation,
                  "An expression attribute value used in expression is not defined; attribute value: {}", node.text);
    used_values_.insert(node.text);
  }
  for (Node& child : node.children) DOLMEN_TRY_VOID(bind_node(child));
  return {};
}

Result<void> Binder::bind_path(Path& path) {
  for (Path::Part& part : path.parts) {
    auto* name = std::get_if<std::string>(&part);
    if (name == nullptr || !name->starts_with('#')) continue;
    const auto found = placeholders_.names.find(*name);
    if (found == placeholders_.names.end())
      return fail(Code::kValidation,
                  "An expression attribute name used in the document path is not defined; attribute name: {}", *name);
    used_names_.insert(found->first);
    *name = found->second;
  }
  return {};
}

Result<void> Binder::check_all_used() const {
  std::vector<std::string_view> unused;
  for (const auto& [name, attribute] : placeholders_.names)
    if (!used_names_.contains(name)) unused.push_back(name);
  if (!unused.empty())
    return fail(Code::kValidation, "Value provided in ExpressionAttributeNames unused in expressions: keys: {{{}}}",
                fmt::join(unused, ", "));
  for (const auto& [name, value] : placeholders_.values)
    if (!used_values_.contains(name)) unused.push_back(name);
  if (!unused.empty())
    return fail(Code::kValidation, "Value provided in ExpressionAttributeValues unused in expressions: keys: {{{}}}",
                fmt::join(unused, ", "));
  return {};
}

}  // namespace dolmen::expr
