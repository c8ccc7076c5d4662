#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "expr/syntax.h"

/// Parsed expressions by their text (text_cache.h).
namespace dolmen::expr {

Result<std::shared_ptr<const Node>> cached_condition(std::string_view text);
Result<std::shared_ptr<const std::vector<UpdateAction>>> cached_update(std::string_view text);
Result<std::shared_ptr<const std::vector<Path>>> cached_projection(std::string_view text);

}  // namespace dolmen::expr
