#pragma once

#include "dolmen/entity/condition.h"

namespace dolmen::entity {

/// How conditions are written.
enum class ConditionForm : std::uint8_t {
  kOwn,
  /// Written as the published JavaScript client does, for comparisons with it: an undefined member of `in` leaves a
  /// gap, and so does `in` without members.
  kPublished,
};

Result<detail::ExpressionPieces> pieces_of(const EntityCondition& condition, ConditionUse use, ConditionForm form);

/// Several filters: "(a) AND (b)". Empty ones are left out.
detail::ExpressionPieces joined(const std::vector<detail::ExpressionPieces>& parts, std::string_view word);

}  // namespace dolmen::entity
