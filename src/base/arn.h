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
  /// Whether its partition, service and region can be those of DynamoDB. A server may call its own region as it likes.
  [[nodiscard]] constexpr bool is_of_dynamodb(std::string_view own_region) const {
    return parts[1].starts_with("aws") && service() == "dynamodb" &&
           (region() == own_region || has_form_of_region(region()));
  }
  /// us-east-1, us-gov-west-1
  [[nodiscard]] static constexpr bool has_form_of_region(std::string_view name) {
    if (name.empty() || name.back() < '0' || name.back() > '9') return false;
    std::size_t words = 1;
    bool ends_word = true;
    for (const char c : name) {
      const bool fits = c == '-' ? !ends_word : (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (!fits) return false;
      ends_word = c == '-';
      words += ends_word ? 1U : 0U;
    }
    return words >= 3;
  }
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
