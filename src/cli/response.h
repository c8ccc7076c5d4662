#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/object_view.h"

namespace dolmen::cli {

/// The objects of a list in a response, which must outlive them.
std::vector<ObjectView> objects_in(const ObjectView& response, std::string_view name);

/// The strings of a list in a response.
std::vector<std::string> texts_in(const ObjectView& response, std::string_view name);

}  // namespace dolmen::cli
