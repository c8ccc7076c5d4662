#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "access/access_key.h"
#include "base/file_writer.h"
#include "dolmen/error.h"

/// The file that says who may use a server. YAML, as models are, and as `dolmen access` writes it:
///
///     keys:
///       - id: "DLMN2Q7VJ5XK3WZHPB4T"
///         secret: "kF3…"
///         role: "read-write"
///         tables: ["orders", "orders-*"]
///
/// It holds secrets, so a file that anybody but its owner may read or write is refused.
namespace dolmen::access {

/// Fails with kInvalidArgument, and says where, when the file is not as it should be; with kIo when it cannot be read.
Result<std::vector<AccessKey>> read_access_file(const std::filesystem::path& file);
/// The same for a text. `name` is the file's in messages.
Result<std::vector<AccessKey>> parse_access_file(std::string_view text, std::string_view name);

/// Replaces the file in one step. Only its owner may read it.
Result<void> write_access_file(const std::filesystem::path& file, const std::vector<AccessKey>& keys,
                               const FileWriter& writer = FileWriter());

}  // namespace dolmen::access
