#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::entity {

/// How many bytes of a subject an error shows, because subjects come from outside and have any length.
inline constexpr std::size_t kSubjectBytesMax = 80;

/// The text, or its first characters when it is longer.
inline std::string_view beginning(std::string_view text) {
  if (text.size() <= kSubjectBytesMax) return text;
  std::size_t end = kSubjectBytesMax;
  // Does not cut within a UTF-8 character, which has up to four bytes.
  while (end > kSubjectBytesMax - 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

/// An error with the same message as in other languages, and a detail that names the property or the beginning of the
/// token and says what is wrong with it.
inline std::unexpected<Error> refuse(Code code, std::string_view message, std::string_view subject,
                                     std::string_view explanation) {
  return std::unexpected(Error(
      code, std::string(message),
      std::vector<ErrorDetail>{{std::string(beginning(subject)), std::string(message), std::string(explanation)}}));
}

}  // namespace dolmen::entity
