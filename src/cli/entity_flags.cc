#include "cli/entity_flags.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/fail.h"
#include "cli/stored_value.h"

namespace dolmen::cli {

namespace {

/// JSON, or the text itself.
Result<AttributeValue> value_in(const std::string& text) {
  const Result<LogicalValue> json = parse_json(text);
  return json ? stored_value(*json) : AttributeValue(text);
}

/// The first word of a text, which loses it.
std::string next_word(std::string& text) {
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  const std::size_t end = std::min(text.find(' '), text.size());
  std::string word = text.substr(0, end);
  text.erase(0, std::min(text.find_first_not_of(' ', end), text.size()));
  return word;
}

Result<std::vector<EntityCondition>> conditions_in(const std::vector<std::string>& texts) {
  std::vector<EntityCondition> conditions;
  for (const std::string& text : texts) {
    DOLMEN_TRY(conditions.emplace_back(), condition_in(text));
  }
  return conditions;
}

}  // namespace

Result<Item> unique_item(const EntityConfig& config, const EntityStoreFlags& flags) {
  const EntityDefinition* entity = config.find_entity(flags.entity);
  if (entity == nullptr) return fail(Code::kInvalidArgument, "the config has no entity \"{}\"", flags.entity);
  const auto transcode =
      std::ranges::find(config.property_transcodes, entity->unique_property, &PropertyTranscode::property);
  const std::string kind = transcode == config.property_transcodes.end() ? "string" : transcode->transcode;
  static const std::set<std::string> kNumbers{"bigint", "bigint20", "fix6", "int", "number", "timestamp"};
  if (kind == "boolean") return Item{{entity->unique_property, flags.value == "true"}};
  if (!kNumbers.contains(kind)) return Item{{entity->unique_property, flags.value}};
  const Result<Number> number = Number::parse(flags.value);
  if (!number)
    return fail(Code::kInvalidArgument, "\"{}\" is not a number, which {} of {} is", flags.value,
                entity->unique_property, flags.entity);
  return Item{{entity->unique_property, *number}};
}

Result<EntityCondition> condition_in(const std::string& text) {
  std::string rest = text;
  EntityCondition condition;
  condition.property = next_word(rest);
  condition.operation = next_word(rest);
  // As in C++.
  if (condition.operation == "==") condition.operation = "=";
  if (rest.empty() && !condition.operation.starts_with("attribute_"))
    return fail(Code::kInvalidArgument, "\"{}\" is not a condition such as \"created >= 5\"", text);
  if (condition.operation == "between") {
    const std::string low = next_word(rest);
    DOLMEN_TRY(condition.values.emplace_back(), value_in(low));
    if (rest.empty())
      return fail(Code::kInvalidArgument, "\"{}\" needs two values, as in \"created between 1 5\"", text);
  }
  if (!rest.empty()) {
    DOLMEN_TRY(condition.values.emplace_back(), value_in(rest));
  }
  if (condition.operation == "in")
    if (const auto* list = condition.values.front()->get_if<List>()) {
      const List members = *list;
      condition.values.assign(members.begin(), members.end());
    }
  return condition;
}

Result<EntityQuery> query_in(const EntityClient& client, const EntityStoreFlags& flags) {
  DOLMEN_TRY(const std::vector<EntityCondition> ranges, conditions_in(flags.ranges));
  DOLMEN_TRY(const std::vector<EntityCondition> filters, conditions_in(flags.filters));
  EntityRange range;
  for (const EntityCondition& condition : ranges) range = std::move(range) && condition;
  EntityQuery query = client.query(flags.entity);
  for (const std::string& index : flags.indexes) query.index(index, range, filters);
  if (!flags.item.empty()) {
    DOLMEN_TRY(Item item, stored_item(flags.item, "--item"));
    query.item(std::move(item));
  }
  std::vector<SortField> sort;
  for (const std::string& field : flags.sort)
    sort.push_back({field.starts_with('-') ? field.substr(1) : field, field.starts_with('-')});
  query.sort(std::move(sort)).project(flags.project);
  if (flags.limit) query.limit(*flags.limit);
  if (flags.page_size) query.page_size(*flags.page_size);
  if (flags.from || flags.to) query.made({.from = flags.from.value_or(0), .to = flags.to});
  if (flags.backward) query.backward();
  if (flags.merge) query.fan_out(FanOut::kMerge);
  return query;
}

}  // namespace dolmen::cli
