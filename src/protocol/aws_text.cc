#include "protocol/aws_text.h"

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

std::string xml_element(std::string_view xml, std::string_view name) {
  const std::string open = fmt::format("<{}>", name);
  const std::size_t begin = xml.find(open);
  const std::size_t end = xml.find(fmt::format("</{}>", name));
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin + open.size()) return {};
  return std::string(xml.substr(begin + open.size(), end - begin - open.size()));
}

}  // namespace dolmen
