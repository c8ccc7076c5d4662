#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/entity/query.h"
#include "entity/element.h"

/// The order of results: each entity once, and sorted as JavaScript would.
namespace dolmen::entity {

/// One property of row after row. For one thread.
class PropertyReader {
 public:
  virtual ~PropertyReader() = default;
  [[nodiscard]] virtual Element get(std::size_t row) = 0;
};

/// Rows of entities.
class ElementTable {
 public:
  virtual ~ElementTable() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Valid as long as the table; so are the elements that it reads.
  [[nodiscard]] virtual std::unique_ptr<PropertyReader> reader(std::string_view property) const = 0;
  /// The same for a property by which rows are sorted.
  [[nodiscard]] virtual std::unique_ptr<PropertyReader> sort_reader(std::string_view property) const {
    return reader(property);
  }
};

using Rows = std::vector<std::uint32_t>;

/// The rows of a result, each read once.
///
/// With a unique property they are the first row with each text of it; those whose text looks like an array index come
/// first, in the order of the numbers. Fails with kInvalidEntity for a row without it.
///
/// The sort is stable: numbers by value, texts in dictionary order, missing values first, true after false;
/// incomparable values are equal.
Result<Rows> ordered_rows(const ElementTable& table, const std::optional<std::string>& unique_property,
                          const std::vector<SortField>& sort);

}  // namespace dolmen::entity
