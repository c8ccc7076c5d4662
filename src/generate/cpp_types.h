#pragma once

#include <string>
#include <string_view>

#include "dolmen/model/model.h"

namespace dolmen::generate {

/// How generated code declares a member.
struct CppType {
  std::string name;
  /// What stands after the member's name, such as " = 0".
  std::string initializer;
  /// DOLMEN_RECORD must say so.
  bool as_seconds = false;
};

/// The type that holds every value of the attribute without loss, as Table<T> takes it. What is optional is a
/// std::optional, and so are moments, ttl, vectors and keys of indexes that are not required; sets, JSON and NULL need
/// none, as they can be empty themselves.
CppType cpp_type(const Model& model, const ModelAttribute& attribute);

/// The enumerator with its scope, such as "dolmen::Type::kString".
std::string_view cpp_enumerator(Type type);
std::string_view cpp_enumerator(KeyType type);
std::string_view cpp_enumerator(Role role);
std::string_view cpp_enumerator(AttributeFormat format);
std::string_view cpp_enumerator(NamingConvention convention);
std::string_view cpp_enumerator(WriteMode mode);
std::string_view cpp_enumerator(DmsVersion version);
std::string_view cpp_enumerator(IndexType type);
std::string_view cpp_enumerator(ProjectionType type);
std::string_view cpp_enumerator(VectorDistance distance);
std::string_view cpp_enumerator(SearchRole role);

}  // namespace dolmen::generate
