#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/value.h"

namespace dolmen {

/// A condition as data, for programs that get theirs from elsewhere; what is written in C++ reads better as a
/// `Condition`. A condition without a value says nothing and is left out, so that optional parameters of a search need
/// no code:
///
///     EntityCondition{.operation = "between", .property = "created", .values = {from, to}}   // either may be nothing
struct EntityCondition {
  /// = <> < <= > >= begins_with between contains in attribute_exists attribute_not_exists and or not
  std::string operation;
  std::string property = {};
  /// One, two for between (nothing is an open end), any number for in, none for the others.
  std::vector<std::optional<AttributeValue>> values = {};
  /// Of and, or, not.
  std::vector<EntityCondition> conditions = {};
};

/// Whether a condition is on the range key of an index, which allows fewer operations, or on what is read.
enum class ConditionUse : std::uint8_t { kRangeKey, kFilter };

/// Empty when nothing is left of it. Fails with kInvalidArgument, "invalid operator", and for an in without values.
Result<Condition> condition_of(const EntityCondition& condition, ConditionUse use);

}  // namespace dolmen
