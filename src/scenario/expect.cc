#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "scenario/fields.h"
#include "scenario/step.h"

namespace dolmen::scenario {

namespace {

std::string name_of(const Error& error) {
  const std::string_view portable = portable_error_name(error.code());
  return std::string(portable.empty() ? code_name(error.code()) : portable);
}

std::string shown(const LogicalValue& value) {
  return canonical_json(value).value_or(fmt::format("({})", value.kind()));
}

/// Equal in the sense of the model: sets in any order, numbers by value.
Result<bool> equal(const Model& model, const std::string& name, const LogicalValue& wanted, const LogicalValue& found) {
  const ModelAttribute* declared = model.find(name);
  if (declared == nullptr) return fail(Code::kInvalidArgument, "model {} has no attribute {}", model.name, name);
  if (wanted.is_null() || found.is_null()) return wanted == found;
  ModelAttribute plain = *declared;
  plain.encrypted = false;
  const Result<AttributeValue> a = encode_attribute(model, plain, value_for(model, name, wanted));
  if (!a) return fail(Code::kInvalidArgument, "{}", a.error().message());
  const Result<AttributeValue> b = encode_attribute(model, plain, found);
  return b && *a == *b;
}

/// Fails unless the item has all that is wanted, as it is wanted.
Result<void> contains(const Model& model, const LogicalItem& item, const LogicalItem& wanted) {
  for (const auto& [name, value] : wanted) {
    const LogicalValue* found = find(item, name);
    if (found == nullptr) return fail(Code::kInvalidArgument, "{} is missing", name);
    DOLMEN_TRY(const bool same, equal(model, name, value, *found));
    if (!same) return fail(Code::kInvalidArgument, "{} is {}, not {}", name, shown(*found), shown(value));
  }
  return {};
}

Result<void> check_error(const LogicalItem& expect, const Outcome& outcome) {
  if (find(expect, "error") != nullptr) {
    DOLMEN_TRY(const std::string wanted, text_of(expect, "error"));
    if (!outcome.error) return fail(Code::kInvalidArgument, "expected {}, but it succeeded", wanted);
    if (name_of(*outcome.error) != wanted)
      return fail(Code::kInvalidArgument, "expected {}, but it failed with {}: {}", wanted, name_of(*outcome.error),
                  outcome.error->message());
    return {};
  }
  const bool any_error = find(expect, "ok") != nullptr && !*find(expect, "ok")->get_if<bool>();
  if (any_error && !outcome.error) return fail(Code::kInvalidArgument, "expected a failure, but it succeeded");
  if (!any_error && outcome.error)
    return fail(Code::kInvalidArgument, "failed with {}: {}", name_of(*outcome.error), outcome.error->message());
  return {};
}

Result<void> check_failed_action(const LogicalItem& expect, const Outcome& outcome) {
  DOLMEN_TRY(const std::optional<std::int64_t> wanted, optional_integer_of(expect, "failed_action"));
  if (!wanted) return {};
  const TransactionFailure* failure = outcome.error ? outcome.error->payload<TransactionFailure>() : nullptr;
  if (failure == nullptr) return fail(Code::kInvalidArgument, "no action of a transaction failed");
  if (std::cmp_equal(failure->index, *wanted)) return {};
  return fail(Code::kInvalidArgument, "action {} failed, not {}", failure->index, *wanted);
}

Result<void> check_many(const LogicalItem& expect, const Outcome& outcome, const Model& model) {
  DOLMEN_TRY(const std::optional<std::int64_t> count, optional_integer_of(expect, "count"));
  if (count && std::cmp_not_equal(outcome.items.size(), *count))
    return fail(Code::kInvalidArgument, "the step returned {} items, not {}", outcome.items.size(), *count);
  DOLMEN_TRY(const bool has_cursor, flag_of(expect, "has_cursor"));
  if (find(expect, "has_cursor") != nullptr && has_cursor == outcome.cursor.empty())
    return fail(Code::kInvalidArgument, "the page has {} cursor", outcome.cursor.empty() ? "no" : "a");
  for (const std::string_view name : {"items", "items_any_order"}) {
    if (find(expect, name) == nullptr) continue;
    DOLMEN_TRY(const LogicalValue::List wanted, list_of(expect, name));
    if (wanted.size() != outcome.items.size())
      return fail(Code::kInvalidArgument, "the step returned {} items, not {}", outcome.items.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      DOLMEN_TRY(const LogicalItem item, map_of({{"item", wanted[i]}}, "item"));
      const auto fits = [&](const LogicalItem& found) { return contains(model, found, item).has_value(); };
      const bool there = name == "items" ? fits(outcome.items[i]) : std::ranges::any_of(outcome.items, fits);
      if (!there)
        return fail(Code::kInvalidArgument, "item {} is not {}{}", i, shown(wanted[i]),
                    name == "items" ? fmt::format(" but {}", shown(outcome.items[i])) : " or any other");
    }
  }
  return {};
}

constexpr std::string_view kOfStoredItem[] = {"item_contains",         "item_has_fields",
                                              "item_missing_fields",   "raw_attribute_types",
                                              "item_field_equals_var", "item_field_not_equals_var"};

Result<void> check_raw(const LogicalItem& expect, const Item& stored) {
  DOLMEN_TRY(const std::vector<std::string> present, names_of(expect, "item_has_fields"));
  for (const std::string& name : present)
    if (!stored.contains(name)) return fail(Code::kInvalidArgument, "the stored item has no {}", name);
  DOLMEN_TRY(const std::vector<std::string> missing, names_of(expect, "item_missing_fields"));
  for (const std::string& name : missing)
    if (stored.contains(name)) return fail(Code::kInvalidArgument, "the stored item has {}", name);
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

Result<void> check_stored(const LogicalItem& expect, const Outcome& outcome, World& world) {
  if (std::ranges::none_of(kOfStoredItem, [&](std::string_view name) { return find(expect, name) != nullptr; }))
    return {};
  const Result<Item> key = encode_key(world.table.model(), outcome.key);
  if (!key) return fail(Code::kInvalidArgument, "this step has no item to compare: {}", key.error().message());
  DOLMEN_TRY(const GetResult stored, world.store.get_item(world.table.table(), *key));
  if (!stored.item) return fail(Code::kInvalidArgument, "the item does not exist");
  DOLMEN_TRY_VOID(check_raw(expect, *stored.item));
  DOLMEN_TRY(const LogicalItem item, world.table.get(outcome.key));
  DOLMEN_TRY(const LogicalItem wanted, map_of(expect, "item_contains"));
  DOLMEN_TRY_VOID(contains(world.table.model(), item, wanted));
  DOLMEN_TRY_VOID(check_variables(expect, "item_field_equals_var", item, world));
  return check_variables(expect, "item_field_not_equals_var", item, world);
}

}  // namespace

Result<void> check(const LogicalItem& expect, const Outcome& outcome, World& world) {
  DOLMEN_TRY_VOID(flag_of(expect, "ok"));
  DOLMEN_TRY_VOID(check_error(expect, outcome));
  DOLMEN_TRY_VOID(check_failed_action(expect, outcome));
  DOLMEN_TRY_VOID(check_many(expect, outcome, world.table.model()));
  return check_stored(expect, outcome, world);
}

}  // namespace dolmen::scenario
