#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace dolmen {

/// An ARN, taken apart at its first five colons: arn:partition:service:region:account:resource.
struct Arn {
  static constexpr std::size_t kParts = 6;

  std::array<std::string_view, kParts> parts;
  /// How many of the parts are there.
  std::size_t count = 0;

  [[nodiscard]] bool is_whole() const { return count == kParts && parts[0] == "arn"; }
  [[nodiscard]] std::string_view service() const { return parts[2]; }
  [[nodiscard]] std::string_view region() const { return parts[3]; }
  [[nodiscard]] std::string_view account() const { return parts[4]; }
  /// May have colons itself.
  [[nodiscard]] std::string_view resource() const { return parts[5]; }
};

constexpr Arn split_arn(std::string_view text) {
  Arn arn;
  for (bool more = true; more; ++arn.count) {
    const std::size_t colon = arn.count + 1 == Arn::kParts ? std::string_view::npos : text.find(':');
    more = colon != std::string_view::npos;
    arn.parts[arn.count] = text.substr(0, colon);
    if (more) text.remove_prefix(colon + 1);
  }
  return arn;
}

}  // namespace dolmen
