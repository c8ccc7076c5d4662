#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "dolmen/error.h"
#include "engine/table_keys.h"
#include "storage/storage.h"

namespace dolmen {

/// The keys of a key file (dolmen/model/encryption.h), for tables. The file is read again when it has changed and
/// somebody asks for a key. What cannot be read then changes nothing, and `log` hears why. Fails with
/// kEncryptionNotConfigured when the file cannot be read now.
Result<std::shared_ptr<engine::TableKeys>> open_table_keys(const std::filesystem::path& file,
                                                           std::function<void(std::string line)> log = {});

/// Lets the encrypted rows of a storage that no engine has be read, with the keys of `file`, or with none when its name
/// is empty. Fails as `open_table_keys` does, and with kCorruption.
Result<void> read_sealed_rows(storage::Storage& storage, const std::filesystem::path& file);

}  // namespace dolmen
