#pragma once

#include <string>

#include "dolmen/error.h"
#include "service/store_check.h"

namespace dolmen {

/// Checks the store of a directory that nobody has open: what a start checks, and what StoreCheck does. Changes
/// nothing. Encrypted tables are checked with the keys of the file `table_keys`, if that is given. Damage is a problem
/// in the report, also when the store could not be opened because of it. Fails with kDirectoryInUse,
/// kDirectoryUnusable, kForeignDirectory, kFormatVersion or kCanceled.
Result<StoreCheckReport> check_directory(const std::string& directory, const StoreCheck::Progress& progress,
                                         const std::string& table_keys = {});

}  // namespace dolmen
