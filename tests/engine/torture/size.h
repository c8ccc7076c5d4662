#pragma once

#include <string>
#include <vector>

#include "dolmen/table.h"
#include "dolmen/value.h"

/// How large items are, as DynamoDB's manual says.
namespace dolmen::torture {

std::size_t size_of(const Item& item);

/// The number and the size of items, as text to compare.
std::string shown(const Extent& extent);
std::string shown_extent(const std::vector<Item>& rows);

}  // namespace dolmen::torture
