#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dolmen/entity_query.h"
#include "entity/element.h"

/// The order of results: each entity once, and sorted as JavaScript would.
namespace dolmen::entity {

/// Rows of entities.
class ElementTable {
 public:
  virtual ~ElementTable() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Element get(std::size_t row, std::string_view name) const = 0;
};

using Rows = std::vector<std::uint32_t>;

/// The first row with each text of the unique property; rows whose text looks like an array index come first, in the
/// order of the numbers. Fails with kInvalidEntity for a row without it.
Result<Rows> unique_rows(const ElementTable& table, std::string_view unique_property);

/// Stable. Numbers by value, texts as people read them, nothing before something, true after false; what does not
/// compare is equal.
void sort_rows(const ElementTable& table, const std::vector<SortField>& order, Rows& rows);

}  // namespace dolmen::entity
