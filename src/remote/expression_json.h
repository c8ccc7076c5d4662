#pragma once

#include <optional>
#include <string_view>

#include "dolmen/error.h"
#include "protocol/object_writer.h"
#include "service/requests.h"

/// The parts of requests that several operations share.
namespace dolmen::remote {

/// Nothing when there is no expression.
void append_expression(ObjectWriter& object, std::string_view name, const std::optional<Expression>& expression);
Result<void> append_placeholders(ObjectWriter& object, const expr::Placeholders& placeholders);
void append_return_capacity(ObjectWriter& object, ReturnCapacity wanted);

}  // namespace dolmen::remote
