#pragma once

#include <filesystem>
#include <string_view>

#include "base/file_writer.h"
#include "dolmen/model/encryption.h"

namespace dolmen {

/// `create_key_file` and `rotate_key_file` with a writer that a test can watch.
Result<void> create_key_file(const std::filesystem::path& file, std::string_view key_id, const FileWriter& files);
Result<void> rotate_key_file(const std::filesystem::path& file, std::string_view key_id, const FileWriter& files);

}  // namespace dolmen
