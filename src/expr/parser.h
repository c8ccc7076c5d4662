#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "expr/syntax.h"

/// The grammar of DynamoDB's expressions. Each function fails with kValidation in DynamoDB's words, without a prefix
/// such as "Invalid ConditionExpression: ", which the caller adds. The checks in order: length, emptiness, syntax,
/// redundant parentheses; then unknown and misused functions, reserved words, indexes out of range and paths of too
/// many parts, by their order in the text; then repeated sections of an update, and the number of operators. `Binder`
/// checks everything that depends on names and values.
namespace dolmen::expr {

/// kNone is for text that Dolmen makes of legacy parameters: its length and number of operators are not limited.
enum class TextLimits : std::uint8_t { kDynamoDb, kNone };

Result<Node> parse_condition(std::string_view text, TextLimits limits = TextLimits::kDynamoDb);
Result<std::vector<UpdateAction>> parse_update(std::string_view text, TextLimits limits = TextLimits::kDynamoDb);
Result<std::vector<Path>> parse_projection(std::string_view text, TextLimits limits = TextLimits::kDynamoDb);

}  // namespace dolmen::expr
