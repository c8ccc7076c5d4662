#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// What a status of RocksDB other than OK means to a caller. `doing` completes the sentence "cannot ...".
Error error_from(const rocksdb::Status& status, std::string_view doing);

/// The same for a store that cannot be read while it is being opened: whatever is missing is damage too. `hint` is what
/// else is known about the place, or empty.
Error damage_error(const rocksdb::Status& status, const std::string& path, std::string_view hint = {});

}  // namespace dolmen::storage
