#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/reference/grammar.h"

/// Evaluates parsed expressions on an item, in the simplest way.
namespace dolmen::reference {

bool holds(const Term& condition, const Item& item);

Item projected(const std::vector<Steps>& paths, const Item& item);

/// Nothing when the update fails on this item.
std::optional<Item> updated(const std::vector<Term>& actions, const Item& item);

/// The condition of a query on one key attribute: =, <, <=, >, >=, BETWEEN (two values) or begins_with.
struct KeyBound {
  std::string attribute;
  std::string what;
  std::vector<AttributeValue> values;
};

/// Nothing unless a sorted index can answer the condition.
std::optional<std::vector<KeyBound>> key_bounds(const Term& condition);

}  // namespace dolmen::reference
