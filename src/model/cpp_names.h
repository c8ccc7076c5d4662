#pragma once

#include <set>
#include <string>
#include <string_view>

/// Names of models and attributes as C++ wants them.
namespace dolmen {

/// Gives out names of one scope, each once: what is a keyword gets an underscore, and what is taken a number.
class CppScope {
 public:
  /// "emailHash" is email_hash; what has no letters or digits of ASCII is called by `otherwise`.
  std::string snake_case(std::string_view name, std::string_view otherwise);
  /// "user_profile" is UserProfile; a name that is good as it is stays so.
  std::string pascal_case(std::string_view name, std::string_view otherwise);

 private:
  std::string take(std::string name);

  std::set<std::string> taken_;
};

/// Identifiers with :: between them, none of which is a keyword.
bool is_cpp_namespace(std::string_view name);

/// A string literal in one line, whose value is the text; bytes beyond ASCII stay as they are. The text has no NUL.
std::string cpp_literal(std::string_view text);

}  // namespace dolmen
