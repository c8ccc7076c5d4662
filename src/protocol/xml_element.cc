#include "protocol/xml_element.h"

#include <fmt/format.h>

namespace dolmen {

std::string xml_element(std::string_view xml, std::string_view name) {
  const std::string open = fmt::format("<{}>", name);
  const std::size_t begin = xml.find(open);
  const std::size_t end = xml.find(fmt::format("</{}>", name));
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin + open.size()) return {};
  return std::string(xml.substr(begin + open.size(), end - begin - open.size()));
}

}  // namespace dolmen
