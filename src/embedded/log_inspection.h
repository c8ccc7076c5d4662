#pragma once

#include <string_view>

#include "dolmen/error.h"
#include "embedded/embedded.h"
#include "schema/registry.h"

namespace dolmen {

/// Checks that the schemas that a log record names are published, and counts the record.
Result<void> inspect_note(std::string_view bytes, const schema::Registry& schemas, RecoveryReport& report);

}  // namespace dolmen
