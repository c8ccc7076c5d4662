#pragma once

#include <string>
#include <string_view>

/// Forms of text that AWS's services with older protocols use.
namespace dolmen {

/// The text with every byte as %XX that is neither a letter, a digit, nor one of "-_.~".
std::string percent_encoded(std::string_view text);

/// The content of the first element of that name; empty when there is none. For answers whose elements have neither
/// attributes nor CDATA, such as those of STS and the errors of S3.
std::string xml_element(std::string_view xml, std::string_view name);

}  // namespace dolmen
