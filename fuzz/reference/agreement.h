#pragma once

#include <optional>
#include <string>

#include "fuzz/reference/grammar.h"

/// Runs src/expr and the reference on the same request and item. Each function returns what they disagree about, with
/// the request and the item, or nothing when they agree.
namespace dolmen::reference {

std::optional<std::string> condition_disagreement(const Request& request, const Item& item);
std::optional<std::string> projection_disagreement(const Request& request, const Item& item);
std::optional<std::string> update_disagreement(const Request& request, const Item& item);
std::optional<std::string> key_condition_disagreement(const Request& request);

}  // namespace dolmen::reference
