#include "scenario/fields.h"

#include <limits>

#include "base/base64.h"
#include "base/fail.h"

namespace dolmen::scenario {

namespace {

std::unexpected<Error> wrong(std::string_view name, std::string_view wanted) {
  return fail(Code::kInvalidArgument, "{} must be {}", name, wanted);
}

/// Of base64; other text stands for its own bytes.
LogicalValue bytes_of(const LogicalValue& value) {
  const std::string* text = value.get_if<std::string>();
  if (text == nullptr) return value;
  return Bytes(decode_base64(*text, Base64::kStandard).value_or(*text));
}

Result<FieldCondition> all_of(const LogicalValue::List& list, bool any, const Model& model);

Result<FieldCondition> comparison_of(const LogicalItem& map, const Model& model) {
  DOLMEN_TRY(const std::string name, text_of(map, "field"));
  DOLMEN_TRY(const std::string op_text, text_of(map, "op"));
  DOLMEN_TRY(const Operator op, parse_operator(op_text));
  DOLMEN_TRY(LogicalValue::List given, list_of(map, "values"));
  if (const LogicalValue* value = find(map, "value"); value != nullptr) given.push_back(*value);
  std::vector<LogicalValue> values;
  for (const LogicalValue& value : given) values.push_back(value_for(model, name, value));
  return FieldCondition::compare(name, op, std::move(values));
}

Result<FieldCondition> part_of(const LogicalValue& value, const Model& model) {
  const LogicalItem* map = value.get_if<LogicalItem>();
  if (map == nullptr) return wrong("a condition", "a map");
  for (const std::string_view word : {"and", "or", "not"}) {
    if (find(*map, word) == nullptr) continue;
    DOLMEN_TRY(const LogicalValue::List parts, list_of(*map, word));
    DOLMEN_TRY(FieldCondition group, all_of(parts, word == "or", model));
    return word == "not" ? !std::move(group) : std::move(group);
  }
  return comparison_of(*map, model);
}

Result<FieldCondition> all_of(const LogicalValue::List& list, bool any, const Model& model) {
  FieldCondition all;
  for (const LogicalValue& value : list) {
    DOLMEN_TRY(FieldCondition part, part_of(value, model));
    all = any ? std::move(all) || std::move(part) : std::move(all) && std::move(part);
  }
  return all;
}

Result<std::size_t> index_of(const LogicalItem& map) {
  DOLMEN_TRY(const std::int64_t index, integer_of(map, "index"));
  if (index < 0) return fail(Code::kInvalidOperator, "the index of an element must not be negative");
  return static_cast<std::size_t>(index);
}

Result<void> add_element_changes(const LogicalItem& step, const Model& model, FieldUpdate& update) {
  for (const std::string_view word : {"set_element", "remove_element"}) {
    DOLMEN_TRY(const LogicalItem element, map_of(step, word));
    if (element.empty()) continue;
    DOLMEN_TRY(const std::string name, text_of(element, "field"));
    DOLMEN_TRY(const std::size_t index, index_of(element));
    if (word == "remove_element") {
      update.remove_element(name, index);
      continue;
    }
    const LogicalValue* value = find(element, "value");
    if (value == nullptr) return wrong("value", "given");
    update.set_element(name, index, value_for(model, name, *value));
  }
  return {};
}

}  // namespace

const LogicalValue* find(const LogicalItem& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

Result<std::string> text_of(const LogicalItem& map, std::string_view name) {
  const LogicalValue* value = find(map, name);
  const std::string* text = value == nullptr ? nullptr : value->get_if<std::string>();
  if (text == nullptr) return wrong(name, "text");
  return *text;
}

Result<std::int64_t> integer_of(const LogicalItem& map, std::string_view name) {
  const LogicalValue* value = find(map, name);
  const LogicalNumber* number = value == nullptr ? nullptr : value->get_if<LogicalNumber>();
  if (number == nullptr) return wrong(name, "a whole number");
  const Result<Number> parsed = Number::parse(number->text);
  const std::optional<std::int64_t> integer = parsed ? parsed->to_int64() : std::nullopt;
  if (!integer) return wrong(name, "a whole number");
  return *integer;
}

Result<std::optional<std::int64_t>> optional_integer_of(const LogicalItem& map, std::string_view name) {
  if (find(map, name) == nullptr) return std::nullopt;
  return integer_of(map, name);
}

Result<bool> flag_of(const LogicalItem& map, std::string_view name) {
  const LogicalValue* value = find(map, name);
  if (value == nullptr) return false;
  const bool* flag = value->get_if<bool>();
  if (flag == nullptr) return wrong(name, "true or false");
  return *flag;
}

Result<LogicalItem> map_of(const LogicalItem& map, std::string_view name) {
  const LogicalValue* value = find(map, name);
  if (value == nullptr) return LogicalItem();
  const LogicalItem* inner = value->get_if<LogicalItem>();
  if (inner == nullptr) return wrong(name, "a map");
  return *inner;
}

Result<LogicalValue::List> list_of(const LogicalItem& map, std::string_view name) {
  const LogicalValue* value = find(map, name);
  if (value == nullptr) return LogicalValue::List();
  const LogicalValue::List* list = value->get_if<LogicalValue::List>();
  if (list == nullptr) return wrong(name, "a list");
  return *list;
}

Result<std::vector<std::string>> names_of(const LogicalItem& map, std::string_view name) {
  DOLMEN_TRY(const LogicalValue::List list, list_of(map, name));
  std::vector<std::string> names;
  for (const LogicalValue& value : list) {
    const std::string* text = value.get_if<std::string>();
    if (text == nullptr) return wrong(name, "a list of names");
    names.push_back(*text);
  }
  return names;
}

LogicalValue value_for(const Model& model, const std::string& attribute, const LogicalValue& value) {
  const ModelAttribute* declared = model.find(attribute);
  if (declared == nullptr) return value;
  if (declared->type == Type::kBinary) return bytes_of(value);
  if (declared->type != Type::kBinarySet) return value;
  const LogicalValue::List* members = value.get_if<LogicalValue::List>();
  // A single member, as an update may name it.
  if (members == nullptr) return bytes_of(value);
  LogicalValue::List converted;
  for (const LogicalValue& member : *members) converted.push_back(bytes_of(member));
  return converted;
}

Result<LogicalItem> item_of(const LogicalItem& map, std::string_view name, const Model& model) {
  DOLMEN_TRY(LogicalItem item, map_of(map, name));
  for (auto& [attribute, value] : item) value = value_for(model, attribute, value);
  return item;
}

Result<std::vector<LogicalItem>> items_of(const LogicalItem& map, std::string_view name, const Model& model) {
  DOLMEN_TRY(const LogicalValue::List list, list_of(map, name));
  std::vector<LogicalItem> items;
  for (const LogicalValue& value : list) {
    DOLMEN_TRY(items.emplace_back(), item_of({{"item", value}}, "item", model));
  }
  return items;
}

Result<AttributeValue> document_value(const LogicalValue& value) {
  const ModelAttribute list{.name = "value", .type = Type::kList};
  DOLMEN_TRY(const AttributeValue encoded, encode_attribute(Model(), list, LogicalValue::List{value}));
  return encoded.get_if<List>()->front();
}

Result<LogicalValue> partition_of(const LogicalItem& step, const Model& model) {
  std::string key = model.partition_key.name;
  if (find(step, "index") != nullptr) {
    DOLMEN_TRY(const std::string name, text_of(step, "index"));
    if (const ModelIndex* index = model.find_index(name); index != nullptr) key = index->partition_key.name;
  }
  const LogicalValue* partition = find(step, "partition");
  if (partition == nullptr) return wrong("partition", "given");
  const LogicalItem* comparison = partition->get_if<LogicalItem>();
  if (comparison == nullptr) return value_for(model, key, *partition);
  DOLMEN_TRY(const std::string field, text_of(*comparison, "field"));
  DOLMEN_TRY(const std::string op_text, text_of(*comparison, "op"));
  DOLMEN_TRY(const Operator op, parse_operator(op_text));
  const LogicalValue* value = find(*comparison, "value");
  if (field != key || op != Operator::kEqual || value == nullptr)
    return fail(Code::kInvalidOperator, "the partition of this query is {} = a value, not {} {}", key, field, op_text);
  return value_for(model, key, *value);
}

Result<std::optional<std::string>> cursor_of(const LogicalItem& step, const LogicalItem& variables) {
  if (find(step, "cursor_text") != nullptr) return text_of(step, "cursor_text");
  if (find(step, "cursor") == nullptr) return std::nullopt;
  DOLMEN_TRY(const std::string variable, text_of(step, "cursor"));
  const LogicalValue* cursor = find(variables, variable);
  if (cursor == nullptr || cursor->get_if<std::string>() == nullptr)
    return fail(Code::kInvalidArgument, "no step has saved a cursor as {}", variable);
  return *cursor->get_if<std::string>();
}

Result<FieldCondition> condition_of(const LogicalItem& map, std::string_view name, const Model& model) {
  DOLMEN_TRY(const LogicalValue::List list, list_of(map, name));
  return all_of(list, false, model);
}

Result<FieldUpdate> update_of(const LogicalItem& step, const Model& model) {
  using Add = FieldUpdate& (FieldUpdate::*)(std::string, LogicalValue);
  struct Word {
    std::string_view name;
    Add add;
  };
  const Word words[] = {{"set", &FieldUpdate::set},       {"set_if_not_exists", &FieldUpdate::set_if_not_exists},
                        {"add", &FieldUpdate::add},       {"delete", &FieldUpdate::erase_from},
                        {"append", &FieldUpdate::append}, {"prepend", &FieldUpdate::prepend}};
  FieldUpdate update;
  for (const Word& word : words) {
    DOLMEN_TRY(const LogicalItem changes, item_of(step, word.name, model));
    for (const auto& [name, value] : changes) (update.*word.add)(name, value);
  }
  DOLMEN_TRY(const std::vector<std::string> removed, names_of(step, "remove"));
  for (const std::string& name : removed) update.remove(name);
  DOLMEN_TRY_VOID(add_element_changes(step, model, update));
  return update;
}

}  // namespace dolmen::scenario
