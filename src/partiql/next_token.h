#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "service/requests.h"

namespace dolmen::partiql {

/// Where a SELECT goes on: in which step of its plan (read_plan.h), and after which row of it.
struct NextPosition {
  std::size_t step = 0;
  std::optional<EncodedItem> after = std::nullopt;
};

/// A text for clients, which belongs to the statement and its parameters.
std::string next_token(const StatementRequest& statement, const NextPosition& position);

/// Fails with kValidation when the text is no token, or one of another statement.
Result<NextPosition> read_next_token(std::string_view token, const StatementRequest& statement);

/// Equal for statements with equal text and parameters.
std::string digest_of(const StatementRequest& statement);

}  // namespace dolmen::partiql
