#include "document/ordered_value.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>

#include "base/check.h"
#include "base/endian.h"
#include "document/limits.h"
#include "value/json_scanner.h"
#include "value/key_codec.h"

namespace dolmen::document {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;

template <class T>
T number_of(std::string_view json) {
  T value{};
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), value);
  DOLMEN_CHECK(error == std::errc{} && end == json.data() + json.size(), "a valid document has valid numbers");
  return value;
}

/// Positive numbers sort by their bits; the bits of negative ones are inverted.
std::uint64_t ordered_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

std::string ordered_string(std::string_view json) {
  json::JsonScanner scanner(json);
  DOLMEN_CHECK(scanner.peek() == json::JsonScanner::Kind::kString, "a valid document has valid strings");
  std::string out;
  append_ordered_bytes(out, decoded(scanner.string()));
  return out;
}

}  // namespace

std::string ordered_value(FieldType type, std::string_view json) {
  std::string out;
  switch (type) {
    case FieldType::kInt:
      append_big_endian(out, static_cast<std::uint64_t>(number_of<std::int64_t>(json)) ^ kSign);
      break;
    case FieldType::kFloat: append_big_endian(out, ordered_bits(number_of<double>(json))); break;
    case FieldType::kBool: out.push_back(json == "true" ? '\2' : '\1'); break;
    case FieldType::kString: return ordered_string(json);
    case FieldType::kObject:
    case FieldType::kArray: DOLMEN_UNREACHABLE("only scalars are indexed");
  }
  return out;
}

std::string entry_sort(std::string_view ordered, std::string_view id) { return std::string(ordered).append(id); }

std::string ordered_value_problem(std::string_view ordered) {
  if (ordered.size() <= limits::kIndexedBytes) return {};
  return fmt::format("the field has an index, and an indexed value can have at most {} bytes",
                     limits::kIndexedBytes - 2);
}

}  // namespace dolmen::document
