#pragma once

#include <string>
#include <string_view>

namespace dolmen {

/// A name of a config as a constant, made by `dolmen entity generate`. Names of different kinds are of different types.
template <class Kind>
struct EntityToken {
  const char* text;

  // NOLINTBEGIN(google-explicit-constructor): a token is used where its name is
  constexpr operator std::string_view() const { return text; }
  operator std::string() const { return text; }
  // NOLINTEND(google-explicit-constructor)

  friend constexpr bool operator==(EntityToken a, EntityToken b) { return std::string_view(a.text) == b.text; }
};

using EntityName = EntityToken<struct EntityNameKind>;
using IndexName = EntityToken<struct IndexNameKind>;
using PropertyName = EntityToken<struct PropertyNameKind>;
using KeyName = EntityToken<struct KeyNameKind>;

}  // namespace dolmen
