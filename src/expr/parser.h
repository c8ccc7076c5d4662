#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "expr/syntax.h"

/// The grammar of DynamoDB's expressions. Each function fails with kValidation and DynamoDB's words, without the
/// "Invalid ConditionExpression: " that the caller knows to put before them. In order: length, emptiness, syntax,
/// redundant parentheses; then whichever comes first in the text of unknown and misused functions, reserved words,
/// indexes out of range and paths of too many parts; sections of an update given twice, number of operators. What
/// depends on names and values is for `bind` to check.
namespace dolmen::expr {

/// Text that Dolmen itself makes of a request's legacy parameters has no limits of length and operators.
enum class TextLimits : std::uint8_t { kDynamoDb, kNone };

Result<Node> parse_condition(std::string_view text, TextLimits limits = TextLimits::kDynamoDb);
Result<std::vector<UpdateAction>> parse_update(std::string_view text, TextLimits limits = TextLimits::kDynamoDb);
Result<std::vector<Path>> parse_projection(std::string_view text, TextLimits limits = TextLimits::kDynamoDb);

}  // namespace dolmen::expr
