#include "scenario/expect.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/fail.h"
#include "scenario/fields.h"
#include "scenario/values.h"

namespace dolmen::scenario {

namespace {

// ---- Failures ----

Result<void> check_names(std::vector<std::string> wanted, const Outcome& outcome) {
  if (!outcome.failure)
    return fail(Code::kInvalidArgument, "expected {}, but it succeeded", fmt::join(wanted, " and "));
  std::vector<std::string> names = outcome.failure->names;
  std::ranges::sort(names);
  std::ranges::sort(wanted);
  // One name is enough for a scenario that knows no others.
  const bool is_met = wanted.size() == 1 ? outcome.failure->names.front() == wanted.front() : names == wanted;
  if (is_met) return {};
  return fail(Code::kInvalidArgument, "expected {}, but it failed with {}: {}", fmt::join(wanted, " and "),
              fmt::join(outcome.failure->names, " and "), outcome.failure->message);
}

Result<void> check_failure(const LogicalItem& expect, const Outcome& outcome) {
  if (find(expect, "error") != nullptr) {
    DOLMEN_TRY(std::string wanted, text_of(expect, "error"));
    return check_names({std::move(wanted)}, outcome);
  }
  if (find(expect, "errors") != nullptr) {
    DOLMEN_TRY(std::vector<std::string> wanted, names_of(expect, "errors"));
    return check_names(std::move(wanted), outcome);
  }
  DOLMEN_TRY(const bool ok, flag_of(expect, "ok"));
  const bool any_failure = find(expect, "ok") != nullptr && !ok;
  if (any_failure && !outcome.failure) return fail(Code::kInvalidArgument, "expected a failure, but it succeeded");
  if (!any_failure && outcome.failure)
    return fail(Code::kInvalidArgument, "failed with {}: {}", fmt::join(outcome.failure->names, " and "),
                outcome.failure->message);
  return {};
}

Result<void> check_failed_action(const LogicalItem& expect, const Outcome& outcome) {
  DOLMEN_TRY(const std::optional<std::int64_t> wanted, optional_integer_of(expect, "failed_action"));
  if (!wanted) return {};
  if (!outcome.failure || !outcome.failure->failed_action)
    return fail(Code::kInvalidArgument, "no action of a transaction failed");
  if (std::cmp_equal(*outcome.failure->failed_action, *wanted)) return {};
  return fail(Code::kInvalidArgument, "action {} failed, not {}", *outcome.failure->failed_action, *wanted);
}

// ---- Many items ----

Result<void> check_counts(const LogicalItem& expect, const Outcome& outcome) {
  const auto returned = static_cast<std::int64_t>(outcome.items.size());
  const std::pair<const char*, std::int64_t> counts[] = {{"count", outcome.count.value_or(returned)},
                                                         {"item_count", returned}};
  for (const auto& [name, is] : counts) {
    DOLMEN_TRY(const std::optional<std::int64_t> wanted, optional_integer_of(expect, name));
    if (wanted && is != *wanted)
      return fail(Code::kInvalidArgument, "the step {} {} items, not {}",
                  outcome.count && std::string_view(name) == "count" ? "counted" : "returned", is, *wanted);
  }
  return {};
}

/// In this order; more may follow unless they are all.
Result<void> check_in_order(const std::vector<LogicalItem>& wanted, const Outcome& outcome, const Model& model) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Result<void> same = check_contains(model, outcome.items[i], wanted[i]);
    if (!same)
      return fail(Code::kInvalidArgument, "item {} is not {} but {}: {}", i, shown(wanted[i]), shown(outcome.items[i]),
                  same.error().message());
  }
  return {};
}

Result<void> check_items(const LogicalItem& expect, const Outcome& outcome, const Model& model) {
  for (const std::string_view name : {"items", "items_any_order", "items_contains"}) {
    if (find(expect, name) == nullptr) continue;
    DOLMEN_TRY(const std::vector<LogicalItem> wanted, items_of(expect, name, model));
    const bool is_enough =
        name == "items_contains" ? outcome.items.size() >= wanted.size() : outcome.items.size() == wanted.size();
    if (!is_enough)
      return fail(Code::kInvalidArgument, "the step returned {} items, not {}", outcome.items.size(), wanted.size());
    if (name != "items_any_order") {
      DOLMEN_TRY_VOID(check_in_order(wanted, outcome, model));
    } else if (!is_any_order(model, outcome.items, wanted)) {
      return fail(Code::kInvalidArgument, "the items are not {} in any order, but {}", shown(*find(expect, name)),
                  shown(LogicalValue::List(outcome.items.begin(), outcome.items.end())));
    }
  }
  DOLMEN_TRY(const std::vector<std::string> missing, names_of(expect, "items_missing_fields"));
  for (std::size_t i = 0; i < outcome.items.size(); ++i)
    for (const std::string& name : missing)
      if (const LogicalValue* value = find(outcome.items[i], name); value != nullptr && !is_empty(*value))
        return fail(Code::kInvalidArgument, "item {} has {}", i, name);
  return {};
}

Result<void> check_cursor(const LogicalItem& expect, const Outcome& outcome) {
  DOLMEN_TRY(const bool has_cursor, flag_of(expect, "has_cursor"));
  if (find(expect, "has_cursor") != nullptr && has_cursor == outcome.cursor.empty())
    return fail(Code::kInvalidArgument, "the page has {} cursor", outcome.cursor.empty() ? "no" : "a");
  if (find(expect, "cursor_equals") == nullptr) return {};
  DOLMEN_TRY(const std::string wanted, text_of(expect, "cursor_equals"));
  if (wanted == outcome.cursor) return {};
  return fail(Code::kInvalidArgument, "the cursor is \"{}\", not \"{}\"", outcome.cursor, wanted);
}

// ---- One item ----

constexpr std::string_view kOfStoredItem[] = {
    "item_contains",       "item_equals",         "raw_item_contains",     "item_has_fields",
    "item_missing_fields", "raw_attribute_types", "item_field_equals_var", "item_field_not_equals_var"};

Result<void> check_raw_types(const LogicalItem& expect, const Item& stored) {
  DOLMEN_TRY(const LogicalItem types, map_of(expect, "raw_attribute_types"));
  for (const auto& [name, type] : types) {
    DOLMEN_TRY(const std::string wanted, text_of(types, name));
    const AttributeValue* value = stored.find(name);
    if (value == nullptr || type_name(value->type()) != wanted)
      return fail(Code::kInvalidArgument, "{} is stored as {}, not {}", name,
                  value == nullptr ? "nothing" : type_name(value->type()), wanted);
  }
  return {};
}

Result<void> check_raw(const LogicalItem& expect, const Item& stored) {
  DOLMEN_TRY(const std::vector<std::string> present, names_of(expect, "item_has_fields"));
  for (const std::string& name : present)
    if (!stored.contains(name)) return fail(Code::kInvalidArgument, "the stored item has no {}", name);
  DOLMEN_TRY(const std::vector<std::string> missing, names_of(expect, "item_missing_fields"));
  for (const std::string& name : missing)
    if (stored.contains(name)) return fail(Code::kInvalidArgument, "the stored item has {}", name);
  DOLMEN_TRY_VOID(check_raw_types(expect, stored));
  DOLMEN_TRY(const LogicalItem content, map_of(expect, "raw_item_contains"));
  for (const auto& [name, wanted] : content) {
    const AttributeValue* value = stored.find(name);
    if (value == nullptr) return fail(Code::kInvalidArgument, "the stored item has no {}", name);
    if (!is_stored_as(*value, wanted))
      return fail(Code::kInvalidArgument, "{} is not stored as {}, but as {}", name, shown(wanted),
                  shown(LogicalValue::from(*value)));
  }
  DOLMEN_TRY(const LogicalItem all, map_of(expect, "item_equals"));
  for (const auto& [name, value] : stored)
    if (!all.empty() && find(all, name) == nullptr) return fail(Code::kInvalidArgument, "the stored item has {}", name);
  return {};
}

Result<void> check_variables(const LogicalItem& expect, std::string_view name, const LogicalItem& item, World& world) {
  DOLMEN_TRY(const LogicalItem wanted, map_of(expect, name));
  for (const auto& [attribute, variable] : wanted) {
    DOLMEN_TRY(const std::string variable_name, text_of(wanted, attribute));
    const LogicalValue* saved = find(world.variables, variable_name);
    if (saved == nullptr) return fail(Code::kInvalidArgument, "no step has saved {}", variable_name);
    const LogicalValue* found = find(item, attribute);
    if (found == nullptr) return fail(Code::kInvalidArgument, "the item has no {}", attribute);
    if ((*found == *saved) != (name == "item_field_equals_var"))
      return fail(Code::kInvalidArgument, "{} is {}, and {} is {}", attribute, shown(*found), variable_name,
                  shown(*saved));
  }
  return {};
}

Result<void> check_stored(const LogicalItem& expect, const Outcome& outcome, ModelTable& table, World& world) {
  if (std::ranges::none_of(kOfStoredItem, [&](std::string_view name) { return find(expect, name) != nullptr; }))
    return {};
  const Result<Item> key = encode_key(table.model(), outcome.key);
  if (!key) return fail(Code::kInvalidArgument, "this step has no item to compare: {}", key.error().message());
  DOLMEN_TRY(const GetResult stored, world.store().get_item(table.table(), *key, {.consistent_read = true}));
  if (!stored.item) return fail(Code::kInvalidArgument, "the item does not exist");
  DOLMEN_TRY_VOID(check_raw(expect, *stored.item));
  DOLMEN_TRY(const LogicalItem item, table.get(outcome.key));
  for (const char* name : {"item_contains", "item_equals"}) {
    DOLMEN_TRY(const LogicalItem wanted, map_of(expect, name));
    DOLMEN_TRY_VOID(check_contains(table.model(), item, wanted));
    // What the step itself returned must say the same.
    if (outcome.item) DOLMEN_TRY_VOID(check_contains(table.model(), *outcome.item, wanted));
  }
  DOLMEN_TRY_VOID(check_variables(expect, "item_field_equals_var", item, world));
  return check_variables(expect, "item_field_not_equals_var", item, world);
}

Result<void> check_absent(const LogicalItem& expect, const Outcome& outcome) {
  DOLMEN_TRY(const bool absent, flag_of(expect, "item_absent"));
  if (find(expect, "item_absent") == nullptr || absent == !outcome.item) return {};
  return fail(Code::kInvalidArgument, "the step returned {} item", outcome.item ? "an" : "no");
}

}  // namespace

Result<void> check(const LogicalItem& step, const Outcome& outcome, World& world) {
  DOLMEN_TRY(const LogicalItem expect, map_of(step, "expect"));
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY_VOID(check_failure(expect, outcome));
  DOLMEN_TRY_VOID(check_failed_action(expect, outcome));
  DOLMEN_TRY_VOID(check_counts(expect, outcome));
  DOLMEN_TRY_VOID(check_items(expect, outcome, table->model()));
  DOLMEN_TRY_VOID(check_cursor(expect, outcome));
  DOLMEN_TRY_VOID(check_absent(expect, outcome));
  return check_stored(expect, outcome, *table, world);
}

Result<void> save_variables(const LogicalItem& step, const Outcome& outcome, World& world) {
  if (outcome.failure) return {};
  if (find(step, "save_cursor") != nullptr) {
    DOLMEN_TRY(const std::string variable, text_of(step, "save_cursor"));
    world.variables.insert_or_assign(variable, outcome.cursor);
  }
  DOLMEN_TRY(const LogicalItem save, map_of(step, "save"));
  if (save.empty()) return {};
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  const Result<LogicalItem> item = table->get(outcome.key);
  if (!item) return fail(Code::kInvalidArgument, "the step has nothing to save: {}", item.error().message());
  for (const auto& [variable, attribute] : save) {
    DOLMEN_TRY(const std::string name, text_of(save, variable));
    const LogicalValue* value = find(*item, name);
    if (value == nullptr) return fail(Code::kInvalidArgument, "the item has no {} to save", name);
    world.variables.insert_or_assign(variable, *value);
  }
  return {};
}

}  // namespace dolmen::scenario
