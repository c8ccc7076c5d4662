#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

/// Names of models, attributes and indexes as programming languages want them.
namespace dolmen::generate {

/// "emailHash" is email_hash; what begins with a digit, or has no letters of ASCII, gets `otherwise` in front.
std::string snake_case(std::string_view name, std::string_view otherwise);
/// "emailHash" is EMAIL_HASH.
std::string upper_case(std::string_view name, std::string_view otherwise);
/// "user_profile" is UserProfile; a name that is good as it is stays so.
std::string pascal_case(std::string_view name, std::string_view otherwise);
/// "user_profile" is userProfile.
std::string camel_case(std::string_view name, std::string_view otherwise);
/// As pascal_case, with the words that Go writes in capitals: "userId" is UserID.
std::string go_name(std::string_view name, std::string_view otherwise);

/// Gives out the names of one scope, each once: reserved ones get an underscore appended, names that are taken a
/// number.
class Scope {
 public:
  /// `reserved` is sorted and lives as long as the scope.
  explicit Scope(std::span<const std::string_view> reserved) : reserved_(reserved) {}

  /// `name` must consist of characters that identifiers may have.
  std::string take(std::string name);

 private:
  std::span<const std::string_view> reserved_;
  std::set<std::string> taken_;
};

}  // namespace dolmen::generate
