#pragma once

#include <string>
#include <string_view>

/// Names of models and attributes as C++ wants them, keywords apart.
namespace dolmen {

/// "emailHash" is email_hash; what has no letters or digits of ASCII is called by `otherwise`.
std::string cpp_snake_case(std::string_view name, std::string_view otherwise);
/// "user_profile" is UserProfile; a name that is good as it is stays so.
std::string cpp_pascal_case(std::string_view name, std::string_view otherwise);

}  // namespace dolmen
