#pragma once

#include <string>

#include "dolmen/error.h"
#include "dolmen/value.h"
#include "partiql/syntax.h"

namespace dolmen::partiql {

/// True for what can only be a value: literals, lists, bags and tuples.
bool is_literal(const Term& term);

/// The value of a literal. Fails with kValidation in DynamoDB's words, which name the place inside the value:
/// root[1].x.
Result<AttributeValue> literal_value(const Term& term);

/// What messages call a term that is not a value.
std::string term_name(const Term& term);

}  // namespace dolmen::partiql
