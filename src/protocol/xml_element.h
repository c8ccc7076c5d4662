#pragma once

#include <string>
#include <string_view>

namespace dolmen {

/// The content of the first element of that name; empty when there is none. For answers whose elements have neither
/// attributes nor CDATA, such as those of STS and the errors of S3.
std::string xml_element(std::string_view xml, std::string_view name);

}  // namespace dolmen
