#pragma once

#include <string>
#include <string_view>

namespace dolmen::transfer {

/// The text as a member of a gzip file; members one after the other are one file.
std::string gzip_member(std::string_view text);

}  // namespace dolmen::transfer
