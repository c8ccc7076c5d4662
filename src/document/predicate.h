#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/documents.h"
#include "dolmen/schema.h"

namespace dolmen::document {

/// The condition of a query on one field: equality, or a range with one bound or two. Values are in ordered form.
struct Predicate {
  std::string field;
  /// The position in Schema::scalars.
  std::size_t scalar = 0;
  std::optional<std::string> equal = std::nullopt;
  std::optional<std::string> lower = std::nullopt;
  std::optional<std::string> upper = std::nullopt;
  bool lower_included = true;
  bool upper_included = true;
  /// As it was written, for people.
  std::string text = {};

  /// `value` is in ordered form.
  [[nodiscard]] bool holds(std::string_view value) const;
};

/// A filter, checked against the schema: every field is a scalar of it, and every value has exactly the field's type.
/// Sorted by field. Fails with kQueryInvalid.
Result<std::vector<Predicate>> read_filter(const Schema& schema, std::string_view filter);

}  // namespace dolmen::document
