#pragma once

#include <string_view>

namespace dolmen::expr {

/// True for the 573 words that DynamoDB does not accept as attribute names in expressions, in any case.
bool is_reserved_word(std::string_view name);

}  // namespace dolmen::expr
