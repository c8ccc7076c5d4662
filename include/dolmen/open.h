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
///   "http://127.0.0.1:8000"     a Dolmen server, or whoever else speaks DynamoDB's protocol there; also https://
///   "aws:eu-west-1"             AWS's DynamoDB in that region; "aws:" in the region that the environment or the
///                               profile names
///
/// `open_remote` (dolmen/remote.h) has options for the last two, and docs/stores.md tells all about all of them. A
/// store elsewhere is opened without asking whether it is there; the first call finds out.
///
/// Fails with kDirectoryInUse, kDirectoryUnusable, kForeignDirectory, kFormatVersion, kCorruption, kNoSpace, kIo, or
/// kInvalidArgument for an address of another form.
Result<std::unique_ptr<Store>> open(const std::string& address);

}  // namespace dolmen
