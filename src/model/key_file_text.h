#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/model/encryption.h"

/// The text of a key file: a line for each key, with its id and its digits.
namespace dolmen {

inline constexpr std::size_t kKeyIdBytes = 64;
inline constexpr std::size_t kKeyFileBytes = 64 * 1024;

struct FileKey {
  std::string id;
  SecretKey key;
};

/// 1 to 64 letters, digits, '-', '_' or '.'.
bool is_key_id(std::string_view id);
/// Fails with kInvalidArgument, and says what an id is.
Result<void> check_key_id(std::string_view id);

/// The text of a file that only its owner, who must be the user, can read. Fails with kEncryptionNotConfigured. The
/// caller wipes it.
Result<std::string> read_key_file(const std::filesystem::path& path);

/// The keys in the order of their lines; there is at least one. `name` is how messages call the file. Fails with
/// kEncryptionNotConfigured.
Result<std::vector<FileKey>> parse_key_file(std::string_view text, const std::string& name);

/// A line with a new random key. The caller wipes it.
std::string new_key_line(std::string_view key_id);

}  // namespace dolmen
