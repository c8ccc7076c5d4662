#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/schema.h"

namespace dolmen::schema {

/// What a record of the log carries beside a write of documents: under which schema it was made, or under which ones.
std::string log_note(const std::vector<SchemaRef>& refs);

/// The other direction. None when the bytes are somebody else's; kCorruption when they are a damaged note.
Result<std::vector<SchemaRef>> read_log_note(std::string_view bytes);

}  // namespace dolmen::schema
