#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "dolmen/detail/record_context.h"

namespace dolmen::mapping {
namespace {

AttributeValue write_number(Context& context, const Result<Number>& number) {
  if (number) return *number;
  context.fail("range", number.error().message());
  return nullptr;
}

/// The value when it has `size` elements.
template <class T>
const T* of_size(Context& context, const T* found, std::size_t size, std::string_view elements) {
  if (size == std::string_view::npos || found->size() == size) return found;
  context.fail("size", fmt::format("expected {} {}, found {}", size, elements, found->size()));
  return nullptr;
}

}  // namespace

bool read_integer(Context& context, const AttributeValue& value, std::int64_t least, std::uint64_t most,
                  std::uint64_t& out) {
  const auto* number = value.get_if<Number>();
  if (number == nullptr) return context.wrong_type({Type::kNumber}, value);
  if (number->is_negative()) {
    const std::optional<std::int64_t> integer = number->to_int64();
    out = static_cast<std::uint64_t>(integer.value_or(0));
    if (integer && *integer >= least) return true;
  } else {
    const std::optional<std::uint64_t> integer = number->to_uint64();
    out = integer.value_or(0);
    if (integer && *integer <= most) return true;
  }
  return context.fail("range",
                      fmt::format("expected an integer from {} to {}, found {}", least, most, number->to_string()));
}

AttributeValue write_double(Context& context, double value) {
  return write_number(context, Number::from_double(value));
}

AttributeValue write_float(Context& context, float value) {
  // The shortest text of a float is shorter than that of the double with the same value.
  if (!std::isfinite(value)) return write_double(context, value);
  return write_number(context, Number::parse(fmt::format("{}", value)));
}

bool read_double(Context& context, const AttributeValue& value, double& out) {
  const auto* number = value.get_if<Number>();
  if (number == nullptr) return context.wrong_type({Type::kNumber}, value);
  out = number->to_double();
  return true;
}

bool read_float(Context& context, const AttributeValue& value, float& out) {
  const auto* number = value.get_if<Number>();
  if (number == nullptr) return context.wrong_type({Type::kNumber}, value);
  // Reading it as a double first would round twice.
  const std::string text = number->to_string();
  float read = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (error == std::errc::result_out_of_range && std::abs(number->to_double()) > 1)
    return context.fail("range", fmt::format("expected a number that a float can hold, found {}", text));
  out = read;
  return true;
}

const Bytes* read_binary(Context& context, const AttributeValue& value, std::size_t size) {
  const auto* bytes = value.get_if<Bytes>();
  if (bytes != nullptr) return of_size(context, bytes, size, "bytes");
  context.wrong_type({Type::kBinary}, value);
  return nullptr;
}

const List* read_list(Context& context, const AttributeValue& value, std::size_t size) {
  const auto* list = value.get_if<List>();
  if (list != nullptr) return of_size(context, list, size, "elements");
  context.wrong_type({Type::kList}, value);
  return nullptr;
}

const Item* read_map(Context& context, const AttributeValue& value) {
  const Item* map = value.get_if<Item>();
  if (map == nullptr) context.wrong_type({Type::kMap}, value);
  return map;
}

}  // namespace dolmen::mapping
