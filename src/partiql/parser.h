#pragma once

#include <memory>
#include <string_view>

#include "dolmen/error.h"
#include "partiql/syntax.h"

namespace dolmen::partiql {

/// Reads a statement, which must be UTF-8. Fails with kValidation in DynamoDB's words. What it accepts is the language
/// of the parser that DynamoDB uses, which is larger than what DynamoDB carries out.
Result<Syntax> parse(std::string_view text);

/// The same for a text that may come again with other parameters (expr/text_cache.h).
Result<std::shared_ptr<const Syntax>> cached_syntax(std::string_view text);

}  // namespace dolmen::partiql
