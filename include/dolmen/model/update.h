#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/model/encryption.h"
#include "dolmen/model/item.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/model/model.h"

namespace dolmen {

/// Changes to the attributes of a model, each in the words of what it does:
///
///     FieldUpdate{}.set("status", "sent").add("views", 1).append("log", LogicalValue::List{"sent"})
///
/// Lists and maps may be changed in part: "address.city", "log[0]", "log[0].text". The name of an attribute is taken
/// before such a path. Every change reads the item as it was before the update.
class FieldUpdate {
 public:
  enum class Kind : std::uint8_t {
    kSet,
    kSetIfNotExists,
    kAdd,
    kRemove,
    kErase,
    kAppend,
    kPrepend,
    kSetElement,
    kRemoveElement,
  };
  struct Change {
    Kind kind = Kind::kSet;
    std::string field;
    LogicalValue value = {};
    std::size_t index = 0;
  };

  FieldUpdate& set(std::string field, LogicalValue value) {
    return change({Kind::kSet, std::move(field), std::move(value)});
  }
  FieldUpdate& set_if_not_exists(std::string field, LogicalValue value) {
    return change({Kind::kSetIfNotExists, std::move(field), std::move(value)});
  }
  /// Adds to a number, or members to a set; what is missing counts as 0 or as the empty set.
  FieldUpdate& add(std::string field, LogicalValue value) {
    return change({Kind::kAdd, std::move(field), std::move(value)});
  }
  FieldUpdate& increment(std::string field) { return add(std::move(field), 1); }
  FieldUpdate& decrement(std::string field) { return add(std::move(field), -1); }
  FieldUpdate& remove(std::string field) { return change({Kind::kRemove, std::move(field)}); }
  /// Takes members out of a set.
  FieldUpdate& erase_from(std::string field, LogicalValue members) {
    return change({Kind::kErase, std::move(field), std::move(members)});
  }
  FieldUpdate& append(std::string list, LogicalValue elements) {
    return change({Kind::kAppend, std::move(list), std::move(elements)});
  }
  FieldUpdate& prepend(std::string list, LogicalValue elements) {
    return change({Kind::kPrepend, std::move(list), std::move(elements)});
  }
  FieldUpdate& set_element(std::string list, std::size_t index, LogicalValue value) {
    return change({Kind::kSetElement, std::move(list), std::move(value), index});
  }
  FieldUpdate& remove_element(std::string list, std::size_t index) {
    return change({Kind::kRemoveElement, std::move(list), {}, index});
  }

  /// Adds a change as it is.
  FieldUpdate& change(Change change) {
    changes_.push_back(std::move(change));
    return *this;
  }

  [[nodiscard]] const std::vector<Change>& changes() const noexcept { return changes_; }

 private:
  std::vector<Change> changes_;
};

struct UpdateEncodeOptions {
  EncodeOptions values = {};
  /// Refuse to remove or empty a required attribute. Other implementations of DMS do not.
  bool check_required = true;
  /// Besides those of the model.
  std::vector<std::string> protected_attributes = {};
};

/// The update as the store takes it. What is empty is removed where the model says omit_empty. Fails with
/// kInvalidOperator when there is no change, two changes are of the same place or one is inside the other, an attribute
/// is unknown, is part of the key, or is not of a type that the change applies to, and for any change of an encrypted
/// attribute but `set`, `set_if_not_exists` and `remove`. Fails with kInvalidModel for a value that does not fit its
/// attribute, for times and versions, which the library sets, and when a required attribute would be removed; with
/// kImmutableModelMutation and kProtectedFieldMutation by the model's write policy.
Result<Update> compile_update(const Model& model, const FieldUpdate& update, const UpdateEncodeOptions& options = {});

}  // namespace dolmen
