#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// The error for a status of RocksDB other than OK. `doing` completes the sentence "cannot ...".
Error error_from(const rocksdb::Status& status, std::string_view doing);

/// The same for a store that cannot be read while it is being opened, where a missing file is damage too. `hint` adds
/// to the message what else is known; it may be empty.
Error damage_error(const rocksdb::Status& status, const std::string& path, std::string_view hint = {});

}  // namespace dolmen::storage
