#include "base/percent_encoding.h"

#include <charconv>
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

std::optional<std::string> percent_decoded(std::string_view text) {
  constexpr std::size_t kEncodedBytes = 3;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    unsigned char byte = 0;
    const std::string_view digits = text.substr(i + 1, kEncodedBytes - 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != kEncodedBytes - 1 || error != std::errc() || end != digits.data() + digits.size())
      return std::nullopt;
    out.push_back(static_cast<char>(byte));
    i += kEncodedBytes - 1;
  }
  return out;
}

}  // namespace dolmen
