#include "wire/legacy_attributes.h"

#include <fmt/format.h>
#include <unordered_set>
#include <vector>

#include "base/fail.h"
#include "wire/generated_expression.h"

namespace dolmen::wire {
namespace {

bool is_set(Type type) { return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet; }

Result<void> check_action(std::string_view action, const std::optional<AttributeValue>& value) {
  if (!value) {
    if (action == "DELETE") return {};
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is "
                "specified");
  }
  const Type type = value->type();
  if (action == "DELETE" && !is_set(type))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: DELETE action with value is not supported for the type {}",
                type_name(type));
  if (action == "ADD" && !is_set(type) && type != Type::kNumber && type != Type::kList)
    return fail(Code::kValidation,
                "One or more parameter values were invalid: ADD action is not supported for the type {}",
                type_name(type));
  return {};
}

/// The clauses of an update expression, by section.
struct Sections {
  std::vector<std::string> set;
  std::vector<std::string> remove;
  std::vector<std::string> add;
  std::vector<std::string> remove_members;

  [[nodiscard]] std::string text() const {
    std::string text;
    const auto append = [&text](std::string_view keyword, const std::vector<std::string>& clauses) {
      if (!clauses.empty()) text += fmt::format("{} {} ", keyword, fmt::join(clauses, ", "));
    };
    append("SET", set);
    append("REMOVE", remove);
    append("ADD", add);
    append("DELETE", remove_members);
    return text;
  }
};

Result<void> read_update(std::string_view attribute, const Parameters& given, Sections& sections,
                         expr::Placeholders& placeholders) {
  const std::string action = given.string("Action").value_or("PUT");
  std::optional<AttributeValue> value;
  if (const auto element = given.find("Value")) {
    DOLMEN_TRY(value, read_value(*element));
  }
  DOLMEN_TRY_VOID(check_action(action, value));
  DOLMEN_TRY(const std::string name, add_name(placeholders, attribute));
  if (!value) {
    sections.remove.push_back(name);
    return {};
  }
  const bool is_list = value->type() == Type::kList;
  const std::string operand = add_value(placeholders, std::move(*value));
  if (action == "PUT") {
    sections.set.push_back(fmt::format("{} = {}", name, operand));
  } else if (action == "DELETE") {
    sections.remove_members.push_back(fmt::format("{} {}", name, operand));
  } else if (is_list) {
    const std::string empty = add_value(placeholders, List{});
    sections.set.push_back(fmt::format("{0} = list_append(if_not_exists({0}, {1}), {2})", name, empty, operand));
  } else {
    sections.add.push_back(fmt::format("{} {}", name, operand));
  }
  return {};
}

}  // namespace

Result<std::optional<Expression>> read_attribute_updates(const Parameters& parameters,
                                                         expr::Placeholders& placeholders) {
  const auto given = parameters.find("AttributeUpdates");
  if (!given || json::object_of(*given).size() == 0) return std::nullopt;
  Sections sections;
  for (const auto& [attribute, element] : members_of(json::object_of(*given)))
    DOLMEN_TRY_VOID(read_update(attribute, Parameters(element), sections, placeholders));
  return Expression{.text = sections.text(), .generated = true};
}

Result<std::optional<Expression>> read_attributes_to_get(const Parameters& parameters,
                                                         expr::Placeholders& placeholders) {
  const auto given = parameters.find("AttributesToGet");
  if (!given) return std::nullopt;
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> names;
  for (const json::Element element : json::array_of(*given)) {
    const std::string_view attribute = json::string_of(element);
    if (!seen.insert(attribute).second)
      return fail(Code::kValidation, "One or more parameter values were invalid: Duplicate value in attribute name: {}",
                  attribute);
    DOLMEN_TRY(names.emplace_back(), add_name(placeholders, attribute));
  }
  return Expression{.text = fmt::format("{}", fmt::join(names, ", ")), .generated = true};
}

}  // namespace dolmen::wire
