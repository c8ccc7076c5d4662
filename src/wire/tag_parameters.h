#pragma once

#include <map>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "service/requests.h"
#include "wire/parameters.h"

namespace dolmen::wire {

/// Reads the parameter Tags. Fails with kValidation for a tag without a key or without a value.
Result<std::vector<Tag>> read_tags(const Parameters& parameters);

/// The same for a new table, which may have none, with all rules for tags.
Result<std::map<std::string, std::string>> read_new_tags(const Parameters& parameters);

}  // namespace dolmen::wire
