#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/detail/record_table.h"
#include "dolmen/model/condition.h"
#include "dolmen/model/members.h"

/// Members of a struct in conditions and updates. Values are written as the member's would be.
namespace dolmen {

namespace detail {

/// A member of a struct, in a condition.
template <Record T, class M>
class TypedField {
 public:
  explicit TypedField(M T::* member) : attribute_(attribute_of(member)) {}

  friend FieldCondition operator==(const TypedField& a, const M& b) { return a.with(Operator::kEqual, {b}); }
  friend FieldCondition operator!=(const TypedField& a, const M& b) { return a.with(Operator::kNotEqual, {b}); }
  friend FieldCondition operator<(const TypedField& a, const M& b) { return a.with(Operator::kLess, {b}); }
  friend FieldCondition operator<=(const TypedField& a, const M& b) { return a.with(Operator::kLessOrEqual, {b}); }
  friend FieldCondition operator>(const TypedField& a, const M& b) { return a.with(Operator::kGreater, {b}); }
  friend FieldCondition operator>=(const TypedField& a, const M& b) { return a.with(Operator::kGreaterOrEqual, {b}); }

  [[nodiscard]] FieldCondition between(const M& low, const M& high) const {
    return with(Operator::kBetween, {low, high});
  }
  [[nodiscard]] FieldCondition in(const std::vector<M>& values) const { return with(Operator::kIn, values); }
  [[nodiscard]] FieldCondition begins_with(LogicalValue prefix) const {
    return Field(attribute_).begins_with(std::move(prefix));
  }
  [[nodiscard]] FieldCondition contains(LogicalValue part) const { return Field(attribute_).contains(std::move(part)); }
  [[nodiscard]] FieldCondition exists() const { return Field(attribute_).exists(); }
  [[nodiscard]] FieldCondition not_exists() const { return Field(attribute_).not_exists(); }

 private:
  template <class Values = std::initializer_list<M>>
  [[nodiscard]] FieldCondition with(Operator op, const Values& values) const {
    MemberComparison comparison(record_type<T>(), attribute_, op);
    for (const M& value : values) comparison.add(&value);
    return std::move(comparison).condition();
  }

  std::string attribute_;
};

}  // namespace detail

/// A member of a struct, in a condition. Values are written as the member's would be, by its converter if it has one:
///
///     field(&Car::colour) == Colour::red && field(&Car::doors).between(2, 4)
template <Record T, class M>
detail::TypedField<T, M> field(M T::* member) {
  return detail::TypedField<T, M>(member);
}

/// What must hold for a write, which otherwise fails with kConditionFailed.
inline FieldCondition only_if(FieldCondition condition) { return condition; }
template <Record T, class M>
FieldCondition only_if(M T::* member, const std::type_identity_t<M>& value) {
  return field(member) == value;
}

/// A change of one member; see `Table::update`.
template <Record T>
class MemberChange {
 public:
  MemberChange(FieldUpdate::Kind kind, std::string_view attribute, const void* value)
      : written_(detail::written_change(detail::record_type<T>(), kind, attribute, value)) {}

  [[nodiscard]] const detail::WrittenChange& written() const noexcept { return written_; }

 private:
  detail::WrittenChange written_;
};

/// Gives a member a value. An optional without one is removed.
template <Record T, class M>
MemberChange<T> set(M T::* member, const std::type_identity_t<M>& value) {
  return {FieldUpdate::Kind::kSet, detail::attribute_of(member), &value};
}
/// The same, unless it has one.
template <Record T, class M>
MemberChange<T> set_if_missing(M T::* member, const std::type_identity_t<M>& value) {
  return {FieldUpdate::Kind::kSetIfNotExists, detail::attribute_of(member), &value};
}
/// Adds to a number, or members to a set; what is missing counts as 0 or as the empty set.
template <Record T, class M>
MemberChange<T> add(M T::* member, const std::type_identity_t<M>& value) {
  return {FieldUpdate::Kind::kAdd, detail::attribute_of(member), &value};
}
/// Takes members out of a set.
template <Record T, class M>
MemberChange<T> erase_from(M T::* member, const std::type_identity_t<M>& values) {
  return {FieldUpdate::Kind::kErase, detail::attribute_of(member), &values};
}
/// Adds elements to the end of a list that is there.
template <Record T, class M>
MemberChange<T> append(M T::* member, const std::type_identity_t<M>& elements) {
  return {FieldUpdate::Kind::kAppend, detail::attribute_of(member), &elements};
}
/// Removes the attribute.
template <Record T, class M>
MemberChange<T> unset(M T::* member) {
  return {FieldUpdate::Kind::kRemove, detail::attribute_of(member), nullptr};
}

}  // namespace dolmen
