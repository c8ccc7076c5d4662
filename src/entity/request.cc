#include "entity/request.h"

#include <charconv>

#include "base/fail.h"
#include "value/encoded_item.h"
#include "value/json.h"

namespace dolmen::entity {

namespace {

/// Conditions may stand inside each other so deep.
constexpr unsigned kConditionNesting = 16;

Result<Item> read_item(std::string_view json) {
  DOLMEN_TRY(const EncodedItem encoded, json::parse_item(json));
  return decode_item(encoded.bytes);
}

/// One value in DynamoDB's JSON; nothing for null.
Result<std::optional<AttributeValue>> read_value(std::string_view json) {
  if (json == "null") return std::nullopt;
  DOLMEN_TRY(const Item item, read_item("{\"value\":" + std::string(json) + "}"));
  return item.at("value");
}

Result<std::vector<EntityCondition>> read_conditions(const ObjectView& request, std::string_view name, unsigned depth) {
  if (depth > kConditionNesting)
    return fail(Code::kQueryInvalid, "conditions stand inside each other more than {} deep", kConditionNesting);
  DOLMEN_TRY(const std::vector<std::string_view> list, request.list(name));
  std::vector<EntityCondition> conditions;
  for (const std::string_view element : list) {
    DOLMEN_TRY(const ObjectView part, ObjectView::part(element, {"operation", "property", "values", "conditions"}));
    EntityCondition& condition = conditions.emplace_back();
    DOLMEN_TRY(condition.operation, part.text("operation"));
    DOLMEN_TRY(const std::optional<std::string> property, part.optional_text("property"));
    condition.property = property.value_or("");
    DOLMEN_TRY(const std::vector<std::string_view> values, part.list("values"));
    for (const std::string_view value : values) {
      DOLMEN_TRY(condition.values.emplace_back(), read_value(value));
    }
    DOLMEN_TRY(condition.conditions, read_conditions(part, "conditions", depth + 1));
  }
  return conditions;
}

Result<void> add_indexes(EntityQuery& query, const ObjectView& request) {
  DOLMEN_TRY(const std::vector<std::string_view> indexes, request.list("indexes"));
  if (indexes.empty())
    return fail(Code::kQueryInvalid, R"(indexes must name at least one index, as in [{{"index": "created"}}])");
  for (const std::string_view element : indexes) {
    DOLMEN_TRY(const ObjectView part, ObjectView::part(element, {"index", "range", "filter"}));
    DOLMEN_TRY(const std::string name, text_in(part, "index"));
    DOLMEN_TRY(const std::vector<EntityCondition> conditions, conditions_in(part, "range"));
    DOLMEN_TRY(const std::vector<EntityCondition> filters, conditions_in(part, "filter"));
    EntityRange range;
    for (const EntityCondition& condition : conditions) range = std::move(range) && condition;
    query.index(name, std::move(range), filters);
  }
  return {};
}

Result<std::vector<SortField>> sort_in(const ObjectView& request) {
  DOLMEN_TRY(const std::vector<std::string_view> list, request.list("sort"));
  std::vector<SortField> sort;
  for (const std::string_view element : list) {
    DOLMEN_TRY(const ObjectView part, ObjectView::part(element, {"property", "descending"}));
    SortField& field = sort.emplace_back();
    DOLMEN_TRY(field.property, text_in(part, "property"));
    DOLMEN_TRY(field.desc, part.flag("descending"));
  }
  return sort;
}

}  // namespace

Result<std::string> text_in(const ObjectView& request, std::string_view name) {
  DOLMEN_TRY(std::string text, request.text(name));
  if (text.empty()) return fail(Code::kQueryInvalid, "{} must not be empty", name);
  return text;
}

Result<Item> item_in(const ObjectView& request, std::string_view name) {
  const std::optional<std::string_view> json = request.find(name);
  return json ? read_item(*json) : Item();
}

Result<std::optional<std::int64_t>> integer_in(const ObjectView& request, std::string_view name) {
  const std::optional<std::string_view> json = request.find(name);
  if (!json) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(json->data(), json->data() + json->size(), number);
  if (error != std::errc{} || end != json->data() + json->size())
    return fail(Code::kQueryInvalid, "{} must be a whole number", name);
  return number;
}

Result<std::vector<std::string>> texts_in(const ObjectView& request, std::string_view name) {
  DOLMEN_TRY(const std::vector<std::string_view> list, request.list(name));
  std::vector<std::string> texts;
  for (const std::string_view element : list) {
    std::optional<std::string> text = json_text(element);
    if (!text) return fail(Code::kQueryInvalid, "{} must be a list of strings", name);
    texts.push_back(*std::move(text));
  }
  return texts;
}

Result<std::vector<EntityCondition>> conditions_in(const ObjectView& request, std::string_view name) {
  return read_conditions(request, name, 1);
}

Result<Condition> condition_in(const ObjectView& request, std::string_view name) {
  DOLMEN_TRY(const std::vector<EntityCondition> conditions, conditions_in(request, name));
  Condition all;
  for (const EntityCondition& condition : conditions) {
    DOLMEN_TRY(Condition one, condition_of(condition, ConditionUse::kFilter));
    all = std::move(all) && std::move(one);
  }
  return all;
}

Result<Update> update_in(const ObjectView& request) {
  DOLMEN_TRY(const Item set, item_in(request, "set"));
  DOLMEN_TRY(const Item add, item_in(request, "add"));
  DOLMEN_TRY(const std::vector<std::string> remove, texts_in(request, "remove"));
  Update update;
  for (const auto& [name, value] : set) update.set(attr(name), value);
  for (const auto& [name, value] : add) update.add(attr(name), value);
  for (const std::string& name : remove) update.remove(attr(name));
  if (update.empty()) return fail(Code::kQueryInvalid, "an update needs set, add or remove");
  return update;
}

Result<EntityQuery> query_in(const EntityClient& client, const std::string& entity, const ObjectView& request) {
  EntityQuery query = client.query(entity);
  DOLMEN_TRY_VOID(add_indexes(query, request));
  DOLMEN_TRY(Item item, item_in(request, "item"));
  DOLMEN_TRY(std::vector<SortField> sort, sort_in(request));
  DOLMEN_TRY(std::vector<std::string> project, texts_in(request, "project"));
  query.item(std::move(item)).sort(std::move(sort)).project(std::move(project));
  DOLMEN_TRY(const std::optional<std::int64_t> limit, integer_in(request, "limit"));
  DOLMEN_TRY(const std::optional<std::int64_t> page_size, integer_in(request, "page_size"));
  DOLMEN_TRY(const std::optional<std::int64_t> from, integer_in(request, "from"));
  DOLMEN_TRY(const std::optional<std::int64_t> to, integer_in(request, "to"));
  DOLMEN_TRY(const bool backward, request.flag("backward"));
  DOLMEN_TRY(const bool merge, request.flag("merge"));
  if (limit) query.limit(*limit);
  if (page_size) query.page_size(*page_size);
  query.made({.from = from.value_or(0), .to = to});
  if (backward) query.backward();
  if (merge) query.fan_out(FanOut::kMerge);
  return query;
}

}  // namespace dolmen::entity
