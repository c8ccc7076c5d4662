#include "scenario/scenario.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "config/read.h"
#include "model/json_text.h"

namespace dolmen::scenario {

namespace {

using config::child_path;
using config::Node;
using Kind = Node::Kind;
using NameList = std::vector<std::string_view>;

constexpr std::string_view kDmsVersion = "0.1";

const NameList kScenarioNames{"name", "dms_version", "model", "table", "steps", "description"};

/// What each operation takes, besides op, expect and description.
const std::map<std::string_view, NameList> kFieldsOfOperations{
    {"create", {"item", "if_not_exists", "condition", "save"}},
    {"upsert", {"item", "save"}},
    {"get", {"key", "save"}},
    {"update", {"item", "fields", "save"}},
    {"change",
     {"key", "set", "set_if_not_exists", "add", "remove", "delete", "append", "prepend", "set_element",
      "remove_element", "condition", "version", "save"}},
    {"delete", {"key", "version", "condition"}},
    {"check", {"key", "condition"}},
    {"query",
     {"index", "partition", "sort_key", "filter", "project", "order", "limit", "consistent_read", "cursor",
      "save_cursor"}},
    {"scan", {"index", "filter", "project", "limit", "segments", "consistent_read", "cursor", "save_cursor"}},
    {"batch_get", {"keys"}},
    {"batch_write", {"puts", "deletes"}},
    {"transaction", {"actions"}},
    {"sleep", {"ms"}},
};

const NameList kActions{"create", "update", "change", "delete", "check"};

const NameList kExpectations{"ok",
                             "error",
                             "item_contains",
                             "item_has_fields",
                             "item_missing_fields",
                             "raw_attribute_types",
                             "item_field_equals_var",
                             "item_field_not_equals_var",
                             "items",
                             "items_any_order",
                             "count",
                             "has_cursor",
                             "failed_action"};

bool contains(const NameList& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

class Reader {
 public:
  explicit Reader(const Node& root) : root_(root) {}

  ReadScenario read() && {
    if (!is_map(root_, "")) return std::move(result_);
    check_names(root_, "", kScenarioNames);
    if (text(root_, "", "dms_version") != kDmsVersion)
      add(root_, "dms_version", "dms_version", fmt::format("dms_version must be \"{}\"", kDmsVersion));
    result_.scenario.name = text(root_, "", "name");
    result_.scenario.model = text(root_, "", "model");
    if (const Node* table = root_.find("table"); table != nullptr && is_map(*table, "table"))
      result_.scenario.table = text(*table, "table", "name");
    else
      add(root_, "table", "required", "table must be a map with a name");
    read_steps();
    return std::move(result_);
  }

 private:
  void add(const Node& node, std::string path, std::string rule, std::string message) {
    result_.problems.push_back({node.position, std::move(path), std::move(rule), std::move(message)});
  }

  bool is_map(const Node& node, const std::string& path) {
    if (node.kind == Kind::kMap) return true;
    add(node, path, "shape",
        fmt::format("{} must be a map, not a {}", path.empty() ? "a scenario" : path, kind_name(node.kind)));
    return false;
  }

  void check_names(const Node& map, const std::string& path, const NameList& known) {
    for (const Node::Entry& entry : map.entries)
      if (!contains(known, entry.name))
        result_.problems.push_back(
            {entry.name_position, child_path(path, entry.name), "unknown",
             fmt::format("\"{}\" is not allowed here; use {}", entry.name, fmt::join(known, ", "))});
  }

  std::string text(const Node& map, const std::string& path, std::string_view name) {
    const Node* node = map.find(name);
    if (node != nullptr && node->kind == Kind::kString && !node->text.empty()) return node->text;
    add(node == nullptr ? map : *node, child_path(path, name), "text",
        node == nullptr ? fmt::format("{} is missing; add it", name) : fmt::format("{} must be text", name));
    return {};
  }

  void read_steps() {
    const Node* steps = root_.find("steps");
    if (steps == nullptr || steps->kind != Kind::kList || steps->elements.empty())
      return add(steps == nullptr ? root_ : *steps, "steps", "steps", "steps must be a list of at least one step");
    for (std::size_t i = 0; i < steps->elements.size(); ++i) {
      const Node& step = steps->elements[i];
      check_step(step, child_path("steps", i));
      const LogicalValue value = logical_value(step);
      if (const LogicalItem* map = value.get_if<LogicalItem>()) result_.scenario.steps.push_back(*map);
    }
  }

  void check_step(const Node& step, const std::string& path) {
    if (!is_map(step, path)) return;
    const auto operation = kFieldsOfOperations.find(text(step, path, "op"));
    if (operation == kFieldsOfOperations.end()) return add(step, path, "op", "the op is not known");
    NameList known = operation->second;
    known.insert(known.end(), {"op", "expect", "description"});
    check_names(step, path, known);
    check_one_condition(step, path);
    if (const Node* expect = step.find("expect"); expect != nullptr && is_map(*expect, child_path(path, "expect")))
      check_names(*expect, child_path(path, "expect"), kExpectations);
    if (const Node* actions = step.find("actions"); actions != nullptr) check_actions(*actions, path);
  }

  void check_one_condition(const Node& step, const std::string& path) {
    if (step.find("if_not_exists") != nullptr && step.find("condition") != nullptr)
      add(step, path, "condition", "if_not_exists is itself a condition; remove one of them");
  }

  void check_actions(const Node& actions, const std::string& path) {
    for (std::size_t i = 0; i < actions.elements.size(); ++i) {
      const Node& action = actions.elements[i];
      const std::string action_path = child_path(child_path(path, "actions"), i);
      if (!is_map(action, action_path)) continue;
      const std::string op = text(action, action_path, "op");
      if (!contains(kActions, op)) {
        add(action, action_path, "op", fmt::format("an action must be one of {}", fmt::join(kActions, ", ")));
        continue;
      }
      NameList known = kFieldsOfOperations.find(op)->second;
      known.emplace_back("op");
      check_names(action, action_path, known);
      check_one_condition(action, action_path);
    }
  }

  const Node& root_;
  ReadScenario result_;
};

}  // namespace

ReadScenario read_scenario(std::string_view text, std::string_view file_name) {
  config::Reading reading = config::read_document(text, file_name);
  if (!reading.problems.empty() || !reading.root) return {.scenario = {}, .problems = std::move(reading.problems)};
  return Reader(*reading.root).read();
}

}  // namespace dolmen::scenario
