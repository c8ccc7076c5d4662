#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace dolmen {

namespace detail {

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

/// A parameter that is a name of one kind: any text, or a token of that kind. One of another kind does not compile.
template <class Kind>
class NameView {
 public:
  // NOLINTBEGIN(google-explicit-constructor): whatever is a name can be given
  constexpr NameView(EntityToken<Kind> token) : text_(token) {}
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  constexpr NameView(const Text& text) : text_(text) {}
  template <class OtherKind>
  NameView(EntityToken<OtherKind> token) = delete;
  template <class OtherKind>
  NameView(NameView<OtherKind> name) = delete;

  constexpr operator std::string_view() const { return text_; }
  // NOLINTEND(google-explicit-constructor)

 private:
  std::string_view text_;
};

struct EntityNameKind;
struct IndexNameKind;
struct PropertyNameKind;
struct KeyNameKind;

}  // namespace detail

using EntityName = detail::EntityToken<detail::EntityNameKind>;
using IndexName = detail::EntityToken<detail::IndexNameKind>;
using PropertyName = detail::EntityToken<detail::PropertyNameKind>;
using KeyName = detail::EntityToken<detail::KeyNameKind>;

/// Parameters that are such a name, or any text.
using EntityNameView = detail::NameView<detail::EntityNameKind>;
using IndexNameView = detail::NameView<detail::IndexNameKind>;

}  // namespace dolmen
