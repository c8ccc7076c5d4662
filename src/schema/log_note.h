#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/schema.h"

namespace dolmen::schema {

/// What a record of the log carries beside a write of documents: under which schema it was made.
std::string log_note(const SchemaRef& ref);

/// The other direction. Nothing when the bytes are somebody else's; kCorruption when they are a damaged note.
Result<std::optional<SchemaRef>> read_log_note(std::string_view bytes);

}  // namespace dolmen::schema
