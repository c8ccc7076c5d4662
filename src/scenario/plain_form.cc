#include "scenario/plain_form.h"

#include <algorithm>

#include "base/ascii.h"
#include "scenario/fields.h"

namespace dolmen::scenario {

namespace {

void rename(LogicalItem& map, std::string_view from, std::string_view to) {
  const auto found = map.find(from);
  if (found == map.end()) return;
  LogicalValue value = std::move(found->second);
  map.erase(found);
  map.insert_or_assign(std::string(to), std::move(value));
}

/// Moves what stands in a map of the step into the step itself.
void unpack(LogicalItem& step, std::string_view name) {
  const auto found = step.find(name);
  LogicalItem* inner = found == step.end() ? nullptr : found->second.get_if<LogicalItem>();
  if (inner == nullptr) return;
  LogicalItem content = std::move(*inner);
  step.erase(found);
  step.merge(content);
}

void rename_comparison(LogicalValue& comparison) {
  LogicalItem* map = comparison.get_if<LogicalItem>();
  if (map == nullptr) return;
  rename(*map, "attribute", "field");
  rename(*map, "operator", "op");
}

/// The parts of a query or scan, which stand in the step already.
void rename_read(LogicalItem& step) {
  rename(step, "sort", "sort_key");
  rename(step, "sort_direction", "order");
  rename(step, "projection", "project");
  rename(step, "cursor", "cursor_text");
  if (const auto partition = step.find("partition"); partition != step.end()) rename_comparison(partition->second);
  if (const auto sort_key = step.find("sort_key"); sort_key != step.end()) {
    rename_comparison(sort_key->second);
    sort_key->second = LogicalValue::List{std::move(sort_key->second)};
  }
  if (const auto filter = step.find("filter"); filter != step.end())
    if (LogicalValue::List* list = filter->second.get_if<LogicalValue::List>())
      std::ranges::for_each(*list, rename_comparison);
  if (const auto order = step.find("order"); order != step.end())
    if (const std::string* text = order->second.get_if<std::string>())
      for (const char* known : {"ASC", "DESC"})
        if (equals_ignoring_case(*text, known)) {
          order->second = known;
          break;
        }
}

void unpack_request(LogicalItem& step, std::string_view op) {
  if (op == "query" || op == "scan") {
    unpack(step, op);
    rename_read(step);
  } else if (op == "count") {
    unpack(step, op);
    const char* read = find(step, "query") != nullptr ? "query" : "scan";
    unpack(step, read);
    step.insert_or_assign("of", read);
    rename_read(step);
  } else if (op == "transact_get") {
    unpack(step, op);
    rename(step, "items", "gets");
  } else if (op == "batch_get" || op == "batch_write") {
    unpack(step, op);
  }
}

LogicalValue plain_action(LogicalValue action) {
  LogicalItem* map = action.get_if<LogicalItem>();
  if (map == nullptr) return action;
  const std::string kind = text_of(*map, "kind").value_or("");
  if (kind == "create") map->insert_or_assign("if_not_exists", true);
  map->erase("kind");
  map->insert_or_assign("op", kind == "put"         ? "create"
                              : kind == "update"    ? "set"
                              : kind == "condition" ? "check"
                                                    : kind);
  return action;
}

void unpack_transaction(LogicalItem& step) {
  unpack(step, "transact_write");
  step.insert_or_assign("op", "transaction");
  const auto actions = step.find("actions");
  LogicalValue::List* list = actions == step.end() ? nullptr : actions->second.get_if<LogicalValue::List>();
  if (list != nullptr) std::ranges::transform(*list, list->begin(), plain_action);
}

/// A change of one item and the event that tells of it, which happen together.
void unpack_transition(LogicalItem& step) {
  LogicalItem change = map_of(step, "actual").value_or(LogicalItem());
  LogicalItem event = map_of(step, "event").value_or(LogicalItem());
  rename(change, "expected_version", "version");
  change.insert_or_assign("op", "set");
  event.insert_or_assign("op", "create");
  event.insert_or_assign("if_not_exists", true);
  step.erase("actual");
  step.erase("event");
  step.insert_or_assign("op", "transaction");
  step.insert_or_assign("actions", LogicalValue::List{std::move(change), std::move(event)});
}

}  // namespace

LogicalItem plain_form(LogicalItem step) {
  const std::string op = text_of(step, "op").value_or("");
  if (op == "transact_write")
    unpack_transaction(step);
  else if (op == "transition_append_event")
    unpack_transition(step);
  else if (find(step, op) != nullptr)
    unpack_request(step, op);
  return step;
}

}  // namespace dolmen::scenario
