#include "entity/range.h"

#include <algorithm>
#include <fmt/format.h>

#include "entity/condition.h"
#include "entity/indexes.h"
#include "entity/item_source.h"
#include "entity/refusal.h"

namespace dolmen::entity {

namespace {

using Value = std::optional<AttributeValue>;

const Tokens kRangeOperations = {"=", "<", "<=", ">", ">=", "between", "begins_with"};

/// A range key as a text: its elements, each with what stands before its value.
struct RangeText {
  std::vector<std::string> elements;
  std::vector<std::string> prefixes;
};

std::unexpected<Error> refuse_operation(const std::string& operation) {
  return refuse(Code::kInvalidArgument, "invalid operator", operation,
                fmt::format("a range has no such condition; it takes {}", fmt::join(kRangeOperations, ", ")));
}

std::unexpected<Error> refuse_range(const CompiledIndex& index, std::string_view property, std::string_view why) {
  return refuse(Code::kInvalidArgument,
                fmt::format("index {} has no range by {}: {}", index.definition.name, property, why), property, why);
}

bool is_nothing(const Value& value) { return !value || value->type() == Type::kNull; }

/// Leaves out what has no value, and an open end of between, as filters do.
std::optional<EntityCondition> said_by(const EntityCondition& condition) {
  std::vector<Value> given = condition.values;
  given.resize(condition.operation == "between" ? 2 : 1);
  if (std::ranges::all_of(given, is_nothing)) return std::nullopt;
  EntityCondition said{.operation = condition.operation, .property = condition.property, .values = given};
  if (condition.operation == "between" && is_nothing(given[0])) {
    said.operation = "<=";
    said.values = {given[1]};
  } else if (condition.operation == "between" && is_nothing(given[1])) {
    said.operation = ">=";
    said.values = {given[0]};
  }
  const bool is_empty_prefix =
      said.operation == "begins_with" && said.values[0]->type() == Type::kString && said.values[0]->string().empty();
  return is_empty_prefix ? std::nullopt : std::optional(std::move(said));
}

/// A lower and an upper bound that both belong to the range are one condition.
void join_bounds(std::vector<EntityCondition>& conditions) {
  if (conditions.size() < 2) return;
  EntityCondition& last = conditions.back();
  EntityCondition& before = conditions[conditions.size() - 2];
  if (last.property != before.property) return;
  if (last.operation == ">=" && before.operation == "<=") std::swap(last, before);
  if (before.operation != ">=" || last.operation != "<=") return;
  before = {.operation = "between", .property = before.property, .values = {before.values[0], last.values[0]}};
  conditions.pop_back();
}

// ---- A range key that is a property ----

Result<Condition> plain_range(const CompiledConfig& config, const CompiledIndex& index,
                              const std::vector<EntityCondition>& conditions) {
  const std::string& property = index.definition.range_key;
  for (const EntityCondition& condition : conditions)
    if (condition.property != property)
      return refuse_range(index, condition.property, fmt::format("its range key is {}", property));
  const KeyType type = config.find_codec(property)->key_type();
  for (const Value& value : conditions.front().values) {
    const bool fits = value->type() == (type == KeyType::kNumber ? Type::kNumber : Type::kString);
    if (!fits)
      return refuse_range(
          index, property,
          fmt::format("it is of type {}, and the value of type {}", key_type_name(type), type_name(value->type())));
  }
  DOLMEN_TRY(detail::ExpressionPieces pieces,
             pieces_of(conditions.front(), ConditionUse::kRangeKey, ConditionForm::kOwn));
  return Condition::of(std::move(pieces));
}

// ---- A range key that is a text ----

RangeText range_text(const CompiledConfig& config, const CompiledEntity& entity, const CompiledIndex& index) {
  if (const CompiledGenerated* generated = config.find_generated(index.definition.range_key))
    return {generated->elements, generated->prefixes};
  return {{entity.definition.unique_property}, {entity.range_prefix}};
}

/// The text of a value as keys have it.
Result<std::string> text_of_value(const CompiledConfig& config, const CompiledIndex& index,
                                  const EntityCondition& condition, const AttributeValue& value) {
  KeptTexts kept;
  const Element element = element_of(config, condition.property, value, kept);
  std::string text = element.to_string();
  if (!config.options().strict) return text;
  if (condition.operation == "=" && !config.find_codec(condition.property)->round_trips(element))
    return refuse_range(index, condition.property, "the value does not fit its transcode");
  const EntityConfig& names = config.config();
  for (const std::string* delimiter :
       {&names.generated_key_delimiter, &names.generated_value_delimiter, &names.shard_key_delimiter})
    if (text.find(*delimiter) != std::string::npos)
      return refuse(Code::kInvalidEntity,
                    fmt::format("{} contains the delimiter \"{}\"", condition.property, *delimiter), condition.property,
                    "no key has such a value; see EntityOptions::strict");
  return text;
}

/// Greater than every text that begins like this one, of which no key is made.
std::string end_of(std::string begin) {
  if (static_cast<unsigned char>(begin.back()) >= 0x7F) return begin + "\U0010FFFF";
  ++begin.back();
  return begin;
}

/// The last condition of a range over a text: on the element after `begin`, which is the text of those before it.
Result<Condition> text_range(const CompiledConfig& config, const CompiledIndex& index, const EntityCondition& condition,
                             const std::string& begin, bool is_last) {
  const std::string& name = index.definition.range_key;
  const Path key(name);
  std::vector<std::string> texts;
  for (const Value& value : condition.values) {
    DOLMEN_TRY(const std::string text, text_of_value(config, index, condition, *value));
    texts.push_back(begin + text);
  }
  if (condition.operation == "=" && is_last) return key == texts[0];
  if (condition.operation == "=") return key.begins_with(texts[0] + config.config().generated_key_delimiter);
  if (std::ranges::any_of(condition.values, [](const Value& value) { return value->type() != Type::kString; }))
    return refuse_range(index, condition.property,
                        fmt::format("inside {} only texts are in order; ask for one value by =", name));
  if (condition.operation == "begins_with") return key.begins_with(texts[0]);
  if (!is_last)
    return refuse_range(index, condition.property,
                        fmt::format("other properties follow it in {}; ask for = or begins_with", name));
  // The smallest text after another one has a NUL more. A missing value is an empty text, which is in no range.
  const std::string nul(1, '\0');
  if (condition.operation == "between") return key.between(texts[0], texts[1]);
  if (condition.operation == ">=") return key.between(texts[0], end_of(begin));
  if (condition.operation == ">") return key.between(texts[0] + nul, end_of(begin));
  if (condition.operation == "<=") return key.between(begin + nul, texts[0]);
  if (condition.operation == "<")
    return refuse_range(index, condition.property, fmt::format("inside {} use <= or between", name));
  return refuse_operation(condition.operation);
}

/// A range by the elements of a text, which must come in their order.
Result<Condition> elements_range(const CompiledConfig& config, const CompiledIndex& index, const RangeText& text,
                                 const std::vector<EntityCondition>& conditions) {
  for (const EntityCondition& condition : conditions)
    if (!contains(text.elements, condition.property))
      return refuse_range(
          index, condition.property,
          fmt::format("its range key {} is made of {}", index.definition.range_key, fmt::join(text.elements, ", ")));
  std::string begin;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    begin += text.prefixes[i];
    const auto here = std::ranges::find(conditions, text.elements[i], &EntityCondition::property);
    if (here == conditions.end())
      return refuse_range(
          index, conditions[i].property,
          fmt::format("{} stands before it in {} and needs a value", text.elements[i], index.definition.range_key));
    if (i + 1 == conditions.size()) return text_range(config, index, *here, begin, i + 1 == text.elements.size());
    if (here->operation != "=")
      return refuse_range(index, text.elements[i], "only the last of several properties can have another than =");
    DOLMEN_TRY(const std::string value, text_of_value(config, index, *here, *here->values[0]));
    begin += value;
  }
  return Condition();
}

}  // namespace

Result<Condition> range_condition(const CompiledConfig& config, const CompiledEntity& entity,
                                  const CompiledIndex& index, const EntityRange& range) {
  std::vector<EntityCondition> conditions;
  for (const EntityCondition& condition : range.conditions()) {
    if (!contains(kRangeOperations, condition.operation)) return refuse_operation(condition.operation);
    if (std::optional<EntityCondition> said = said_by(condition)) {
      conditions.push_back(std::move(*said));
      join_bounds(conditions);
    }
  }
  if (conditions.empty()) return Condition();
  for (std::size_t i = 0; i < conditions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (conditions[i].property == conditions[j].property)
        return refuse_range(index, conditions[i].property, "it has several conditions, and a key takes one");
  if (index.definition.range_key != config.config().range_key &&
      config.find_generated(index.definition.range_key) == nullptr)
    return plain_range(config, index, conditions);
  return elements_range(config, index, range_text(config, entity, index), conditions);
}

}  // namespace dolmen::entity
