#pragma once

#include <string>
#include <string_view>

namespace dolmen {

/// The content of the first element with that name; empty when there is none. For responses without attributes and
/// CDATA, such as those of STS and the errors of S3.
std::string xml_element(std::string_view xml, std::string_view name);

}  // namespace dolmen
