#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/record.h"

namespace dolmen {

namespace detail {

/// The attribute that a member is mapped to; empty when DOLMEN_RECORD does not name the member.
template <Record T, class M>
std::string_view attribute_of(M T::* member) {
  static const T record{};
  const void* wanted = std::addressof(record.*member);
  for (const mapping::Member& candidate : mapping::kMembers<T>)
    if (candidate.locate(const_cast<T*>(&record)) == wanted) return candidate.attribute;
  return {};
}

}  // namespace detail

/// Members of a struct, as an update names them: {&User::nickname, &User::tags}.
template <Record T>
class Members {
 public:
  class Name {
   public:
    template <class M>
    Name(M T::* member)  // NOLINT(google-explicit-constructor): a list of members reads as such
        : attribute_(detail::attribute_of(member)) {}

   private:
    friend class Members;
    std::string attribute_;
  };

  Members(std::initializer_list<Name> names) {
    for (const Name& name : names) attributes_.push_back(name.attribute_);
  }

  [[nodiscard]] const std::vector<std::string>& attributes() const noexcept { return attributes_; }

 private:
  std::vector<std::string> attributes_;
};

/// One member of a struct, or none: &Note::expires.
template <Record T>
class MemberOf {
 public:
  MemberOf() = default;
  template <class M>
  MemberOf(M T::* member)  // NOLINT(google-explicit-constructor): a member reads as such
      : given_(true), attribute_(detail::attribute_of(member)) {}

  [[nodiscard]] bool given() const noexcept { return given_; }
  /// Empty when none is given, or DOLMEN_RECORD does not name the member.
  [[nodiscard]] const std::string& attribute() const noexcept { return attribute_; }

 private:
  bool given_ = false;
  std::string attribute_;
};

}  // namespace dolmen
