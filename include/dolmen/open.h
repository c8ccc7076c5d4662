#pragma once

#include <memory>
#include <string>

#include "dolmen/error.h"
#include "dolmen/store.h"

namespace dolmen {

/// Opens a store by its address:
///
///   "./data" or "file:./data"   an embedded store in that directory, created when it is missing; every acknowledged
///                               write is on disk
///   "memory:"                   an embedded store that is gone with the process
///
/// Fails with kDirectoryInUse, kDirectoryUnusable, kForeignDirectory, kFormatVersion, kCorruption, kNoSpace, kIo, or
/// kInvalidArgument for an address of another form.
Result<std::unique_ptr<Store>> open(const std::string& address);

}  // namespace dolmen
