#pragma once

#include "dolmen/model/logical_value.h"

namespace dolmen::cli {

/// Prints JSON on a line of its own. False, with a word on stderr, when there is a text in it that is not UTF-8.
bool print_json(const LogicalValue& value);

}  // namespace dolmen::cli
