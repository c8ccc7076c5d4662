#pragma once

#include <string>

#include "dolmen/error.h"
#include "expr/syntax.h"
#include "partiql/syntax.h"

namespace dolmen::partiql {

/// The document path that a name or a path stands for. Fails with kValidation in DynamoDB's words, for anything else
/// too.
Result<expr::Path> path_of(const Term& term);

/// The name under which a SELECT returns the value at a path: the last name in it and all indexes that follow.
std::string column_name(const expr::Path& path);

}  // namespace dolmen::partiql
