#pragma once

#include <array>
#include <gtest/gtest.h>
#include <string>

#include "dolmen/record.h"

namespace dolmen {

/// A record with one member, for testing the member's type.
template <class T>
struct Box {
  T value{};
};
template <class T>
constexpr std::string_view dolmen_record_name(std::type_identity<Box<T>>) {
  return "Box";
}
template <class T>
constexpr auto dolmen_record_members(std::type_identity<Box<T>>) {
  return std::to_array<mapping::Member>({mapping::member<Box<T>, &Box<T>::value>("value")});
}

template <class T>
AttributeValue written(const T& value) {
  return to_item(Box<T>{value}).value().at("value");
}
template <class T>
Item written_item(const T& value) {
  return to_item(Box<T>{value}).value();
}
template <class T>
std::string write_problem(const T& value) {
  return to_item(Box<T>{value}).error().message();
}
template <class T>
T read(const AttributeValue& value) {
  return from_item<Box<T>>({{"value", value}}).value().value;
}
template <class T>
std::string read_problem(const AttributeValue& value) {
  return from_item<Box<T>>({{"value", value}}).error().message();
}
/// Checks how a value is written, and that it is read back.
template <class T>
void expect_form(const T& value, const AttributeValue& form) {
  EXPECT_EQ(written(value), form);
  EXPECT_EQ(read<T>(form), value);
}

}  // namespace dolmen
