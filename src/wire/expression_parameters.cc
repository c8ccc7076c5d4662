#include "wire/expression_parameters.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "base/fail.h"
#include "service/request_rules.h"
#include "value/json_reader.h"
#include "wire/legacy_attributes.h"

namespace dolmen::wire {
namespace {

std::vector<std::string_view> given(const Parameters& parameters, std::initializer_list<std::string_view> names) {
  std::vector<std::string_view> found;
  std::ranges::copy_if(names, std::back_inserter(found), [&](std::string_view name) { return parameters.has(name); });
  return found;
}

Result<void> read_names(json::Object object, expr::Placeholders& placeholders) {
  if (object.size() == 0) return fail(Code::kValidation, "ExpressionAttributeNames must not be empty");
  for (const auto [key, value] : object) {
    const std::string name(value.is_null() ? "" : json::string_of(value));
    DOLMEN_TRY_VOID(check_name_placeholder(key, name));
    placeholders.names.insert_or_assign(std::string(key), name);
  }
  return {};
}

Result<void> read_values(json::Object object, const Layer& layer, expr::Placeholders& placeholders) {
  if (object.size() == 0) return fail(Code::kValidation, "ExpressionAttributeValues must not be empty");
  for (const auto [key, value] : object) DOLMEN_TRY_VOID(check_value_placeholder(key));
  const Result<json::SizedItem> values = json::encode_sized_item(object, layer.value_levels_max());
  if (values) {
    DOLMEN_TRY_VOID(check_values_size(values->size));
    DOLMEN_TRY(placeholders.values, decode_item(values->item.bytes));
    return {};
  }
  // A mistake in one of the values is reported with its placeholder.
  for (const auto [key, value] : object) {
    std::string encoded;
    const Result<void> read = value.is_null() ? fail(Code::kValidation,
                                                     "Supplied AttributeValue is empty, must contain exactly "
                                                     "one of the supported datatypes")
                                              : json::append_value(encoded, value, layer.value_levels_max());
    if (!read) return bad_placeholder(key, read.error());
  }
  return std::unexpected(values.error());
}

}  // namespace

std::unexpected<Error> mixed_forms(const std::vector<std::string_view>& legacy,
                                   const std::vector<std::string_view>& expressions) {
  return fail(
      Code::kValidation,
      "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
      "{{{}}} Expression parameters: {{{}}}",
      fmt::join(legacy, ", "), fmt::join(expressions, ", "));
}

Result<void> check_forms(const Parameters& parameters, const ExpressionForms& forms) {
  const std::vector<std::string_view> expressions = given(parameters, forms.expressions);
  std::vector<std::string_view> legacy = given(parameters, forms.legacy);
  // KeyConditions may be combined with a FilterExpression.
  if (!parameters.has("KeyConditionExpression")) std::erase(legacy, "KeyConditions");
  if (!expressions.empty() && !legacy.empty()) return mixed_forms(legacy, expressions);
  if (parameters.has("ExpressionAttributeNames") && expressions.empty())
    return fail(Code::kValidation, "ExpressionAttributeNames can only be specified when using expressions");
  std::vector<std::string_view> with_values(forms.expressions);
  std::erase(with_values, "ProjectionExpression");
  // Operations with only a projection have no ExpressionAttributeValues, and DynamoDB ignores unknown parameters.
  const bool none = std::ranges::none_of(with_values, [&](std::string_view name) { return parameters.has(name); });
  if (parameters.has("ExpressionAttributeValues") && !with_values.empty() && none)
    return fail(
        Code::kValidation, "ExpressionAttributeValues can only be specified when using expressions{}",
        parameters.layer().lists_missing_expressions
            ? fmt::format(": {} {} null", fmt::join(with_values, " and "), with_values.size() > 1 ? "are" : "is")
            : "");
  return {};
}

Result<expr::Placeholders> read_name_placeholders(const Parameters& parameters) {
  expr::Placeholders placeholders;
  if (const auto names = parameters.find("ExpressionAttributeNames"))
    DOLMEN_TRY_VOID(read_names(json::object_of(*names), placeholders));
  return placeholders;
}

Result<expr::Placeholders> read_placeholders(const Parameters& parameters, const Layer& layer) {
  DOLMEN_TRY(expr::Placeholders placeholders, read_name_placeholders(parameters));
  if (const auto values = parameters.find("ExpressionAttributeValues"))
    DOLMEN_TRY_VOID(read_values(json::object_of(*values), layer, placeholders));
  return placeholders;
}

std::optional<Expression> read_expression(const Parameters& parameters, std::string_view name) {
  const std::optional<std::string> text = parameters.string(name);
  return text ? std::optional(Expression{*text}) : std::nullopt;
}

Result<std::optional<Expression>> read_projection(const Parameters& parameters, expr::Placeholders& placeholders) {
  if (parameters.has("AttributesToGet")) return read_attributes_to_get(parameters, placeholders);
  DOLMEN_TRY(placeholders, read_name_placeholders(parameters));
  return read_expression(parameters, "ProjectionExpression");
}

}  // namespace dolmen::wire
