#include "base/wildcard.h"

#include <cstddef>

namespace dolmen {

bool matches_wildcard(std::string_view pattern, std::string_view name) {
  // Where to go on when what follows the latest star does not fit: the star takes one more character.
  std::size_t after_star = std::string_view::npos;
  std::size_t retry_at = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      retry_at = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (after_star != std::string_view::npos) {
      p = after_star;
      n = ++retry_at;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace dolmen
