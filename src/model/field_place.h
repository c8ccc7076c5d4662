#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/model/item.h"
#include "dolmen/model/model.h"

namespace dolmen {

/// A place in an item, as conditions and updates name it: an attribute, or a part of a list or map.
struct FieldPlace {
  /// The name of an entry of a map, or the index of an element of a list.
  using Step = std::variant<std::string, std::size_t>;

  const ModelAttribute* attribute = nullptr;
  /// From the attribute to the part; empty for the attribute itself.
  std::vector<Step> steps = {};

  [[nodiscard]] bool is_part() const noexcept { return !steps.empty(); }
  [[nodiscard]] Path path() const;
  /// Whether DynamoDB would refuse to change both in one update: one contains the other, or they take the same value
  /// for a list and for a map.
  [[nodiscard]] bool conflicts_with(const FieldPlace& other) const;
};

/// The place that `field` names: "status", "address.city", "stops[0].at". An attribute's own name is taken before a
/// path, so that names with dots keep their meaning. Fails with kInvalidOperator when the model has no such attribute,
/// the text is not a path, or the attribute has no parts.
Result<FieldPlace> place_of(const Model& model, std::string_view field);

/// A value inside a list or map, which has no declared type and gets the one that fits it. Fails with kInvalidModel.
Result<AttributeValue> encode_part(const Model& model, const ModelAttribute& attribute, const LogicalValue& value,
                                   TimestampForm form);

}  // namespace dolmen
