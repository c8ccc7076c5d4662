#include "scenario/step_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace dolmen::scenario {

namespace {

using config::child_path;
using config::Node;
using Kind = Node::Kind;

/// What each operation takes, besides op, model, expect and description.
const std::map<std::string_view, NameList> kFieldsOfOperations{
    {"create", {"item", "if_not_exists", "condition", "save"}},
    {"save", {"item", "save"}},
    {"upsert", {"item", "save"}},
    {"get", {"key", "save"}},
    {"get_optional", {"key", "save"}},
    {"update", {"item", "fields", "protected_attributes", "save"}},
    {"change",
     {"key", "set", "set_if_not_exists", "add", "remove", "delete", "append", "prepend", "set_element",
      "remove_element", "condition", "version", "save"}},
    {"delete", {"key", "version", "condition"}},
    {"check", {"key", "condition"}},
    {"query",
     {"index", "partition", "sort_key", "filter", "project", "order", "limit", "consistent_read", "cursor",
      "cursor_text", "save_cursor"}},
    {"scan",
     {"index", "filter", "project", "limit", "segments", "consistent_read", "cursor", "cursor_text", "save_cursor"}},
    {"count",
     {"of", "index", "partition", "sort_key", "filter", "project", "order", "limit", "consistent_read", "cursor_text"}},
    {"batch_get", {"keys"}},
    {"batch_write", {"puts", "deletes"}},
    {"transact_get", {"gets"}},
    {"transaction", {"actions"}},
    {"transact_write", {}},
    {"transition_append_event", {}},
    {"sleep", {"ms"}},
};

/// What the actions of a transaction take, besides op and model.
const std::map<std::string_view, NameList> kFieldsOfActions{
    {"create", {"item", "if_not_exists", "condition"}},
    {"update", {"item", "fields"}},
    {"set", {"key", "set", "version"}},
    {"change",
     {"key", "set", "set_if_not_exists", "add", "remove", "delete", "append", "prepend", "set_element",
      "remove_element", "condition", "version"}},
    {"delete", {"key", "version", "condition"}},
    {"check", {"key", "condition"}},
};
const NameList kExpressionNames{"condition_expression", "expression_attribute_names", "expression_attribute_values"};

const std::map<std::string_view, NameList> kFieldsOfNewerActions{
    {"put", {"item", "if_not_exists"}},
    {"create", {"item"}},
    {"update", {"key", "set"}},
    {"delete", {"key"}},
    {"condition", {"key"}},
};

const NameList kOfAnyStep{"ok", "error", "errors"};
const NameList kOfOneItem{
    "item_contains",       "item_equals",         "raw_item_contains",     "item_has_fields",
    "item_missing_fields", "raw_attribute_types", "item_field_equals_var", "item_field_not_equals_var"};
const NameList kOfManyItems{"items", "items_any_order", "items_contains", "items_missing_fields",
                            "count", "item_count"};
const NameList kOfPages{"has_cursor", "cursor_equals"};
/// Empty, these say nothing.
const NameList kNotEmpty{"errors",
                         "item_contains",
                         "item_equals",
                         "raw_item_contains",
                         "items_contains",
                         "items_missing_fields",
                         "item_has_fields",
                         "item_missing_fields",
                         "raw_attribute_types",
                         "item_field_equals_var",
                         "item_field_not_equals_var"};

bool contains(const NameList& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

NameList joined(std::initializer_list<NameList> lists) {
  NameList all;
  for (const NameList& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

template <class Map>
NameList names_in(const Map& map) {
  NameList names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

/// What may be expected of an operation.
NameList expectations_of(std::string_view op) {
  if (op == "query" || op == "scan") return joined({kOfAnyStep, kOfManyItems, kOfPages});
  if (op == "batch_get" || op == "transact_get") return joined({kOfAnyStep, kOfManyItems});
  if (op == "count") return joined({kOfAnyStep, {"count", "item_count"}});
  if (op == "transaction" || op == "transact_write" || op == "transition_append_event")
    return joined({kOfAnyStep, {"failed_action"}});
  if (op == "batch_write" || op == "sleep") return kOfAnyStep;
  if (op == "get_optional") return joined({kOfAnyStep, kOfOneItem, {"item_absent"}});
  return joined({kOfAnyStep, kOfOneItem});
}

bool is_empty_collection(const Node& node) {
  return (node.kind == Kind::kMap && node.entries.empty()) || (node.kind == Kind::kList && node.elements.empty());
}

bool has_newer_form(const Node& step, std::string_view op) {
  if (op == "transact_write" || op == "transition_append_event") return true;
  return contains({"query", "scan", "count", "batch_get", "batch_write", "transact_get"}, op) &&
         step.find(op) != nullptr;
}

}  // namespace

void StepNames::add(const Node& node, std::string path, std::string rule, std::string message) {
  problems_.push_back({node.position, std::move(path), std::move(rule), std::move(message)});
}

bool StepNames::is_map(const Node& node, const std::string& path) {
  if (node.kind == Kind::kMap) return true;
  add(node, path, "shape",
      fmt::format("{} must be a map, not a {}", path.empty() ? "a scenario" : path, kind_name(node.kind)));
  return false;
}

void StepNames::check_names(const Node& map, const std::string& path, const NameList& known) {
  for (const Node::Entry& entry : map.entries)
    if (!contains(known, entry.name))
      problems_.push_back({entry.name_position, child_path(path, entry.name), "unknown",
                           fmt::format("\"{}\" is not allowed here; use {}", entry.name, fmt::join(known, ", "))});
}

std::string StepNames::text(const Node& map, const std::string& path, std::string_view name) {
  const Node* node = map.find(name);
  if (node != nullptr && node->kind == Kind::kString && !node->text.empty()) return node->text;
  add(node == nullptr ? map : *node, child_path(path, name), "text",
      node == nullptr ? fmt::format("{} is missing; add it", name) : fmt::format("{} must be text", name));
  return {};
}

template <class Check>
void StepNames::each(const Node& list, const std::string& path, Check check) {
  if (list.kind != Kind::kList)
    return add(list, path, "shape", fmt::format("{} must be a list, not a {}", path, kind_name(list.kind)));
  for (std::size_t i = 0; i < list.elements.size(); ++i) check(list.elements[i], child_path(path, i));
}

void StepNames::check_step(const Node& step, const std::string& path) {
  if (!is_map(step, path)) return;
  const std::string op = text(step, path, "op");
  const auto operation = kFieldsOfOperations.find(op);
  if (operation == kFieldsOfOperations.end())
    return add(step, path, "op",
               fmt::format("the op is not known; use {}", fmt::join(names_in(kFieldsOfOperations), ", ")));
  const NameList of_every_step{"op", "model", "expect", "description"};
  if (has_newer_form(step, op)) {
    const NameList own = op == "transition_append_event" ? NameList{"actual", "event"} : NameList{op};
    check_names(step, path, joined({own, of_every_step}));
    check_newer(step, path, op);
  } else {
    check_names(step, path, joined({operation->second, of_every_step}));
    check_content(step, path);
  }
  if (const Node* expect = step.find("expect"); expect != nullptr)
    check_expectations(*expect, child_path(path, "expect"), op);
}

/// What stands inside the fields of a step or an action.
void StepNames::check_content(const Node& step, const std::string& path) {
  for (const char* name : {"condition", "filter", "sort_key"})
    if (const Node* list = step.find(name); list != nullptr) check_conditions(*list, child_path(path, name));
  if (const Node* element = step.find("set_element"); element != nullptr)
    if (is_map(*element, child_path(path, "set_element")))
      check_names(*element, child_path(path, "set_element"), {"field", "index", "value"});
  if (const Node* element = step.find("remove_element"); element != nullptr)
    if (is_map(*element, child_path(path, "remove_element")))
      check_names(*element, child_path(path, "remove_element"), {"field", "index"});
  if (const Node* actions = step.find("actions"); actions != nullptr)
    check_actions(*actions, child_path(path, "actions"));
  if (const Node* gets = step.find("gets"); gets != nullptr)
    each(*gets, child_path(path, "gets"), [&](const Node& get, const std::string& get_path) {
      if (is_map(get, get_path)) check_names(get, get_path, {"model", "key"});
    });
  check_combinations(step, path);
}

void StepNames::check_combinations(const Node& step, const std::string& path) {
  if (step.find("if_not_exists") != nullptr && step.find("condition") != nullptr)
    add(step, path, "condition", "if_not_exists is itself a condition; remove one of them");
  if (step.find("cursor") != nullptr && step.find("cursor_text") != nullptr)
    add(step, path, "cursor", "cursor and cursor_text say where the page begins; remove one of them");
  if (step.find("segments") == nullptr) return;
  for (const char* name : {"limit", "cursor", "cursor_text", "save_cursor"})
    if (step.find(name) != nullptr)
      add(*step.find(name), child_path(path, name), "segments",
          fmt::format("a scan of all segments reads to the end; remove {} or segments", name));
}

void StepNames::check_expectations(const Node& expect, const std::string& path, std::string_view op) {
  if (!is_map(expect, path)) return;
  check_names(expect, path, expectations_of(op));
  for (const Node::Entry& entry : expect.entries)
    if (contains(kNotEmpty, entry.name) && is_empty_collection(entry.value))
      add(entry.value, child_path(path, entry.name), "empty",
          fmt::format("{} is empty and expects nothing; remove it", entry.name));
  const Node* ok = expect.find("ok");
  for (const char* name : {"error", "errors"})
    if (ok != nullptr && ok->boolean && expect.find(name) != nullptr)
      add(*ok, child_path(path, "ok"), "contradiction", fmt::format("ok and {} cannot both hold; remove one", name));
  if (expect.find("error") != nullptr && expect.find("errors") != nullptr)
    add(expect, path, "contradiction", "error and errors say the same; remove one of them");
}

void StepNames::check_conditions(const Node& list, const std::string& path) {
  each(list, path, [&](const Node& condition, const std::string& each_path) { check_condition(condition, each_path); });
}

void StepNames::check_condition(const Node& condition, const std::string& path) {
  if (!is_map(condition, path)) return;
  for (const char* group : {"and", "or", "not"}) {
    const Node* parts = condition.find(group);
    if (parts == nullptr) continue;
    check_names(condition, path, {group});
    return check_conditions(*parts, child_path(path, group));
  }
  check_names(condition, path, {"field", "op", "value", "values"});
  if (condition.find("value") != nullptr && condition.find("values") != nullptr)
    add(condition, path, "values", "a comparison has a value or values; remove one of them");
}

void StepNames::check_actions(const Node& actions, const std::string& path) {
  each(actions, path, [&](const Node& action, const std::string& action_path) {
    if (!is_map(action, action_path)) return;
    const auto known = kFieldsOfActions.find(text(action, action_path, "op"));
    if (known == kFieldsOfActions.end())
      return add(action, action_path, "op",
                 fmt::format("an action must be one of {}", fmt::join(names_in(kFieldsOfActions), ", ")));
    check_names(action, action_path, joined({known->second, {"op", "model"}, kExpressionNames}));
    check_content(action, action_path);
  });
}

// ---- The newer forms ----

void StepNames::check_newer(const Node& step, const std::string& path, std::string_view op) {
  if (op == "transition_append_event") return check_transition(step, path);
  const Node* request = step.find(op);
  const std::string request_path = child_path(path, op);
  if (request == nullptr) return add(step, request_path, "shape", fmt::format("{} is missing; add it", op));
  if (is_map(*request, request_path)) check_request(*request, request_path, op);
}

void StepNames::check_request(const Node& request, const std::string& path, std::string_view op) {
  if (op == "query" || op == "scan") return check_read(request, path, op == "query");
  if (op == "count") {
    check_names(request, path, {"query", "scan"});
    if (request.entries.size() != 1) return add(request, path, "shape", "count has either a query or a scan");
    const Node::Entry& entry = request.entries.front();
    const std::string read_path = child_path(path, entry.name);
    if (is_map(entry.value, read_path)) check_read(entry.value, read_path, entry.name == "query");
    return;
  }
  const std::map<std::string_view, NameList> names{{"batch_get", {"keys"}},
                                                   {"batch_write", {"puts", "deletes"}},
                                                   {"transact_get", {"items"}},
                                                   {"transact_write", {"actions"}}};
  const auto known = names.find(op);
  if (known == names.end()) return;
  check_names(request, path, known->second);
  if (const Node* actions = request.find("actions"); actions != nullptr)
    check_newer_actions(*actions, child_path(path, "actions"));
  if (const Node* items = request.find("items"); items != nullptr)
    each(*items, child_path(path, "items"), [&](const Node& item, const std::string& item_path) {
      if (is_map(item, item_path)) check_names(item, item_path, {"model", "key"});
    });
}

void StepNames::check_read(const Node& request, const std::string& path, bool is_query) {
  NameList known{"index", "filter", "limit", "projection", "cursor", "consistent_read"};
  if (is_query) known.insert(known.end(), {"partition", "sort", "sort_direction"});
  check_names(request, path, known);
  for (const char* name : {"partition", "sort"})
    if (const Node* comparison = request.find(name); comparison != nullptr)
      check_comparison(*comparison, child_path(path, name));
  if (const Node* filter = request.find("filter"); filter != nullptr)
    each(*filter, child_path(path, "filter"),
         [&](const Node& comparison, const std::string& each_path) { check_comparison(comparison, each_path); });
}

void StepNames::check_comparison(const Node& comparison, const std::string& path) {
  if (!is_map(comparison, path)) return;
  check_names(comparison, path, {"attribute", "operator", "value", "values"});
  text(comparison, path, "attribute");
  text(comparison, path, "operator");
  if (comparison.find("value") != nullptr && comparison.find("values") != nullptr)
    add(comparison, path, "values", "a comparison has a value or values; remove one of them");
}

void StepNames::check_newer_actions(const Node& actions, const std::string& path) {
  each(actions, path, [&](const Node& action, const std::string& action_path) {
    if (!is_map(action, action_path)) return;
    const auto known = kFieldsOfNewerActions.find(text(action, action_path, "kind"));
    if (known == kFieldsOfNewerActions.end())
      return add(action, action_path, "kind",
                 fmt::format("the kind must be one of {}", fmt::join(names_in(kFieldsOfNewerActions), ", ")));
    check_names(action, action_path, joined({known->second, {"kind", "model"}, kExpressionNames}));
  });
}

void StepNames::check_transition(const Node& step, const std::string& path) {
  const std::pair<const char*, NameList> parts[] = {{"actual", {"model", "key", "set", "expected_version"}},
                                                    {"event", {"model", "item"}}};
  for (const auto& [name, known] : parts) {
    const Node* part = step.find(name);
    const std::string part_path = child_path(path, name);
    if (part == nullptr)
      add(step, part_path, "shape", fmt::format("{} is missing; add it", name));
    else if (is_map(*part, part_path))
      check_names(*part, part_path, known);
  }
}

}  // namespace dolmen::scenario
