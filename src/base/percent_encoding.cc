#include "base/percent_encoding.h"

#include <fmt/format.h>
#include <iterator>

namespace dolmen {

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~";
  std::string out;
  for (const char c : text)
    if (kPlain.contains(c))
      out.push_back(c);
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
  return out;
}

}  // namespace dolmen
